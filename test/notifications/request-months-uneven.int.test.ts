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
const tablesNamed = (shape: string) => world.rows('SELECT relname FROM pg_class WHERE relname ~ $1', [shape]);

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

  it('and more of them than can move at once gets partitions for the days before and after them', async () => {
    const later = monthAfter(month, 3);
    const days = async () =>
      (
        await world.rows<{ days: string[] }>(
          `SELECT array(SELECT to_char(day, 'DD') FROM uncovered_days('notification_requests', $1::date, $2::date) AS day) AS days`,
          [later, monthAfter(later, 1)],
        )
      )[0]!.days;
    const at = (day: number) => new Date(later.getTime() + (day - 1) * DAY_MS);
    await world.rows(
      `INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id, created_at)
       SELECT gen_random_uuid(), 'p', day || '-' || n, 'T', 'high', 't', 'c', day + n * interval '1 s'
       FROM unnest($1::timestamptz[]) AS day CROSS JOIN generate_series(1, 1500) n`,
      [[at(5), at(9)]],
    );
    const stray = await world.accept(at(21));
    await world.sweepAt(later);
    expect(await days()).toEqual(['05', '09']);
    expect(await rowsIn('notification_requests_default')).toBe(3_000);
    expect(
      await world.rows('SELECT FROM notification_requests WHERE request_id = $1', [stray.requestId]),
    ).toHaveLength(1);
    for (const day of [1, 4, 6, 8, 10, 28]) await world.accept(at(day));
    expect(await rowsIn('notification_requests_default')).toBe(3_000);

    await world.rows('DELETE FROM notification_requests_default WHERE created_at < $1', [at(6)]);
    await world.sweepAt(later);
    expect(await days()).toEqual(['09']);
    // Days that are over are not made any more.
    await world.rows('DELETE FROM notification_requests_default');
    await world.sweepAt(at(10));
    expect(await days()).toEqual(['09']);
  });

  it('in days of their own goes once nothing of it is needed', async () => {
    const hot = new Date(month.getTime() + 4 * DAY_MS);
    for (const table of ['notification_requests', 'deliveries', 'target_outcomes']) {
      await world.rows(`DROP TABLE ${table}_${monthOf(month)}`);
      await world.rows(
        `CREATE TABLE ${table}_${monthOf(month)}05 PARTITION OF ${table} FOR VALUES FROM ('${hot.toISOString()}') TO ('${new Date(hot.getTime() + DAY_MS).toISOString()}')`,
      );
    }
    await world.sweepAt(month);
    expect(await tablesNamed(`_${monthOf(month)}(01|05|06)$`)).toHaveLength(9);
    const all = [await sent(), await sent(hot), await sent(new Date(month.getTime() + 20 * DAY_MS))];
    await forgetAt(due.getTime() + 8 * DAY_MS);
    for (const one of all) expect(await left(one)).toEqual(nothing);
    await forgetAt(due.getTime() + 9 * DAY_MS);
    expect(await tablesNamed(`_${monthOf(month)}\\d*$`)).toEqual([]);
  });

  it('is named for as long as a day of it, from today on, has none', async () => {
    const thisMonth = (
      await world.rows<{ month: string }>("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM') AS month")
    )[0]!.month;
    expect(await findLackingMonths(world.postgres)).toEqual([]);
    await world.rows('ALTER TABLE deliveries DETACH PARTITION deliveries_first');
    const lacking = await findLackingMonths(world.postgres);
    expect(lacking[0]).toEqual({ table: 'deliveries', month: thisMonth });
    const attach = (from: string) =>
      world.rows(`DO $$BEGIN
        EXECUTE format('ALTER TABLE deliveries ATTACH PARTITION deliveries_first FOR VALUES FROM (%L) TO (%L)',
          (date_trunc('day', now(), 'UTC') + interval '${from}'), date_trunc('month', now(), 'UTC') + interval '2 months');
      END$$`);
    await attach('1 day');
    expect(await findLackingMonths(world.postgres)).toContainEqual({ table: 'deliveries', month: thisMonth });
    await world.rows('ALTER TABLE deliveries DETACH PARTITION deliveries_first');
    await attach('0 days');
    expect(await findLackingMonths(world.postgres)).toEqual([]);
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
    expect(
      await tablesNamed(
        `^(notification_requests|deliveries|target_outcomes)_(first|${monthOf(month)})$|^delivery_targets$`,
      ),
    ).toEqual([]);
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
