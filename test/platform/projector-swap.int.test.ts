import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountAggregate } from '../../src/domains/commerce/account/aggregate.js';
import { accountStream } from '../../src/domains/commerce/account/events.js';
import { formatAmount } from '../../src/domains/commerce/money.js';
import { load } from '../../src/platform/event-log/aggregate.js';
import type { Projector } from '../../src/platform/projector/projector.js';
import type { WakeUp } from '../../src/platform/wake-ups/wake-up.js';
import { createCommerceReadModels } from '../../src/projectors/commerce/index.js';
import { type CommerceOnTest, callerNamed, openCommerce, startProjector } from '../commerce/with-commerce.js';
import { caughtUp, overviewOf, rebuilt, until } from './projector-world.js';

const alice = callerNamed('alice');
const rung: string[] = [];
const wakeUps = {
  async publish(all: readonly WakeUp[]) {
    rung.push(...all.map(({ topics, payload }) => `${topics} ${payload.version}`));
  },
};
const [summary] = createCommerceReadModels({ wakeUps }) as [Projector];
let on: CommerceOnTest;
const accounts: string[] = [];

beforeAll(async () => {
  on = await openCommerce();
  for (let n = 0; n < 10; n += 1) {
    const created = await on.commerce.createAccount(alice, { currency: 'USD' });
    if (!created.ok) throw new Error('refused');
    accounts.push(created.value.aggregateId);
  }
});
afterAll(() => on.close());

async function whileDepositing(work: () => Promise<void>): Promise<void> {
  let going = true;
  const depositing = accounts.map(async (accountId) => {
    while (going) await on.commerce.deposit(alice, { accountId, amount: '1.25' });
  });
  await work().finally(() => {
    going = false;
  });
  await Promise.all(depositing);
}

it('accounts read under three rebuilds, by one prepared statement and by the API, are there at every moment', async () => {
  const runner = startProjector(on, summary);
  await caughtUp(on, summary.name);
  const clients = await Promise.all(
    Array.from({ length: 2 }, async () => {
      const client = new pg.Client({ connectionString: on.url });
      await client.connect();
      return client;
    }),
  );
  const prepared = {
    name: 'balances',
    text: `SELECT count(DISTINCT a.account_id)::int AS accounts, coalesce(sum(t.amount), 0)::bigint AS moved
           FROM accounts a LEFT JOIN account_transactions t USING (account_id)`,
  };
  let going = true;
  let reads = 0;
  const readers = clients.map(async (client) => {
    let newest = 0;
    while (going) {
      const { rows } = await client.query<{ accounts: number; moved: number }>(prepared);
      expect(rows[0]!.accounts).toBe(accounts.length);
      // The swap never goes back in time.
      expect(rows[0]!.moved).toBeGreaterThanOrEqual(newest);
      newest = rows[0]!.moved;
      reads += 1;
    }
  });
  const apiReader = (async () => {
    let version = 0;
    while (going) {
      const account = await on.commerce.account(alice, accounts[0]!);
      expect(account!.version).toBeGreaterThanOrEqual(version);
      version = account!.version;
    }
  })();
  await whileDepositing(async () => {
    for (let round = 0; round < 3; round += 1) {
      expect(await rebuilt(on, summary.name)).toMatchObject({ lastError: null });
    }
  });
  await caughtUp(on, summary.name);
  going = false;
  await Promise.all([...readers, apiReader]);
  await runner.stop();

  for (const accountId of accounts) {
    const { state, version } = await load(on.log, accountAggregate, accountStream(accountId));
    if (state.status === 'UNKNOWN') throw new Error('it was created');
    expect(await on.commerce.account(alice, accountId)).toMatchObject({
      balance: formatAmount(state.balance, 'USD'),
      version,
    });
  }
  const total = await on.postgres.query('SELECT sum(amount)::bigint AS moved FROM account_transactions');
  for (const client of clients) {
    expect((await client.query(prepared)).rows[0]).toMatchObject(total.rows[0]!);
    await client.end();
  }
  expect(reads).toBeGreaterThan(50);
  expect(new Set(rung).size).toBe(rung.length);
});

it('a swap waits for a long reader without making others wait behind it', async () => {
  const runner = startProjector(on, summary);
  await caughtUp(on, summary.name);
  const long = new pg.Client({ connectionString: on.url });
  await long.connect();
  await long.query('BEGIN; SELECT count(*) FROM accounts');
  const rebuilding = rebuilt(on, summary.name);
  await until(async () => expect((await overviewOf(on, summary.name)).state).toBe('REBUILDING'));
  // Long enough for several tries of the swap.
  const waits: number[] = [];
  for (const start = performance.now(); performance.now() < start + 3_000; ) {
    const asked = performance.now();
    await on.commerce.account(alice, accounts[0]!);
    waits.push(performance.now() - asked);
  }
  expect((await overviewOf(on, summary.name)).state).toBe('REBUILDING');
  // Whoever stood behind the swap would wait as long as the reader goes on.
  expect(Math.max(...waits)).toBeLessThan(2_500);
  await long.query('COMMIT');
  await long.end();
  expect(await rebuilding).toMatchObject({ lastError: null });
  await runner.stop();
});
