import { z } from 'zod';
import type { SnapshotShape } from '../../../platform/event-log/aggregate.js';
import { minorUnitsOf } from '../money.js';
import type { AccountEvent } from './events.js';

/** UNKNOWN is an account that nobody has created. */
export type AccountState =
  | { readonly status: 'UNKNOWN' }
  | {
      readonly status: 'ACTIVE' | 'CLOSED';
      readonly ownerId: string;
      readonly currency: string;
      /** In minor units; never below zero. */
      readonly balance: bigint;
    };

export const unknownAccount: AccountState = { status: 'UNKNOWN' };

export function evolve(state: AccountState, event: AccountEvent): AccountState {
  if (event.type === 'AccountCreated') {
    const { ownerId, currency } = event.data;
    return { status: 'ACTIVE', ownerId, currency, balance: 0n };
  }
  if (state.status === 'UNKNOWN') throw new Error(`${event.type} before AccountCreated`);
  switch (event.type) {
    case 'MoneyDeposited':
      return { ...state, balance: state.balance + minorUnitsOf(event.data.amount, state.currency) };
    case 'MoneyWithdrawn':
      return { ...state, balance: state.balance - minorUnitsOf(event.data.amount, state.currency) };
    case 'AccountClosed':
      return { ...state, status: 'CLOSED' };
    default:
      return event satisfies never;
  }
}

const unknown = z.object({ status: z.literal('UNKNOWN') });
const known = z.object({
  status: z.enum(['ACTIVE', 'CLOSED']),
  ownerId: z.string(),
  currency: z.string(),
  balance: z.coerce.bigint(),
});

export const accountSnapshot: SnapshotShape<AccountState> = {
  version: 1,
  encode: (state) =>
    state.status === 'UNKNOWN' ? { ...state } : { ...state, balance: state.balance.toString() },
  decode: (data) => z.union([known, unknown]).parse(data),
};
