import { z } from 'zod';
import type { SnapshotShape } from '../../../platform/event-log/aggregate.js';
import { minorUnitsOf } from '../money.js';
import { SHOP_CURRENCY } from '../shop.js';
import type { CustomerEvent } from './events.js';

/** UNKNOWN is a customer whom nobody has registered. What they owe is not here: it follows from their orders too. */
export type CustomerState =
  | { readonly status: 'UNKNOWN' }
  | {
      readonly status: 'REGISTERED';
      readonly userId: string;
      /** An inactive customer cannot order. */
      readonly isActive: boolean;
      /** Minor units of the shop's currency. */
      readonly creditLimit: bigint;
    };

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

const unknown = z.object({ status: z.literal('UNKNOWN') });
const registered = z.object({
  status: z.literal('REGISTERED'),
  userId: z.string(),
  isActive: z.boolean(),
  creditLimit: z.coerce.bigint(),
});

export const customerSnapshot: SnapshotShape<CustomerState> = {
  version: 1,
  encode: (state) =>
    state.status === 'UNKNOWN' ? { ...state } : { ...state, creditLimit: state.creditLimit.toString() },
  decode: (data) => z.union([registered, unknown]).parse(data),
};
