import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Actor } from '../command.js';
import { formatAmount, isCurrency, isHoldable, parseAmount } from '../money.js';
import type { AccountEvent } from './events.js';
import type { AccountState } from './state.js';

export interface CreateAccount {
  readonly kind: 'createAccount';
  readonly actor: Actor;
  readonly accountId: string;
  readonly ownerId: string;
  readonly currency: string;
}

export interface MoveMoney {
  readonly kind: 'deposit' | 'withdraw';
  readonly actor: Actor;
  /** A plain decimal. */
  readonly amount: string;
  /** Null: the account's own. */
  readonly currency: string | null;
  readonly description: string | null;
}

export interface CloseAccount {
  readonly kind: 'closeAccount';
  readonly actor: Actor;
}

export type AccountCommand = CreateAccount | MoveMoney | CloseAccount;

type OpenAccount = Exclude<AccountState, { status: 'UNKNOWN' }>;
type Decision = Result<readonly AccountEvent[]>;
const AMOUNT = ['input', 'amount'];
const CURRENCY = ['input', 'currency'];

export function decide(command: AccountCommand, state: AccountState): Decision {
  switch (command.kind) {
    case 'createAccount':
      return createAccount(command, state);
    case 'deposit':
      return deposit(command, state);
    case 'withdraw':
      return withdraw(command, state);
    case 'closeAccount':
      return closeAccount(command, state);
    default:
      return command satisfies never;
  }
}

function createAccount(
  { actor, accountId, ownerId, currency }: CreateAccount,
  state: AccountState,
): Decision {
  if (ownerId !== actor.userId && !actor.isAdmin) {
    return refused('FORBIDDEN', 'Only an admin may create an account for another user', ['input', 'ownerId']);
  }
  if (!isCurrency(currency)) return unknownCurrency(currency);
  if (state.status !== 'UNKNOWN')
    return refused('ACCOUNT_EXISTS', 'This account id is taken', ['input', 'accountId']);
  return ok([{ type: 'AccountCreated', data: { accountId, ownerId, currency, version: 1 } }]);
}

function deposit(command: MoveMoney, state: AccountState): Decision {
  const account = openAccount(command.actor, state);
  if (!account.ok) return account;
  const amount = readAmount(command, account.value);
  if (!amount.ok) return amount;
  if (!isHoldable(account.value.balance + amount.value)) {
    return refused('AMOUNT_TOO_LARGE', 'The balance would become too large', AMOUNT);
  }
  return ok([{ type: 'MoneyDeposited', data: movement(command, amount.value, account.value) }]);
}

function withdraw(command: MoveMoney, state: AccountState): Decision {
  const account = openAccount(command.actor, state);
  if (!account.ok) return account;
  const amount = readAmount(command, account.value);
  if (!amount.ok) return amount;
  if (amount.value > account.value.balance) {
    return refused('INSUFFICIENT_FUNDS', 'The balance is lower than the amount', AMOUNT);
  }
  return ok([{ type: 'MoneyWithdrawn', data: movement(command, amount.value, account.value) }]);
}

function closeAccount({ actor }: CloseAccount, state: AccountState): Decision {
  const account = openAccount(actor, state);
  return account.ok ? ok([{ type: 'AccountClosed', data: { version: 1 } }]) : account;
}

/** The account if it exists, is the actor's to command, and is not closed. */
function openAccount(actor: Actor, state: AccountState): Result<OpenAccount> {
  const path = ['input', 'accountId'];
  if (state.status === 'UNKNOWN') return refused('ACCOUNT_NOT_FOUND', 'There is no such account', path);
  if (state.ownerId !== actor.userId && !actor.isAdmin) {
    return refused('FORBIDDEN', 'This account belongs to another user', path);
  }
  if (state.status === 'CLOSED') return refused('ACCOUNT_CLOSED', 'This account is closed', path);
  return ok(state);
}

function readAmount({ amount, currency }: MoveMoney, account: OpenAccount): Result<bigint> {
  if (currency !== null && !isCurrency(currency)) return unknownCurrency(currency);
  if (currency !== null && currency !== account.currency) {
    return refused('CURRENCY_MISMATCH', `This account is in ${account.currency}`, CURRENCY);
  }
  return parseAmount(amount, account.currency, AMOUNT);
}

const movement = ({ description }: MoveMoney, minor: bigint, { currency }: OpenAccount) => ({
  amount: formatAmount(minor, currency),
  currency,
  description,
  transferId: null,
  version: 1 as const,
});

const unknownCurrency = (code: string): Result<never> =>
  refused('CURRENCY_UNKNOWN', `${code.slice(0, 16)} is not an ISO 4217 currency code`, CURRENCY);
