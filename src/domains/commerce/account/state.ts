import { z } from 'zod';
import { minorUnitsOf } from '../money.js';
import { snapshotShape } from '../snapshot-shape.js';
import type { AccountEvent } from './events.js';

const accountState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('UNKNOWN') }),
  z.object({
    status: z.enum(['ACTIVE', 'CLOSED']),
    ownerId: z.string(),
    currency: z.string(),
    /** In minor units; never below zero. */
    balance: z.coerce.bigint(),
  }),
]);

/** UNKNOWN is an account that nobody has created. */
export type AccountState = Readonly<z.infer<typeof accountState>>;
export const accountSnapshot = snapshotShape<AccountState>(1, accountState);

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
