import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { accountAggregate } from '../../src/domains/commerce/account/aggregate.js';
import { accountStream } from '../../src/domains/commerce/account/events.js';
import { formatAmount } from '../../src/domains/commerce/money.js';
import { load } from '../../src/platform/event-log/aggregate.js';
import type { Projector } from '../../src/platform/projector/projector.js';
import { createCommerceReadModels } from '../../src/projectors/commerce/index.js';
import {
  type CommerceOnTest,
  callerNamed,
  checkpointOf,
  ids,
  openCommerce,
  startProjector,
} from './with-commerce.js';

const alice = callerNamed('alice');
const silent = { publish: async () => undefined };
const [summary] = createCommerceReadModels({ wakeUps: silent }) as [Projector];
let on: CommerceOnTest;

beforeAll(async () => {
  on = await openCommerce();
});
afterAll(() => on.close());

const until = (check: () => Promise<void> | void): Promise<void> =>
  vi.waitFor(check, { timeout: 20_000, interval: 10 });
const caughtUp = (name: string): Promise<void> =>
  until(async () => expect(await checkpointOf(on, name)).toBe(await on.log.head()));
const newAccount = async (): Promise<string> => {
  const created = await on.commerce.createAccount(alice, { currency: 'USD' });
  if (!created.ok) throw new Error('refused');
  return created.value.aggregateId;
};
/** Breaks the connection of whoever runs the projector, as a kill of its process would. */
const killHolder = (name: string) =>
  on.postgres.query(
    `SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND a.datname = current_database() AND a.application_name = $1`,
    [`projector ${name}`],
  );

describe('a projector', () => {
  it('killed and stopped at random points ends equal to a replay of every stream', async () => {
    const accounts = await Promise.all(Array.from({ length: 12 }, newAccount));
    const moves = Array.from({ length: 600 }, async (_, n) => {
      const accountId = accounts[n % accounts.length]!;
      if (n % 5 === 4) await on.commerce.withdraw(alice, { accountId, amount: `${(n % 7) + 0.5}` });
      else await on.commerce.deposit(alice, { accountId, amount: `${(n % 11) + 0.01}` });
    });
    let moving = true;
    const moved = Promise.all(moves).then(() => {
      moving = false;
    });
    for (let round = 0; moving || round < 12; round += 1) {
      const runner = startProjector(on, summary);
      const seen = await checkpointOf(on, summary.name);
      if (seen < (await on.log.head())) {
        await until(async () => expect(await checkpointOf(on, summary.name)).toBeGreaterThan(seen));
      }
      if (Math.random() < 0.7) await killHolder(summary.name);
      await runner.stop();
    }
    await moved;
    const runner = startProjector(on, summary);
    await caughtUp(summary.name);
    await runner.stop();

    for (const accountId of accounts) {
      const { state, version } = await load(on.log, accountAggregate, accountStream(accountId));
      if (state.status === 'UNKNOWN') throw new Error('it was created');
      expect(await on.commerce.account(alice, accountId)).toMatchObject({
        balance: formatAmount(state.balance, 'USD'),
        version,
      });
      const { rows } = await on.postgres.query(
        'SELECT coalesce(sum(amount), 0)::bigint AS total, count(*)::int AS moves FROM account_transactions WHERE account_id = $1',
        [accountId],
      );
      expect(rows[0]).toEqual({ total: Number(state.balance), moves: version });
    }
  });

  it('applies no event twice, even when it is made to start over', async () => {
    const accountId = await newAccount();
    await on.commerce.deposit(alice, { accountId, amount: '3' });
    const first = startProjector(on, summary);
    await caughtUp(summary.name);
    await first.stop();
    await on.postgres.query('UPDATE projector_positions SET position = 0 WHERE projector_name = $1', [
      summary.name,
    ]);
    const again = startProjector(on, summary);
    await caughtUp(summary.name);
    await again.stop();
    const account = await on.commerce.account(alice, accountId);
    expect(account).toMatchObject({ balance: '3.00', version: 1 });
    expect(account?.recentTransactions).toHaveLength(1);
  });

  it('is taken over by a second runner when its holder dies, and run by one at a time', async () => {
    const applied: { runner: string; position: number }[] = [];
    const counting = (runner: string): Projector => ({
      name: 'counting',
      eventTypes: new Set(['MoneyDeposited']),
      async apply(events) {
        for (const { globalPosition } of events) applied.push({ runner, position: globalPosition });
        return undefined;
      },
    });
    const accountId = await newAccount();
    const first = startProjector(on, counting('first'));
    await caughtUp('counting');
    const second = startProjector(on, counting('second'));
    applied.length = 0;
    await on.commerce.deposit(alice, { accountId, amount: '1' });
    await caughtUp('counting');
    expect(applied.map(({ runner }) => runner)).toEqual(['first']);

    await first.stop();
    await on.commerce.deposit(alice, { accountId, amount: '1' });
    await caughtUp('counting');
    await second.stop();
    expect(applied.map(({ runner }) => runner)).toEqual(['first', 'second']);
  });

  it('stalls alone at an event that it cannot apply, says so, and goes on once it can', async () => {
    const accountId = await newAccount();
    for (let n = 1; n <= 5; n += 1) await on.commerce.deposit(alice, { accountId, amount: `${n}` });
    const poison = (await on.log.readStream(accountStream(accountId)))[3]!.globalPosition;
    let healed = false;
    const applied: number[] = [];
    const picky: Projector = {
      name: `picky-${ids.next().slice(-8)}`,
      eventTypes: new Set(['MoneyDeposited']),
      async apply(events) {
        if (!healed && events.some(({ globalPosition }) => globalPosition === poison))
          throw new Error('indigestible');
        applied.push(...events.map(({ globalPosition }) => globalPosition));
        return undefined;
      },
    };
    const stalled = startProjector(on, picky);
    const other = startProjector(on, summary);
    const failure = () =>
      on.postgres.query('SELECT global_position, error FROM projector_failures WHERE projector_name = $1', [
        picky.name,
      ]);
    await until(async () =>
      expect((await failure()).rows).toEqual([{ global_position: poison, error: 'indigestible' }]),
    );
    await caughtUp(summary.name);
    expect(await checkpointOf(on, picky.name)).toBe(poison - 1);
    expect((await stalled.metrics.stalled.get()).values).toMatchObject([{ value: 1 }]);
    await stalled.stop();

    healed = true;
    const resumed = startProjector(on, picky);
    await caughtUp(picky.name);
    await until(async () => expect((await failure()).rows).toEqual([]));
    expect(applied).toEqual([...new Set(applied)].sort((one, another) => one - another));
    expect(applied).toContain(poison);
    await Promise.all([resumed.stop(), other.stop()]);
  });
});
