import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { graphql } from '../support/generated/gql.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const createAccount = graphql(`
  mutation CreateAccount($accountId: ID!) {
    createAccount(input: { accountId: $accountId }) { aggregateId version userErrors { code path } }
  }
`);
const deposit = graphql(`
  mutation Deposit($input: DepositInput!) {
    deposit(input: $input) { version userErrors { code path } }
  }
`);
const account = graphql(`
  query Account($accountId: ID!, $afterVersion: Int) {
    account(accountId: $accountId, afterVersion: $afterVersion) { balance version }
  }
`);

let database: TestDatabase;
let redis: TestRedis;
let api: TestProcess;
let worker: TestProcess;
let owner: Client;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const at = { databaseUrl: database.url, redisUrl: redis.url };
  [api, worker] = await Promise.all([startApi(at), startWorker(at)]);
  owner = await signIn(api.url, 'owner');
});
afterAll(async () => {
  await Promise.all([api?.kill('SIGKILL'), worker?.kill('SIGKILL')]);
  await Promise.all([database?.drop(), redis?.stop()]);
});

it('a client reads its own write, and a repeated command moves money once', async () => {
  await owner.run(createAccount, { accountId: 'mine' });
  const command = { accountId: 'mine', amount: '12.50', commandId: 'once' };
  const first = await owner.run(deposit, { input: command });
  expect(await owner.run(deposit, { input: command })).toEqual(first);
  const { version } = first.deposit;
  expect(await owner.run(account, { accountId: 'mine', afterVersion: version })).toEqual({
    account: { balance: '12.50', version },
  });
});

it('deposits accepted while no worker lives are in the balance once one is back', async () => {
  await owner.run(createAccount, { accountId: 'kept' });
  await worker.kill('SIGKILL');
  for (let i = 0; i < 5; i += 1) await owner.run(deposit, { input: { accountId: 'kept', amount: 1 } });
  await worker.restart();
  expect(await owner.run(account, { accountId: 'kept', afterVersion: 5 })).toEqual({
    account: { balance: '5.00', version: 5 },
  });
});

it("another user's account answers as one that there is not", async () => {
  const stranger = await signIn(api.url, 'stranger');
  await owner.run(createAccount, { accountId: 'private' });
  await owner.run(account, { accountId: 'private', afterVersion: 0 });
  for (const accountId of ['private', 'not-there']) {
    const { data, errors } = await stranger.ask(account, { accountId });
    expect([data?.account, errors]).toEqual([null, undefined]);
    expect(await stranger.run(deposit, { input: { accountId, amount: 1 } })).toMatchObject({
      deposit: { version: null, userErrors: [{ code: 'ACCOUNT_NOT_FOUND' }] },
    });
  }
});
