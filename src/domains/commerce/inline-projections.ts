import { z } from 'zod';
import { defineInlineProjections } from '../../platform/event-log/define-inline-projections.js';

const id = z.string();
/** Minor units of the shop's currency. */
const units = z.int();
const quantity = z.object({ productId: id, quantity: z.int() });
/** One for each product. */
const quantities = z.array(quantity).readonly();

/** Commerce's rows, written in the transaction of their events. The SQL functions are `prisma/functions/guard_<name>.sql`. */
export const commerceProjections = defineInlineProjections({
  /** `highestTotal`: of the credit limits of all customers of the user; null: any. */
  register_customer: z.object({
    customerId: id,
    userId: id,
    creditLimit: units,
    highestTotal: units.nullable(),
  }),
  set_customer_status: z.object({ customerId: id, userId: id, isActive: z.boolean(), creditLimit: units }),
  record_payment: z.object({ customerId: id, amount: units }),
  save_product: z.object({ productId: id, name: z.string(), unitPrice: units, onHand: z.int() }),
  /** Each line with the name and price that were decided on. */
  place_order: z.object({
    customerId: id,
    ownerId: id,
    total: units,
    lines: z.array(quantity.extend({ name: z.string(), price: units })).readonly(),
  }),
  ship_order: z.object({ lines: quantities }),
  cancel_order: z.object({ customerId: id, total: units, lines: quantities }),
  start_transfer: z.object({
    transferId: id,
    fromAccountId: id,
    ownerId: id,
    correlationId: z.string(),
    traceparent: z.string().nullable(),
  }),
  finish_transfer: z.object({ transferId: id }),
  close_account: z.object({ accountId: id }),
});
