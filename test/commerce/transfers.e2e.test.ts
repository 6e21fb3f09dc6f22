import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const open = graphql(`
  mutation OpenAccount($accountId: ID!) {
    createAccount(input: { accountId: $accountId }) { version userErrors { code } }
  }
`);
const payIn = graphql(`
  mutation PayIn($accountId: ID!, $amount: Decimal!) {
    deposit(input: { accountId: $accountId, amount: $amount }) { version userErrors { code } }
  }
`);
const transferMoney = graphql(`
  mutation TransferMoney($input: TransferMoneyInput!) {
    transferMoney(input: $input) { aggregateId version userErrors { code path } }
  }
`);
const transferOf = graphql(`
  query TransferOf($transferId: ID!, $afterVersion: Int) {
    transfer(transferId: $transferId, afterVersion: $afterVersion) {
      fromAccountId toAccountId amount description status reason version
    }
  }
`);
const accountUpdates = graphql(`
  subscription AccountUpdates($accountId: ID!, $after: String) {
    accountUpdated(accountId: $accountId, after: $after) {
      cursor
      account { balance version recentTransactions { desc amount } }
    }
  }
`);
const accountAt = graphql(`
  query AccountAt($accountId: ID!, $afterVersion: Int, $asOf: DateTime) {
    account(accountId: $accountId, afterVersion: $afterVersion, asOf: $asOf) { balance version }
  }
`);
const auditOf = graphql(`
  query AuditOf($accountId: ID!) {
    accountAudit(accountId: $accountId, first: 10) {
      edges { node { eventType amount performedBy transactionId createdAt streamPosition } }
      pageInfo { hasNextPage }
    }
  }
`);

let database: TestDatabase;
let redis: TestRedis;
let api: TestProcess;
let worker: TestProcess;
let payer: Client;
let payee: Client;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  [api, worker] = await Promise.all([startApi(at), startWorker(at)]);
  [payer, payee] = await Promise.all([signIn(api.url, 'payer'), signIn(api.url, 'payee')]);
  await payer.run(open, { accountId: 'from' });
  await payee.run(open, { accountId: 'to' });
  await payer.run(payIn, { accountId: 'from', amount: '100' });
  await payer.run(accountAt, { accountId: 'from', afterVersion: 1 });
  await payee.run(accountAt, { accountId: 'to', afterVersion: 0 });
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  await Promise.all([database?.drop(), redis?.stop()]);
});

/** How many subscriptions the api has begun. */
async function subscriptions(): Promise<number> {
  const metrics = await (await fetch(`${api.url}/metrics`)).text();
  const line =
    /^graphql_requests_total\{(?=[^}]*operation_type="subscription")(?=[^}]*outcome="ok").*\} (\d+)/m;
  return Number(line.exec(metrics)?.[1] ?? 0);
}

it('a transfer completes, and both sides hear of it live', async () => {
  const [fromLive, toLive] = [
    payer.subscribe(accountUpdates, { accountId: 'from' }),
    payee.subscribe(accountUpdates, { accountId: 'to' }),
  ];
  const [debitSeen, creditSeen] = [fromLive.next(), toLive.next()];
  await expect.poll(subscriptions, { timeout: 10_000 }).toBe(2);
  await payer.run(accountAt, { accountId: 'from' });

  const { transferMoney: accepted } = await payer.run(transferMoney, {
    input: { fromAccountId: 'from', toAccountId: 'to', amount: '30.25', description: 'rent' },
  });
  expect(accepted).toEqual({ aggregateId: expect.any(String), version: 0, userErrors: [] });
  expect((await debitSeen).value).toMatchObject({
    accountUpdated: { account: { balance: '69.75', recentTransactions: [{ amount: '-30.25' }, {}] } },
  });
  expect((await creditSeen).value).toMatchObject({
    accountUpdated: { account: { balance: '30.25', recentTransactions: [{ amount: '30.25' }] } },
  });
  await Promise.all([fromLive.return(), toLive.return()]);
  const transferId = accepted.aggregateId!;
  expect(await payer.run(transferOf, { transferId, afterVersion: 2 })).toEqual({
    transfer: {
      fromAccountId: 'from',
      toAccountId: 'to',
      amount: '30.25',
      description: 'rent',
      status: 'COMPLETED',
      reason: null,
      version: 2,
    },
  });
});

it('accountUpdated resumes from a cursor without gap or repeat', async () => {
  await payer.run(open, { accountId: 'told' });
  await payer.run(accountAt, { accountId: 'told', afterVersion: 0 });
  const live = payer.subscribe(accountUpdates, { accountId: 'told' });
  const heard = live.next();
  let first: Awaited<typeof heard> | undefined;
  void heard.then((update) => {
    first = update;
  });
  let paidIn = 0;
  await expect
    .poll(
      async () => {
        await payer.run(payIn, { accountId: 'told', amount: '1' });
        paidIn += 1;
        return first !== undefined;
      },
      { timeout: 10_000 },
    )
    .toBe(true);
  await live.return();
  const { cursor: after, account } = (
    first!.value as { accountUpdated: { cursor: string; account: { version: number } } }
  ).accountUpdated;
  await payer.run(payIn, { accountId: 'told', amount: '1' });
  const resumed = payer.subscribe(accountUpdates, { accountId: 'told', after });
  for (let version = account.version + 1; version <= paidIn + 1; version += 1) {
    const { value } = await resumed.next();
    expect(value).toMatchObject({ accountUpdated: { account: { version, balance: `${version}.00` } } });
  }
  await resumed.return();
});

it('an account is shown as it was, and every change of it is listed', async () => {
  await payer.run(open, { accountId: 'past' });
  await payer.run(payIn, { accountId: 'past', amount: '5' });
  const { accountAudit } = await payer.run(auditOf, { accountId: 'past' });
  const [created, deposited] = accountAudit!.edges.map((edge) => edge.node);
  expect([created, deposited]).toMatchObject([
    { eventType: 'AccountCreated', amount: null, performedBy: 'payer', streamPosition: 0 },
    { eventType: 'MoneyDeposited', amount: '5.00', performedBy: 'payer', streamPosition: 1 },
  ]);
  expect(await payer.run(accountAt, { accountId: 'past', asOf: deposited!.createdAt })).toEqual({
    account: { balance: '5.00', version: 1 },
  });
  const refusals: [variables: { afterVersion?: number; asOf: string }, code: string][] = [
    [{ asOf: deposited!.createdAt, afterVersion: 1 }, 'BAD_USER_INPUT'],
    [{ asOf: '2999-01-01T00:00:00Z' }, 'AS_OF_IN_FUTURE'],
    [{ asOf: '1999-01-01T00:00:00Z' }, 'AS_OF_TOO_EARLY'],
  ];
  for (const [variables, code] of refusals) {
    expect(await payer.ask(accountAt, { accountId: 'past', ...variables })).toMatchObject({
      data: { account: null },
      errors: [{ extensions: { code, argument: ['asOf'] } }],
    });
  }
});
