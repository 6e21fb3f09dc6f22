import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountAggregate } from '../../src/domains/commerce/account/aggregate.js';
import { accountStream } from '../../src/domains/commerce/account/events.js';
import type { Accepted } from '../../src/domains/commerce/index.js';
import type { Result } from '../../src/platform/errors.js';
import { ATTEMPTS, executeOn } from '../../src/platform/event-log/execute.js';
import { createKeptStates } from '../../src/platform/event-log/kept-states.js';
import { encodeCursor } from '../../src/platform/paging.js';
import type { Projector } from '../../src/platform/projector/projector.js';
import { createCommerceReadModels } from '../../src/projectors/commerce/index.js';
import { LoopbackHub } from './loopback-hub.js';
import {
  type CommerceOnTest,
  callerNamed,
  ids,
  joinCommerce,
  openCommerce,
  startProjector,
} from './with-commerce.js';

const alice = callerNamed('alice');
const bob = callerNamed('bob');
const root = callerNamed('root', 'admin');
let on: CommerceOnTest;
let elsewhere: CommerceOnTest;

beforeAll(async () => {
  on = await openCommerce();
  elsewhere = joinCommerce(on.url);
});
afterAll(async () => {
  await elsewhere.close();
  await on.close();
});

const codesOf = (result: Result<unknown>): string[] =>
  result.ok ? [] : result.errors.map(({ code, path }) => [code, ...(path ?? [])].join(' '));
const acceptedOf = (result: Result<Accepted>): Accepted => {
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value;
};
const newAccount = async (amount?: string): Promise<string> => {
  const { aggregateId } = acceptedOf(await on.commerce.createAccount(alice, { currency: 'USD' }));
  if (amount) acceptedOf(await on.commerce.deposit(alice, { accountId: aggregateId, amount }));
  return aggregateId;
};

describe('commands', () => {
  it('answer the stream’s version, from 0 on, and write who did it', async () => {
    const accountId = await newAccount();
    const deposited = acceptedOf(
      await on.commerce.deposit(alice, { accountId, amount: '5', description: 'rent' }),
    );
    expect(deposited).toMatchObject({ aggregateId: accountId, version: 1 });
    expect((await on.log.readStream(accountStream(accountId)))[1]).toMatchObject({
      type: 'MoneyDeposited',
      data: { amount: '5.00', currency: 'USD', description: 'rent' },
      metadata: { userId: 'alice', correlationId: 'story of alice' },
    });
  });

  it('from many writers in two processes lose nothing and take nothing twice', async () => {
    const accountId = await newAccount('10');
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        (n % 2 ? on : elsewhere).commerce.withdraw(alice, { accountId, amount: '1' }),
      ),
    );
    const accepted = results.filter(({ ok }) => ok).length;
    const events = await on.log.readStream(accountStream(accountId));
    expect(events.filter(({ type }) => type === 'MoneyWithdrawn')).toHaveLength(accepted);
    expect(accepted).toBeLessThanOrEqual(10);
    expect(new Set(results.flatMap(codesOf))).toSatisfy((codes: Set<string>) =>
      [...codes].every((code) => ['INSUFFICIENT_FUNDS input amount', 'CONFLICT'].includes(code)),
    );
  });

  it('of one process on one account never conflict with each other', async () => {
    const accountId = await newAccount();
    const results = await Promise.all(
      Array.from({ length: 64 }, () => on.commerce.deposit(alice, { accountId, amount: '0.01' })),
    );
    expect(results.flatMap(codesOf)).toEqual([]);
    expect(new Set(results.map((result) => acceptedOf(result).version)).size).toBe(64);
  });

  it('at another version than the expected one are refused at once', async () => {
    const accountId = await newAccount('1');
    const input = { accountId, amount: '1' };
    expect(codesOf(await on.commerce.deposit(alice, { ...input, expectedVersion: 0 }))).toEqual([
      'VERSION_CONFLICT input expectedVersion',
    ]);
    expect(acceptedOf(await on.commerce.deposit(alice, { ...input, expectedVersion: 1 })).version).toBe(2);
  });

  it('decide again when another writer was faster, and give up after a bounded number of times', async () => {
    const accountId = await newAccount();
    let loads = 0;
    const outrun = (times: number) => ({
      ...on.log,
      async readFromSnapshot(streamId: string, stateVersion: number) {
        const seen = await on.log.readFromSnapshot(streamId, stateVersion);
        loads += 1;
        if (loads <= times) acceptedOf(await elsewhere.commerce.deposit(alice, { accountId, amount: '1' }));
        return seen;
      },
    });
    const deposit = (times: number) => {
      loads = 0;
      const commandId = ids.next();
      return executeOn(
        { log: outrun(times), inTurn: (_, work) => work(), kept: createKeptStates(), random: () => 0 },
        accountAggregate,
        {
          streamId: accountStream(accountId),
          commandId,
          body: { commandId },
          value: {},
          metadata: { correlationId: 'c', causationId: 'c' },
          command: {
            kind: 'deposit',
            actor: { userId: 'alice', isAdmin: false },
            amount: '1',
            currency: null,
            description: null,
          },
        },
      );
    };
    expect(await deposit(ATTEMPTS - 1)).toMatchObject({ ok: true, value: { version: ATTEMPTS } });
    expect(loads).toBe(ATTEMPTS);
    expect(codesOf(await deposit(ATTEMPTS))).toEqual(['CONFLICT']);
    expect(loads).toBe(ATTEMPTS);
  });

  it('name every wrong id at once and append nothing', async () => {
    const head = await on.log.head();
    const wrong = { accountId: 'a'.repeat(201), ownerId: '', commandId: 'c d', currency: 'USD' };
    expect(codesOf(await on.commerce.createAccount(alice, wrong))).toEqual([
      'ID_INVALID input accountId',
      'ID_INVALID input commandId',
      'ID_INVALID input ownerId',
    ]);
    const nul = { accountId: 'a', amount: '1', description: 'a\0b' };
    expect(codesOf(await on.commerce.deposit(alice, nul))).toEqual(['DESCRIPTION_INVALID input description']);
    expect(codesOf(await on.commerce.deposit(alice, { accountId: 'nobody', amount: '1' }))).toEqual([
      'ACCOUNT_NOT_FOUND input accountId',
    ]);
    expect(await on.log.head()).toBe(head);
  });
});

describe('a commandId', () => {
  it('stands for the same command in whichever spelling its amount comes', async () => {
    const accountId = acceptedOf(await on.commerce.createAccount(alice, { currency: 'USD' })).aggregateId;
    const commandId = ids.next();
    const deposit = (amount: string) => on.commerce.deposit(alice, { accountId, amount, commandId });
    const first = await deposit('1.50');
    for (const amount of ['1.5', '1.500', '01.5']) expect(await deposit(amount)).toEqual(first);
    expect(codesOf(await deposit('1.51'))).toEqual(['COMMAND_ID_REUSED input commandId']);
  });

  it('sent again answers the first result, also where the command would be refused by now', async () => {
    const accountId = await newAccount('10');
    const input = { accountId, amount: '10', commandId: 'all', expectedVersion: 1 };
    const first = await on.commerce.withdraw(alice, input);
    expect(first.ok).toBe(true);
    expect(await elsewhere.commerce.withdraw(alice, input)).toEqual(first);
    acceptedOf(await on.commerce.closeAccount(alice, { accountId }));
    expect(await on.commerce.withdraw(alice, input)).toEqual(first);
    expect(codesOf(await on.commerce.withdraw(alice, { ...input, amount: '9' }))).toEqual([
      'COMMAND_ID_REUSED input commandId',
    ]);
  });

  it('of a created account answers the id that was made up first', async () => {
    const input = { currency: 'USD', commandId: ids.next() };
    const first = await on.commerce.createAccount(alice, input);
    expect(await elsewhere.commerce.createAccount(alice, input)).toEqual(first);
    const named = { ...input, accountId: ids.next(), commandId: ids.next() };
    const created = await on.commerce.createAccount(alice, named);
    expect(await on.commerce.createAccount(alice, named)).toEqual(created);
  });

  it('of one user says nothing to another', async () => {
    const [accountId, commandId] = [await newAccount(), ids.next()];
    acceptedOf(await on.commerce.deposit(alice, { accountId, amount: '1', commandId }));
    acceptedOf(await on.commerce.deposit(root, { accountId, amount: '1', commandId }));
    expect(codesOf(await on.commerce.deposit(bob, { accountId, amount: '1', commandId }))).toEqual([
      'ACCOUNT_NOT_FOUND input accountId',
    ]);
  });
});

describe('reading', () => {
  const ear = new LoopbackHub();
  const [summary] = createCommerceReadModels({ wakeUps: ear }) as [Projector];
  const waitFor = (afterVersion: number, signal = new AbortController().signal, now = () => Date.now()) => ({
    afterVersion,
    hub: ear,
    clock: { now },
    signal,
  });

  it('after a version waits until the projector has it, woken by it', async () => {
    const accountId = await newAccount('7.25');
    const read = on.commerce.account(alice, accountId, waitFor(1));
    const runner = startProjector(on, summary);
    expect(await read).toMatchObject({
      accountId,
      ownerId: 'alice',
      status: 'ACTIVE',
      balance: '7.25',
      currency: 'USD',
      version: 1,
      recentTransactions: [{ desc: 'Deposit', amount: '7.25' }],
    });
    const { version } = acceptedOf(await on.commerce.withdraw(alice, { accountId, amount: '0.25' }));
    const account = await on.commerce.account(alice, accountId, waitFor(version));
    expect(account?.recentTransactions.map(({ amount }) => amount)).toEqual(['-0.25', '7.25']);
    await runner.stop();
    expect(ear.topics).toContain(`account:${accountId}`);
    expect(ear.listening).toBe(0);
  });

  it('gives up after 5000 ms of a version that does not come', async () => {
    const times = [0, 4_999, 5_000];
    const wait = waitFor(9, undefined, () => times.shift() ?? 5_000);
    await expect(on.commerce.account(alice, 'never', wait)).rejects.toMatchObject({
      code: 'READ_MODEL_TIMEOUT',
      message: 'Read model consistency timeout',
    });
    expect(ear.listening).toBe(0);
  });

  it('stops waiting when the client goes away', async () => {
    const client = new AbortController();
    const read = on.commerce.account(alice, 'never', waitFor(9, client.signal));
    client.abort();
    await expect(read).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(ear.listening).toBe(0);
  });

  it('stops waiting when the server goes down', async () => {
    const closed = { listen: async () => ({ next: async () => null, close: () => undefined }) };
    const read = on.commerce.account(alice, 'never', { ...waitFor(9), hub: closed });
    await expect(read).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('is for the owner and admins; an unknown account is null', async () => {
    const accountId = await newAccount();
    const runner = startProjector(on, summary);
    expect(await on.commerce.account(root, accountId, waitFor(0))).toMatchObject({ accountId });
    await runner.stop();
    expect(await on.commerce.account(bob, accountId)).toBeNull();
    expect(await on.commerce.account(bob, 'unknown')).toBeNull();
    expect(await on.commerce.account(bob, '\0')).toBeNull();
  });

  it('lists the caller’s own accounts in pages, both ways, and all of them to admins', async () => {
    const carol = callerNamed('carol');
    for (const accountId of ['c1', 'c2', 'c3']) {
      acceptedOf(await on.commerce.createAccount(carol, { accountId, currency: 'USD' }));
    }
    const runner = startProjector(on, summary);
    await on.commerce.account(carol, 'c3', waitFor(0));
    await runner.stop();
    const idsOf = ({ edges }: Awaited<ReturnType<typeof on.commerce.accounts>>) =>
      edges.map(({ node }) => node.accountId);
    const first = await on.commerce.accounts(carol, { first: 2 });
    expect(idsOf(first)).toEqual(['c1', 'c2']);
    expect(first.pageInfo.hasNextPage).toBe(true);
    const rest = await on.commerce.accounts(carol, { after: first.pageInfo.endCursor });
    expect(idsOf(rest)).toEqual(['c3']);
    expect(idsOf(await on.commerce.accounts(carol, { last: 2 }))).toEqual(['c2', 'c3']);
    expect(idsOf(await on.commerce.accounts(bob, {}))).toEqual([]);
    // Others' accounts of this database are before and behind them.
    expect(idsOf(await on.commerce.accounts(root, { first: 100 }))).toEqual(
      expect.arrayContaining(['c1', 'c2', 'c3']),
    );
    expect(idsOf(await on.commerce.accounts(root, { last: 100 }))).toEqual(
      expect.arrayContaining(['c1', 'c2', 'c3']),
    );
    for (const after of ['nonsense', encodeCursor('a\0')]) {
      await expect(on.commerce.accounts(carol, { after })).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    }
  });
});
