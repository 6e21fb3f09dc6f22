import type { RequestContext } from '../context.js';
import { callerOf } from '../platform/caller.js';
import { toAccount } from '../schema/commerce-accounts.js';
import { toCustomer } from '../schema/commerce-customers.js';
import { toOrder } from '../schema/commerce-orders.js';
import { toProduct } from '../schema/commerce-products.js';
import { toTransfer } from '../schema/commerce-transfers.js';
import { accountResolvers } from './commerce-accounts.js';
import { customerResolvers } from './commerce-customers.js';
import { orderResolvers } from './commerce-orders.js';
import { productResolvers } from './commerce-products.js';
import { transferResolvers } from './commerce-transfers.js';

export const commerceResolvers = [
  ...orderResolvers,
  ...accountResolvers,
  ...transferResolvers,
  ...customerResolvers,
  ...productResolvers,
] as const;

/** Loads commerce's objects for `node`, by type and raw id. */
export const commerceNodes = {
  Order: async (orderId: string, context: RequestContext) => {
    const order = await context.app.commerce.order(callerOf(context), orderId);
    return order && toOrder(order);
  },
  Account: async (accountId: string, context: RequestContext) => {
    const account = await context.app.commerce.account(callerOf(context), accountId);
    return account && toAccount(account);
  },
  Transfer: async (transferId: string, context: RequestContext) => {
    const transfer = await context.app.commerce.transfer(callerOf(context), transferId);
    return transfer && toTransfer(transfer);
  },
  Customer: async (customerId: string, context: RequestContext) => {
    const customer = await context.app.commerce.customer(callerOf(context), customerId);
    return customer && toCustomer(customer);
  },
  Product: async (productId: string, context: RequestContext) => {
    const product = await context.app.commerce.product(callerOf(context), productId);
    return product && toProduct(product);
  },
};
