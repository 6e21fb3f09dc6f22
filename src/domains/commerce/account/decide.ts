import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Actor } from '../command.js';
import { formatAmount, isCurrency, isHoldable, minorUnitsOf, parseAmount } from '../money.js';
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
  /** Null: nobody in person, but a transfer that its owner began. */
  readonly actor: Actor | null;
  /** A plain decimal. */
  readonly amount: string;
  /** Null: the account's own. */
  readonly currency: string | null;
  readonly description: string | null;
  /** The transfer that moves it, where one does. */
  readonly transferId?: string;
}

/** Gives back what a transfer took from this account and could not deliver. */
export interface ReturnMoney {
  readonly kind: 'returnMoney';
  /** A plain decimal. */
  readonly amount: string;
  readonly description: string;
  readonly transferId: string;
}

export interface CloseAccount {
  readonly kind: 'closeAccount';
  readonly actor: Actor;
}

export type AccountCommand = CreateAccount | MoveMoney | ReturnMoney | CloseAccount;

type KnownAccount = Exclude<AccountState, { status: 'UNKNOWN' }>;
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
    case 'returnMoney':
      return returnMoney(command, state);
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

/**
 * Never refused, not even where the balance becomes larger than a deposit could make it: the money must be somewhere,
 * and an account cannot close while it may come back.
 */
function returnMoney(command: ReturnMoney, state: AccountState): Decision {
  if (state.status === 'UNKNOWN') throw new Error(`transfer ${command.transferId} came from no account`);
  const minor = minorUnitsOf(command.amount, state.currency);
  return ok([{ type: 'MoneyDeposited', data: movement(command, minor, state) }]);
}

function closeAccount({ actor }: CloseAccount, state: AccountState): Decision {
  const account = openAccount(actor, state);
  if (!account.ok) return account;
  const { balance, currency } = account.value;
  if (balance !== 0n) {
    const message = `This account holds ${formatAmount(balance, currency)} ${currency}: withdraw or transfer it first`;
    return refused('ACCOUNT_NOT_EMPTY', message, ['input', 'accountId']);
  }
  return ok([{ type: 'AccountClosed', data: { version: 1 } }]);
}

/** The account if it exists, is the actor's to command (null: anybody's), and is not closed. */
export function openAccount(actor: Actor | null, state: AccountState): Result<KnownAccount> {
  const path = ['input', 'accountId'];
  const isKnown = state.status !== 'UNKNOWN';
  // A stranger does not learn that there is one.
  if (!isKnown || (actor && state.ownerId !== actor.userId && !actor.isAdmin)) {
    return refused('ACCOUNT_NOT_FOUND', 'There is no such account', path);
  }
  if (state.status === 'CLOSED') return refused('ACCOUNT_CLOSED', 'This account is closed', path);
  return ok(state);
}

/** The amount in minor units, if it can be moved in the account's currency. */
export function readAmount(
  { amount, currency }: Pick<MoveMoney, 'amount' | 'currency'>,
  account: KnownAccount,
): Result<bigint> {
  if (currency !== null && !isCurrency(currency)) return unknownCurrency(currency);
  if (currency !== null && currency !== account.currency) {
    return refused('CURRENCY_MISMATCH', `This account is in ${account.currency}`, CURRENCY);
  }
  return parseAmount(amount, account.currency, AMOUNT);
}

const movement = (
  { description, transferId }: Pick<MoveMoney, 'description' | 'transferId'>,
  minor: bigint,
  { currency }: KnownAccount,
) => ({
  amount: formatAmount(minor, currency),
  currency,
  description,
  transferId: transferId ?? null,
  version: 1 as const,
});

const unknownCurrency = (code: string): Result<never> =>
  refused('CURRENCY_UNKNOWN', `${code.slice(0, 16)} is not an ISO 4217 currency code`, CURRENCY);
