import { describe, expect, it } from 'vitest';
import type { AccountEvent } from '../../src/domains/commerce/account/events.js';
import { evolve as evolveAccount, unknownAccount } from '../../src/domains/commerce/account/state.js';
import { startTransfer } from '../../src/domains/commerce/transfer/decide.js';
import type { TransferEvent } from '../../src/domains/commerce/transfer/events.js';
import {
  evolve as evolveTransfer,
  type StartedTransfer,
  unknownTransfer,
} from '../../src/domains/commerce/transfer/state.js';
import { decideStep, nextStep, type Step } from '../../src/domains/commerce/transfer/steps.js';
import type { Result } from '../../src/platform/errors.js';

const created = (ownerId: string, currency = 'USD'): AccountEvent => ({
  type: 'AccountCreated',
  data: { accountId: 'any', ownerId, currency, version: 1 },
});
const moved = (
  type: 'MoneyDeposited' | 'MoneyWithdrawn',
  amount: string,
  description: string | null = null,
  transferId: string | null = null,
): AccountEvent => ({ type, data: { amount, currency: 'USD', description, transferId, version: 1 } });
const closed: AccountEvent = { type: 'AccountClosed', data: { version: 1 } };
const MOST = '90071992547409.91';

const account = (...history: AccountEvent[]) => history.reduce(evolveAccount, unknownAccount);
const alices = (balance = '10.00', ...more: AccountEvent[]) =>
  account(created('alice'), moved('MoneyDeposited', balance), ...more);
const bobs = (...more: AccountEvent[]) => account(created('bob'), ...more);

const facts = {
  transferId: 't1',
  fromAccountId: 'a',
  toAccountId: 'b',
  ownerId: 'alice',
  amount: '2.50',
  currency: 'USD',
  description: null,
  version: 1 as const,
};
const started: TransferEvent = { type: 'TransferStarted', data: facts };
const debited: TransferEvent = { type: 'TransferDebited', data: facts };
const completed: TransferEvent = { type: 'TransferCompleted', data: facts };
const ended = (type: 'TransferRefused' | 'TransferCompensated', reason: string): TransferEvent => ({
  type,
  data: { ...facts, reason },
});
const transfer = (...history: TransferEvent[]) =>
  history.reduce(evolveTransfer, unknownTransfer) as StartedTransfer;

/** What was decided, or `CODE at.its.path`. */
const outcomeOf = <T>(result: Result<T>): T | string =>
  result.ok ? result.value : `${result.errors[0]?.code} ${result.errors[0]?.path?.join('.') ?? ''}`.trim();

describe('a transfer that is asked for', () => {
  const ask = (source = alices(), target = bobs(), change: object = {}) =>
    outcomeOf(
      startTransfer(
        {
          actor: { userId: 'alice', isAdmin: false },
          transferId: 't1',
          fromAccountId: 'a',
          toAccountId: 'b',
          amount: '2.5',
          description: null,
          ...change,
        },
        source,
        target,
      ),
    );

  it('starts with all digits of the currency, to anybody’s account', () => {
    expect(ask()).toEqual(started);
  });
  it('may take the last cent, and not one more', () => {
    expect(ask(alices('2.50'))).toEqual(started);
    expect(ask(alices('2.49'))).toBe('INSUFFICIENT_FUNDS input.amount');
  });
  it('is the source’s owner’s or an admin’s to ask for; it stays the owner’s', () => {
    const [bob, root] = [
      { userId: 'bob', isAdmin: false },
      { userId: 'root', isAdmin: true },
    ];
    expect(ask(alices(), bobs(), { actor: bob })).toBe('ACCOUNT_NOT_FOUND input.fromAccountId');
    expect(ask(alices(), bobs(), { actor: root })).toEqual(started);
  });
  it('is refused to the account that it comes from', () => {
    expect(ask(alices(), bobs(), { toAccountId: 'a' })).toBe('TRANSFER_TO_SELF input.toAccountId');
  });
  it('is refused where an account is unknown or closed, by its name in the input', () => {
    expect(ask(unknownAccount)).toBe('ACCOUNT_NOT_FOUND input.fromAccountId');
    expect(ask(alices(), unknownAccount)).toBe('ACCOUNT_NOT_FOUND input.toAccountId');
    expect(ask(alices('10.00', closed))).toBe('ACCOUNT_CLOSED input.fromAccountId');
    expect(ask(alices(), bobs(closed))).toBe('ACCOUNT_CLOSED input.toAccountId');
  });
  it('is refused between currencies', () => {
    expect(ask(alices(), account(created('bob', 'EUR')))).toBe('CURRENCY_MISMATCH input.toAccountId');
  });
  it.each([
    ['0', 'AMOUNT_NOT_POSITIVE'],
    ['-1', 'AMOUNT_NOT_POSITIVE'],
    ['0.001', 'AMOUNT_TOO_PRECISE'],
    ['90071992547409.92', 'AMOUNT_TOO_LARGE'],
    ['1e3', 'AMOUNT_INVALID'],
  ])('is refused of %s with %s', (amount, code) => {
    expect(ask(alices(), bobs(), { amount })).toBe(`${code} input.amount`);
  });
  it('does not show the balance of the target: whether it starts does not depend on it', () => {
    const full = bobs(moved('MoneyDeposited', MOST));
    expect(ask(alices('2.50'), full)).toEqual(started);
    expect(ask(alices('1.00'), full)).toBe('INSUFFICIENT_FUNDS input.amount');
    expect(ask(alices('1.00'), bobs())).toBe('INSUFFICIENT_FUNDS input.amount');
  });
});

describe('what comes next', () => {
  it('is the debit, then the credit, then nothing', () => {
    expect(nextStep(transfer(started), bobs())).toEqual({ kind: 'debit', accountId: 'a' });
    expect(nextStep(transfer(started, debited), bobs())).toEqual({ kind: 'credit', accountId: 'b' });
    expect(nextStep(transfer(started, debited, completed), bobs())).toBeNull();
  });
  it('is the way back where the target cannot take the money any more', () => {
    const back = (reason: string) => ({ kind: 'compensate', accountId: 'a', reason });
    expect(nextStep(transfer(started, debited), bobs(closed))).toEqual(back('ACCOUNT_CLOSED'));
    expect(nextStep(transfer(started, debited), bobs(moved('MoneyDeposited', MOST)))).toEqual(
      back('AMOUNT_TOO_LARGE'),
    );
  });
  it('is nothing after a refusal or the way back, whatever the target became', () => {
    for (const target of [bobs(), bobs(closed)]) {
      expect(nextStep(transfer(started, ended('TransferRefused', 'X')), target)).toBeNull();
      expect(nextStep(transfer(started, debited, ended('TransferCompensated', 'X')), target)).toBeNull();
    }
  });
});

describe('a step', () => {
  const debit: Step = { kind: 'debit', accountId: 'a' };
  const credit: Step = { kind: 'credit', accountId: 'b' };
  const compensate: Step = { kind: 'compensate', accountId: 'a', reason: 'ACCOUNT_CLOSED' };
  const take = (step: Step, history: TransferEvent[], on: ReturnType<typeof account>) =>
    outcomeOf(decideStep(step, transfer(...history), on));

  it('takes the money from the source and says so on both sides', () => {
    expect(take(debit, [started], alices())).toEqual({
      account: [moved('MoneyWithdrawn', '2.50', 'Transfer to b', 't1')],
      transfer: debited,
    });
  });
  it('that the source cannot pay by now ends the transfer and moves nothing', () => {
    const refusal = (reason: string) => ({ account: [], transfer: ended('TransferRefused', reason) });
    expect(take(debit, [started], alices('2.49'))).toEqual(refusal('INSUFFICIENT_FUNDS'));
    expect(take(debit, [started], alices('10.00', closed))).toEqual(refusal('ACCOUNT_CLOSED'));
  });
  it('gives the money to the target', () => {
    expect(take(credit, [started, debited], bobs())).toEqual({
      account: [moved('MoneyDeposited', '2.50', 'Transfer from a', 't1')],
      transfer: completed,
    });
  });
  it('gives the money back, even to an account that could not take a deposit', () => {
    const back = {
      account: [moved('MoneyDeposited', '2.50', 'Transfer to b returned', 't1')],
      transfer: ended('TransferCompensated', 'ACCOUNT_CLOSED'),
    };
    expect(take(compensate, [started, debited], alices())).toEqual(back);
    expect(take(compensate, [started, debited], alices(MOST))).toEqual(back);
  });
  it('has the description that the sender of the transfer gave', () => {
    const rent = transfer({ ...started, data: { ...facts, description: 'rent' } } as TransferEvent);
    expect(decideStep(debit, rent, alices())).toMatchObject({
      value: { account: [moved('MoneyWithdrawn', '2.50', 'rent', 't1')] },
    });
  });
  it('is not due before its time, nor twice, nor where its account refuses it', () => {
    expect(take(credit, [started], bobs())).toBe('STEP_NOT_DUE');
    expect(take(compensate, [started], alices())).toBe('STEP_NOT_DUE');
    expect(take(debit, [started, debited], alices())).toBe('STEP_NOT_DUE');
    expect(take(credit, [started, debited, completed], bobs())).toBe('STEP_NOT_DUE');
    expect(take(compensate, [started, debited, completed], alices())).toBe('STEP_NOT_DUE');
    expect(take(credit, [started, debited], bobs(closed))).toBe('STEP_NOT_DUE');
  });
});
