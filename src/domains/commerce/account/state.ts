import type { AccountEvent } from './events.js';
import { minorUnitsOf } from './money.js';

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
