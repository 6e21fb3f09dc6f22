import { afterAll, beforeAll, expect, it } from 'vitest';
import { readAudit } from '../../src/domains/commerce/account/audit.js';
import { accountStream } from '../../src/domains/commerce/account/events.js';
import { createEventLog, type JsonObject } from '../../src/platform/event-log/index.js';
import { closed, created, moved, write, writeAccount } from './history.js';
import { type CommerceOnTest, callerNamed, ids, openCommerce } from './with-commerce.js';

const alice = callerNamed('alice');
const root = callerNamed('root', 'admin');
let on: CommerceOnTest;

beforeAll(async () => {
  on = await openCommerce();
});
afterAll(() => on.close());

const positions = ({ edges }: Awaited<ReturnType<typeof on.commerce.accountAudit>>) =>
  edges.map(({ node }) => node.streamPosition);

it('an account audit entry has the amount, reason, user, correlation id and time of its event', async () => {
  const accountId = ids.next();
  await on.commerce.createAccount(alice, { accountId, currency: 'USD' });
  await on.commerce.deposit(root, { accountId, amount: '5', description: 'gift' });
  await on.commerce.withdraw(alice, { accountId, amount: '1.5' });
  await writeAccount(on.log, accountId, closed);
  const { edges } = await on.commerce.accountAudit(alice, accountId, {});
  expect(edges.map(({ node: { createdAt: _, ...entry } }) => entry)).toEqual([
    {
      eventType: 'AccountCreated',
      amount: null,
      description: null,
      performedBy: 'alice',
      transactionId: 'story of alice',
      streamPosition: 0,
    },
    {
      eventType: 'MoneyDeposited',
      amount: '5.00',
      description: 'gift',
      performedBy: 'root',
      transactionId: 'story of root',
      streamPosition: 1,
    },
    {
      eventType: 'MoneyWithdrawn',
      amount: '1.50',
      description: null,
      performedBy: 'alice',
      transactionId: 'story of alice',
      streamPosition: 2,
    },
    {
      eventType: 'AccountClosed',
      amount: null,
      description: null,
      performedBy: 'alice',
      transactionId: 'story',
      streamPosition: 3,
    },
  ]);
  const recorded = await on.log.readStream(accountStream(accountId));
  expect(edges.map(({ node }) => node.createdAt)).toEqual(recorded.map(({ createdAt }) => createdAt));
});

it('is read in pages, forwards and backwards, in the order of the stream', async () => {
  const id = ids.next();
  const deposits = Array.from({ length: 6 }, (_, n) => moved('MoneyDeposited', `${n + 1}.00`));
  await writeAccount(on.log, id, created(id, 'alice'), ...deposits);
  const first = await on.commerce.accountAudit(alice, id, { first: 3 });
  expect(positions(first)).toEqual([0, 1, 2]);
  expect(first.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  const rest = await on.commerce.accountAudit(alice, id, { first: 10, after: first.pageInfo.endCursor });
  expect(positions(rest)).toEqual([3, 4, 5, 6]);
  expect(rest.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  const last = await on.commerce.accountAudit(alice, id, { last: 2 });
  expect(positions(last)).toEqual([5, 6]);
  expect(last.pageInfo.hasPreviousPage).toBe(true);
  const middle = await on.commerce.accountAudit(alice, id, { last: 3, before: last.pageInfo.startCursor });
  expect(positions(middle)).toEqual([2, 3, 4]);
  for (const after of ['nonsense', 'WyJhIl0', 'Wy0xXQ']) {
    await expect(on.commerce.accountAudit(alice, id, { after })).rejects.toMatchObject({
      code: 'BAD_CURSOR',
    });
  }
});

it('shows events of old schema versions as they are read today', async () => {
  const id = ids.next();
  // Written before events of accounts carried versions and transfers.
  const old = { type: 'MoneyDeposited', data: { amount: '1.00', currency: 'USD', description: 'old' } };
  await write(on.log, accountStream(id), [created(id, 'alice'), old], {
    correlationId: 'then',
    causationId: 'then',
    userId: 'alice',
  });
  const lift = (data: JsonObject) => ({ ...data, description: 'lifted' });
  const lifted = createEventLog({ postgres: on.postgres, ids, upcasters: { MoneyDeposited: lift } });
  const plain = await on.commerce.accountAudit(alice, id, {});
  expect(plain.edges[1]?.node).toMatchObject({ amount: '1.00', description: 'old' });
  const upcast = await readAudit(lifted, alice, id, {});
  expect(upcast.edges[1]?.node.description).toBe('lifted');
});

it('is for the owner and admins, and there is none of an unknown account', async () => {
  const id = ids.next();
  await writeAccount(on.log, id, created(id, 'alice'));
  expect(positions(await on.commerce.accountAudit(root, id, {}))).toEqual([0]);
  await expect(on.commerce.accountAudit(callerNamed('bob'), id, {})).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  for (const unknown of ['unknown', '\0']) {
    await expect(on.commerce.accountAudit(alice, unknown, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});
