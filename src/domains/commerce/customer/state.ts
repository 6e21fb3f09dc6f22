import { z } from 'zod';
import { minorUnitsOf } from '../money.js';
import { SHOP_CURRENCY } from '../shop.js';
import { snapshotShape } from '../snapshot-shape.js';
import type { CustomerEvent } from './events.js';

const customerState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('UNKNOWN') }),
  z.object({
    status: z.literal('REGISTERED'),
    userId: z.string(),
    /** An inactive customer cannot order. */
    isActive: z.boolean(),
    /** Minor units of the shop's currency. */
    creditLimit: z.coerce.bigint(),
  }),
]);

/** UNKNOWN is a customer whom nobody has registered. What they owe is not here: it follows from their orders too. */
export type CustomerState = Readonly<z.infer<typeof customerState>>;
export const customerSnapshot = snapshotShape<CustomerState>(1, customerState);

export const unknownCustomer: CustomerState = { status: 'UNKNOWN' };

export function evolve(state: CustomerState, event: CustomerEvent): CustomerState {
  if (event.type === 'CustomerRegistered') {
    const { userId, creditLimit } = event.data;
    const limit = minorUnitsOf(creditLimit, SHOP_CURRENCY);
    return { status: 'REGISTERED', userId, isActive: true, creditLimit: limit };
  }
  if (state.status === 'UNKNOWN') throw new Error(`${event.type} before CustomerRegistered`);
  switch (event.type) {
    case 'CustomerStatusSet': {
      const { isActive, creditLimit } = event.data;
      return { ...state, isActive, creditLimit: minorUnitsOf(creditLimit, SHOP_CURRENCY) };
    }
    case 'PaymentRecorded':
      return state;
    default:
      return event satisfies never;
  }
}
