import { account, accountResolvers } from './commerce-accounts.js';
import { customer, customerResolvers } from './commerce-customers.js';
import { nodeOf } from './commerce-mutation.js';
import { order, orderResolvers } from './commerce-orders.js';
import { product, productResolvers } from './commerce-products.js';
import { transfer, transferResolvers } from './commerce-transfers.js';

export const commerceResolvers = [
  ...orderResolvers,
  ...accountResolvers,
  ...transferResolvers,
  ...customerResolvers,
  ...productResolvers,
] as const;

/** Loads commerce's objects for `node`, by type and raw id. */
export const commerceNodes = {
  Order: nodeOf(order),
  Account: nodeOf(account),
  Transfer: nodeOf(transfer),
  Customer: nodeOf(customer),
  Product: nodeOf(product),
};
