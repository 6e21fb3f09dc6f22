import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRetention } from '../../src/domains/notifications/retention/index.js';
import { findLackingMonths } from '../../src/domains/notifications/retention/lacking-months.js';
import { forgetting } from './forgetting.js';
import { dueOf, LIMIT, type MonthToForget, nothing, openMonthToForget } from './month-to-forget.js';
import { DAY_MS, monthAfter, monthOf } from './months-world.js';

let world: MonthToForget['world'];
let month: MonthToForget['month'];
let due: MonthToForget['due'];
let sent: MonthToForget['sent'];
let left: MonthToForget['left'];
beforeEach(async () => {
  ({ world, month, due, sent, left } = await openMonthToForget());
});
afterEach(() => world.close());

const partitionsOf = async (table: string) =>
  (
    await world.rows<{ name: string }>(
      'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass ORDER BY 1',
      [table],
    )
  ).map(({ name }) => name);
const rowsIn = async (partition: string) =>
  (await world.rows<{ rows: number }>(`SELECT count(*)::int AS rows FROM ${partition}`))[0]!.rows;
const tablesNamed = (shape: string) => world.rows('SELECT FROM pg_class WHERE relname ~ $1', [shape]);

/** All that one process forgets of requests, at a time. */
async function forgetAt(at: number): Promise<void> {
  const { requests, requestMonths, lonePartitions } = forgetting(world.postgres, { now: () => at });
  for (const forget of [requests, lonePartitions, requestMonths]) while ((await forget(LIMIT)) === LIMIT);
}

describe('a month that has rows in the default partitions', () => {
  it('gets its partitions, and these rows; what waits of them can be finished', async () => {
    const later = monthAfter(month, 3);
    const waiting = await world.accept(later);
    const over = await sent(later);
    expect(await rowsIn('deliveries_default')).toBe(2);
    const pending = () => world.rows('SELECT delivery_id, status, sequence FROM pending_deliveries');
    const before = await pending();
    await world.sweepAt(later);
    for (const table of ['notification_requests', 'deliveries', 'target_outcomes']) {
      expect(await partitionsOf(table)).toContain(`${table}_${monthOf(later)}`);
      expect(await rowsIn(`${table}_default`)).toBe(0);
    }
    expect(await left(over)).toMatchObject({ requests: 1, deliveries: 1, targets: 1 });
    expect(await pending()).toEqual(before);
    expect(await world.step(waiting.deliveryIds[0]!, later, 'SENT')).toHaveLength(1);
    expect(await pending()).toEqual([]);
  });

  it('and more of them than can move at once gets a partition from the day behind them on', async () => {
    const later = monthAfter(month, 3);
    const fifth = new Date(later.getTime() + 4 * DAY_MS);
    await world.rows(
      `INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id, created_at)
       SELECT gen_random_uuid(), 'p', n::text, 'T', 'high', 't', 'c', $1::timestamptz + n * interval '1 s' FROM generate_series(1, 3000) n`,
      [fifth],
    );
    const stray = await world.accept(new Date(later.getTime() + 20 * DAY_MS));
    await world.sweepAt(later);
    const partition = `notification_requests_${monthOf(later)}`;
    expect(await rowsIn(partition)).toBe(1);
    expect(await rowsIn('notification_requests_default')).toBe(3_000);
    expect(
      await world.rows('SELECT FROM notification_requests WHERE request_id = $1', [stray.requestId]),
    ).toHaveLength(1);
    await world.accept(new Date(later.getTime() + 5 * DAY_MS));
    expect(await rowsIn(partition)).toBe(2);
    // It is not made a second time.
    await world.sweepAt(later);
    expect(await partitionsOf('notification_requests')).toContain(partition);
  });

  it('is named for as long as it has none', async () => {
    const thisMonth = (
      await world.rows<{ month: string }>("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AS month")
    )[0]!.month;
    expect(await findLackingMonths(world.postgres)).toEqual([]);
    await world.rows('ALTER TABLE deliveries DETACH PARTITION deliveries_first');
    const lacking = await findLackingMonths(world.postgres);
    expect(lacking[0]).toEqual({ table: 'deliveries', month: thisMonth });
  });
});

describe('partitions of a month that not all three tables have', () => {
  it('go once nothing of them is needed', async () => {
    const [over, waiting] = [await sent(), await world.accept(month)];
    // As if the month's requests had lain in the default partition when it was to be made.
    await world.rows(
      `ALTER TABLE notification_requests DETACH PARTITION notification_requests_${monthOf(month)}`,
    );
    await world.rows(
      `INSERT INTO notification_requests SELECT * FROM notification_requests_${monthOf(month)}`,
    );
    await world.rows(`DROP TABLE notification_requests_${monthOf(month)}`);
    await forgetAt(due.getTime());
    expect(await left(over)).toEqual(nothing);
    expect(await left(waiting)).toMatchObject({ requests: 1, deliveries: 1 });
    expect(await partitionsOf('deliveries')).toContain(`deliveries_${monthOf(month)}`);
    await world.step(waiting.deliveryIds[0]!, month, 'SENT');
    await forgetAt(due.getTime() + DAY_MS);
    expect(await left(waiting)).toEqual(nothing);
    expect(await tablesNamed(`_${monthOf(month)}$`)).toEqual([]);
  });

  it('go also where an operator has detached and dropped others: the first ones, and a later month’s', async () => {
    await sent();
    const before = await sent(new Date(month.getTime() - DAY_MS));
    for (const partition of ['notification_requests_first', `notification_requests_${monthOf(month)}`]) {
      await world.rows(`ALTER TABLE notification_requests DETACH PARTITION ${partition}`);
      await world.rows(`DROP TABLE ${partition}`);
    }
    expect(await left(before)).toMatchObject({ requests: 0, deliveries: 1 });
    const later = monthAfter(month, 1);
    await world.sweepAt(later);
    const next = await sent(later);
    await forgetAt(due.getTime());
    expect(await tablesNamed(`_(first|${monthOf(month)})$|^delivery_targets$`)).toEqual([]);
    expect(await left(next)).toMatchObject({ requests: 1, deliveries: 1 });
    await forgetAt(dueOf(later).getTime());
    expect(await left(next)).toEqual(nothing);
  });
});

it('what is old enough is decided by the database’s clock: a worker whose clock is years ahead deletes nothing', async () => {
  const over = await sent(new Date());
  const forgets = createRetention({
    postgres: world.postgres,
    clock: { now: () => Date.now() + 5_000 * DAY_MS },
    metrics: { forgot: () => undefined },
    retention: { days: 90, inboxDays: 365 },
  });
  for (const forget of forgets) while ((await forget(LIMIT)) === LIMIT);
  expect(await left(over)).toMatchObject({ requests: 1, deliveries: 1, targets: 1 });
  expect(await partitionsOf('deliveries')).toContain('deliveries_first');
});
