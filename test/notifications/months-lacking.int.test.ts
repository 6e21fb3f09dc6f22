import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSweeper } from '../../src/domains/notifications/delivery/sweep.js';
import { findLackingMonths } from '../../src/domains/notifications/retention/lacking-months.js';
import { type MonthsWorld, openMonthsWorld } from './months-world.js';

let world: MonthsWorld;
beforeEach(async () => {
  world = await openMonthsWorld();
  await world.rows('DROP TABLE notification_requests_first');
});
afterEach(() => world.close());

const addRequests = (count: number) =>
  world.rows(
    `INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id, created_at)
     SELECT gen_random_uuid(), 'p', n::text, 'T', 'high', 't', 'c', now() FROM generate_series(1, $1::int) n`,
    [count],
  );
const lacks = async () =>
  (await findLackingMonths(world.postgres)).some(({ table }) => table === 'notification_requests');

it('a month that could not get its partitions is named once, and tried again after minutes', async () => {
  let now = 0;
  const warnings: unknown[] = [];
  const sweep = createSweeper(
    {
      postgres: world.postgres,
      queues: {
        enqueue: () => Promise.resolve(),
        enqueueMany: () => Promise.resolve(),
        counts: () => Promise.resolve({}),
        oldestWaitingAt: () => Promise.resolve(null),
        ping: () => Promise.resolve(),
        close: () => Promise.resolve(),
      },
      clock: { now: Date.now },
      logger: { warn: (warning: unknown) => warnings.push(warning) },
    },
    () => now,
  );
  await addRequests(1_500);
  await sweep('c');
  expect(await lacks()).toBe(true);
  await world.rows('DELETE FROM notification_requests_default');
  for (now of [5_000, 10_000, 299_000]) await sweep('c');
  expect(warnings).toHaveLength(1);
  expect(await lacks()).toBe(true);
  now = 301_000;
  await sweep('c');
  expect(await lacks()).toBe(false);
  expect(warnings).toHaveLength(1);
});

it('nobody waits for a look at a default partition that cannot give up its rows, or that is large', async () => {
  const make = (mb: number) =>
    world.postgres.transaction(async (tx) => {
      await tx.query("SELECT set_config('tidings.most_scanned_mb', $1, true)", [String(mb)]);
      const { rows } = await tx.query<{ made: number }>(
        `SELECT ensure_month_partitions('notification_requests', (now() AT TIME ZONE 'UTC')::date, 1) AS made`,
      );
      const locks = await tx.query<{ mode: string }>(
        `SELECT mode FROM pg_locks WHERE relation = 'notification_requests_default'::regclass AND pid = pg_backend_pid() AND mode = 'AccessExclusiveLock'`,
      );
      return { made: rows[0]!.made, isLocked: locks.rows.length > 0 };
    });
  await addRequests(1_500);
  while ((await make(128)).made > 0);
  expect(await lacks()).toBe(true);
  expect(await make(128)).toEqual({ made: 0, isLocked: false });
  await world.rows('DELETE FROM notification_requests_default');
  expect(await make(0)).toEqual({ made: 0, isLocked: false });
  expect(await make(1)).toEqual({ made: 1, isLocked: true });
  expect(await lacks()).toBe(false);
});
