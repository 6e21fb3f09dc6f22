import { accountAggregate } from '../../src/domains/commerce/account/aggregate.js';
import { accountStream } from '../../src/domains/commerce/account/events.js';
import { type Accepted, type Commerce, createCommerce } from '../../src/domains/commerce/index.js';
import { formatAmount } from '../../src/domains/commerce/money.js';
import { transferStream } from '../../src/domains/commerce/transfer/events.js';
import { transferOutbox } from '../../src/domains/commerce/transfer/pending.js';
import { systemClock } from '../../src/platform/clock.js';
import type { Result } from '../../src/platform/errors.js';
import { load } from '../../src/platform/event-log/aggregate.js';
import type { EventLog } from '../../src/platform/event-log/index.js';
import { keysOf } from '../support/outbox.js';
import { type CommerceOnTest, callerNamed, ids } from './with-commerce.js';

export const alice = callerNamed('alice');
export const bob = callerNamed('bob');
export const root = callerNamed('root', 'admin');

export const codesOf = (result: Result<unknown>): string[] =>
  result.ok ? [] : result.errors.map(({ code, path }) => [code, ...(path ?? [])].join(' '));
export const acceptedOf = (result: Result<Accepted>): Accepted => {
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value;
};

/** What the tests do with accounts and transfers, and what they look at: the log, never a read model. */
export function onTransfers(on: CommerceOnTest) {
  return {
    async newAccount(amount?: string, owner = alice, currency = 'USD'): Promise<string> {
      const { aggregateId } = acceptedOf(await on.commerce.createAccount(owner, { currency }));
      if (amount) acceptedOf(await on.commerce.deposit(owner, { accountId: aggregateId, amount }));
      return aggregateId;
    },
    async start(fromAccountId: string, toAccountId: string, amount: string): Promise<string> {
      const input = { fromAccountId, toAccountId, amount };
      return acceptedOf(await on.commerce.transferMoney(alice, input)).aggregateId;
    },
    async balanceOf(accountId: string): Promise<string> {
      const { state } = await load(on.log, accountAggregate, accountStream(accountId));
      if (state.status === 'UNKNOWN') throw new Error('it was created');
      return formatAmount(state.balance, state.currency);
    },
    /** Empties an account, then closes it. */
    async close(accountId: string): Promise<void> {
      const { state } = await load(on.log, accountAggregate, accountStream(accountId));
      if (state.status !== 'UNKNOWN' && state.balance > 0n) {
        const amount = formatAmount(state.balance, state.currency);
        acceptedOf(await on.commerce.withdraw(root, { accountId, amount }));
      }
      acceptedOf(await on.commerce.closeAccount(root, { accountId }));
    },
    /** The types of what happened to a transfer, in order. */
    async storyOf(transferId: string): Promise<string[]> {
      const events = await on.log.readStream(transferStream(transferId));
      return events.map(({ type }) => type.replace('Transfer', ''));
    },
    pending: () => keysOf(on.postgres, transferOutbox),
  };
}

/** Commerce in which something else happens between a decision and its append: the `at`-th one, or every one. */
export function overtakenCommerce(
  on: CommerceOnTest,
  at: number | 'always',
  overtake: () => Promise<unknown>,
): Commerce {
  let appends = 0;
  const log: EventLog = {
    ...on.log,
    async append(command) {
      appends += 1;
      if (at === 'always' || appends === at) await overtake();
      return on.log.append(command);
    },
  };
  return createCommerce({ postgres: on.postgres, log, ids, clock: systemClock });
}

/** A worker that dies at its `at`-th append: just before it reaches the log, or just after. */
export function dyingCommerce(on: CommerceOnTest, at: number, when: 'before' | 'after'): Commerce {
  let appends = 0;
  const log: EventLog = {
    ...on.log,
    async append(command) {
      appends += 1;
      if (appends < at) return on.log.append(command);
      if (appends === at && when === 'after') await on.log.append(command);
      throw new Error('killed');
    },
  };
  return createCommerce({ postgres: on.postgres, log, ids, clock: systemClock });
}
