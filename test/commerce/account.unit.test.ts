import { describe, expect, it } from 'vitest';
import { type AccountCommand, decide } from '../../src/domains/commerce/account/decide.js';
import type { AccountEvent } from '../../src/domains/commerce/account/events.js';
import { evolve, unknownAccount } from '../../src/domains/commerce/account/state.js';
import type { Actor } from '../../src/domains/commerce/command.js';

const alice: Actor = { userId: 'alice', isAdmin: false };
const bob: Actor = { userId: 'bob', isAdmin: false };
const admin: Actor = { userId: 'root', isAdmin: true };

const created = (currency = 'USD'): AccountEvent => ({
  type: 'AccountCreated',
  data: { accountId: 'a1', ownerId: 'alice', currency, version: 1 },
});
const deposited = (amount: string, currency = 'USD'): AccountEvent => ({
  type: 'MoneyDeposited',
  data: { amount, currency, description: null, transferId: null, version: 1 },
});
const withdrawn = (amount: string): AccountEvent => ({
  type: 'MoneyWithdrawn',
  data: { amount, currency: 'USD', description: null, transferId: null, version: 1 },
});
const closed: AccountEvent = { type: 'AccountClosed', data: { version: 1 } };

const create = (change: object = {}): AccountCommand => ({
  kind: 'createAccount',
  actor: alice,
  accountId: 'a1',
  ownerId: 'alice',
  currency: 'USD',
  ...change,
});
const move = (kind: 'deposit' | 'withdraw', amount: string, change: object = {}): AccountCommand => ({
  kind,
  actor: alice,
  amount,
  currency: null,
  description: null,
  ...change,
});

/** What a command on an account with this history does: its events, or `CODE at.its.path`. */
function given(...history: AccountEvent[]) {
  const state = history.reduce(evolve, unknownAccount);
  return {
    when(command: AccountCommand): readonly AccountEvent[] | string {
      const decision = decide(command, state);
      if (decision.ok) return decision.value;
      return `${decision.errors[0]?.code} ${decision.errors[0]?.path?.join('.')}`;
    },
  };
}

describe('createAccount', () => {
  it('opens an account in its owner’s currency, with schema version 1', () => {
    expect(given().when(create())).toEqual([created()]);
  });
  it('lets an admin open one for somebody else, and nobody else', () => {
    expect(given().when(create({ actor: admin }))).toEqual([created()]);
    expect(given().when(create({ actor: bob }))).toBe('FORBIDDEN input.ownerId');
  });
  it('refuses an id that is taken, also by a closed account', () => {
    expect(given(created()).when(create())).toBe('ACCOUNT_EXISTS input.accountId');
    expect(given(created(), closed).when(create())).toBe('ACCOUNT_EXISTS input.accountId');
  });
  it.each(['usd', 'ZZZ', '', 'DOLLARS', 'XXX', 'XTS', 'XAU', 'DEM'])(
    'refuses %o, which is no currency',
    (currency) => {
      expect(given().when(create({ currency }))).toBe('CURRENCY_UNKNOWN input.currency');
    },
  );
});

describe('deposit', () => {
  it('records the amount with all digits of the currency', () => {
    expect(given(created()).when(move('deposit', '12.5'))).toEqual([deposited('12.50')]);
    expect(given(created('JPY')).when(move('deposit', '12.0'))).toEqual([deposited('12', 'JPY')]);
    expect(given(created('KWD')).when(move('deposit', '0.001'))).toEqual([deposited('0.001', 'KWD')]);
  });
  it.each([
    ['0', 'AMOUNT_NOT_POSITIVE'],
    ['0.00', 'AMOUNT_NOT_POSITIVE'],
    ['-5', 'AMOUNT_NOT_POSITIVE'],
    ['-0.001', 'AMOUNT_NOT_POSITIVE'],
    ['', 'AMOUNT_INVALID'],
    ['-', 'AMOUNT_INVALID'],
    ['.', 'AMOUNT_INVALID'],
    ['1.', 'AMOUNT_INVALID'],
    ['.5', 'AMOUNT_INVALID'],
    ['+1', 'AMOUNT_INVALID'],
    ['1e3', 'AMOUNT_INVALID'],
    ['x', 'AMOUNT_INVALID'],
    ['1\n', 'AMOUNT_INVALID'],
    ['0.001', 'AMOUNT_TOO_PRECISE'],
    ['90071992547409.92', 'AMOUNT_TOO_LARGE'],
    ['9'.repeat(40), 'AMOUNT_TOO_LARGE'],
  ])('refuses %o with %s', (amount, code) => {
    expect(given(created()).when(move('deposit', amount))).toBe(`${code} input.amount`);
  });
  it('refuses what would carry the balance beyond what is kept exactly', () => {
    expect(given(created(), deposited('90071992547409.91')).when(move('deposit', '0.01'))).toBe(
      'AMOUNT_TOO_LARGE input.amount',
    );
  });
  it('refuses another currency than the account’s', () => {
    expect(given(created()).when(move('deposit', '1', { currency: 'EUR' }))).toBe(
      'CURRENCY_MISMATCH input.currency',
    );
    expect(given(created()).when(move('deposit', '1', { currency: 'E' }))).toBe(
      'CURRENCY_UNKNOWN input.currency',
    );
  });
  it('refuses an account that is unknown, another’s or closed', () => {
    expect(given().when(move('deposit', '1'))).toBe('ACCOUNT_NOT_FOUND input.accountId');
    expect(given(created()).when(move('deposit', '1', { actor: bob }))).toBe(
      'ACCOUNT_NOT_FOUND input.accountId',
    );
    expect(given(created(), closed).when(move('deposit', '1'))).toBe('ACCOUNT_CLOSED input.accountId');
  });
});

describe('withdraw', () => {
  it('takes the last cent, and not one more', () => {
    const account = given(created(), deposited('10.00'), withdrawn('9.99'));
    expect(account.when(move('withdraw', '0.01'))).toEqual([withdrawn('0.01')]);
    expect(account.when(move('withdraw', '0.02'))).toBe('INSUFFICIENT_FUNDS input.amount');
  });
  it('says nothing of a stranger’s funds', () => {
    expect(given(created()).when(move('withdraw', '1', { actor: bob }))).toBe(
      'ACCOUNT_NOT_FOUND input.accountId',
    );
  });
  it('lets an admin act for the owner', () => {
    expect(given(created(), deposited('10.00')).when(move('withdraw', '10', { actor: admin }))).toEqual([
      withdrawn('10.00'),
    ]);
  });
});

describe('closeAccount', () => {
  it('refuses while there is money in the account, and says how much', () => {
    const holding = given(created(), deposited('12.5'));
    expect(holding.when({ kind: 'closeAccount', actor: alice })).toBe('ACCOUNT_NOT_EMPTY input.accountId');
  });

  it('closes once, for the owner', () => {
    expect(given(created()).when({ kind: 'closeAccount', actor: alice })).toEqual([closed]);
    expect(given(created()).when({ kind: 'closeAccount', actor: bob })).toBe(
      'ACCOUNT_NOT_FOUND input.accountId',
    );
    expect(given(created(), closed).when({ kind: 'closeAccount', actor: alice })).toBe(
      'ACCOUNT_CLOSED input.accountId',
    );
  });
});
