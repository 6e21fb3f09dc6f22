import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sql as settleSql } from '../../src/domains/notifications/dead-letters/settle.sql.js';
import { sql as mailboxSql } from '../../src/domains/notifications/delivery/mailbox.sql.js';
import { sql as overtakenSql } from '../../src/domains/notifications/delivery/overtaken.sql.js';
import { sql as reportSql } from '../../src/domains/notifications/delivery/report.sql.js';
import { sql as retrySql } from '../../src/domains/notifications/delivery/retry.sql.js';
import { sql as sweepSql } from '../../src/domains/notifications/delivery/sweep.sql.js';
import { sql as findSql } from '../../src/domains/notifications/lifecycle/find.sql.js';
import { sql as followSql } from '../../src/domains/notifications/lifecycle/follow.sql.js';
import { sql as pagesSql } from '../../src/domains/notifications/lifecycle/pages.sql.js';
import { sql as cancelSql } from '../../src/domains/notifications/schedule/cancel.sql.js';
import { sql as releaseSql } from '../../src/domains/notifications/schedule/release.sql.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { MONTHLY, type MonthsWorld, monthAfter, monthOf, openMonthsWorld, stepAt } from './months-world.js';

const { claim } = mailboxSql;
const { lockDeliveries, pastOf, deferReports } = reportSql;
const { keepAnswer } = overtakenSql;
const { requeue } = retrySql;
const { requeueOverdue } = sweepSql;
const { takeDue, takeOne, putOff } = releaseSql;
const { lockUnsent, markCancelled } = cancelSql;
const { requestsById, deliveriesById, timelines } = findSql;
const { ofRequestForward, ofUserForward } = pagesSql;
const { eventsAfter } = followSql;
const { deadOfRequest, forgetFailures } = settleSql;

let world: MonthsWorld;
beforeEach(async () => {
  world = await openMonthsWorld();
});
afterEach(() => world.close());

const partitionsOf = (table: string, column: string, ids: readonly string[]) =>
  world
    .rows<{ name: string }>(
      `SELECT tableoid::regclass::text AS name FROM ${table} WHERE ${column} = ANY ($1) ORDER BY ${column}`,
      [ids],
    )
    .then((found) => found.map(({ name }) => name));
const statusOf = async (deliveryId: string) =>
  (
    await world.rows<{ status: string }>('SELECT status FROM deliveries WHERE delivery_id = $1', [deliveryId])
  )[0]!.status;
/** How often each partition of these tables is looked into by what is done. */
async function looksInto(work: (tx: Queryable) => Promise<unknown>): Promise<Record<string, number>> {
  return world.postgres.transaction(async (tx) => {
    // A plan is made once for all, as it is after some calls.
    await tx.query('SET LOCAL plan_cache_mode = force_generic_plan');
    // As it would be if the tables were large.
    await tx.query('SET LOCAL enable_seqscan = off');
    const counted = async () => {
      const { rows } = await tx.query<{ name: string; looks: number }>(
        `SELECT relname AS name, (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int AS looks FROM pg_stat_xact_user_tables
         WHERE relname ~ '^(deliveries|notification_requests|target_outcomes)_|^delivery_targets$'`,
      );
      return new Map(rows.map(({ name, looks }) => [name, looks]));
    };
    // The server may not have put away what the session did before.
    const before = await counted();
    await work(tx);
    const after = await counted();
    return Object.fromEntries([...after].map(([name, looks]) => [name, looks - (before.get(name) ?? 0)]));
  });
}

/** Requests of these months that are over. */
async function fill(times: readonly Date[]): Promise<void> {
  await world.rows(
    `WITH made AS (
       INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
                               status, max_retries, rendered_content, created_at)
       SELECT gen_random_uuid(), gen_random_uuid(), 'n', 'p', 'reader', 'T', 'push', 'high', 'SENT', 5, '{}', at + n * interval '1 s'
       FROM unnest($1::timestamptz[]) AS at CROSS JOIN generate_series(1, 5000) n
       RETURNING *
     ), requested AS (
       INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id, created_at)
       SELECT request_id, producer, notification_id, notification_type, priority, 't', 'c', created_at FROM made
     )
     INSERT INTO target_outcomes (delivery_id, target, updated_at) SELECT delivery_id, 'phone', created_at FROM made`,
    [times],
  );
  await world.rows('VACUUM ANALYZE');
}

describe('months of requests, deliveries and outcomes', () => {
  it('are made by the sweeper, each like the first partition', async () => {
    const first = await world.firstMonth();
    await world.sweepAt(first);
    const parts = await world.rows<{ name: string; options: string[] | null; indexes: number; keys: number }>(
      `SELECT c.relname AS name, c.reloptions AS options, (SELECT count(*)::int FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
                 WHERE x.indrelid = c.oid AND i.relispartition) AS indexes,
              (SELECT count(*)::int FROM pg_index x WHERE x.indrelid = c.oid AND x.indisprimary) AS keys
       FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid WHERE inhparent = ANY ($1::regclass[]) ORDER BY c.relname`,
      [[...MONTHLY]],
    );
    const of = (table: string) => parts.filter(({ name }) => name.startsWith(table));
    const [one, two] = [monthOf(first), monthOf(monthAfter(first, 1))];
    expect(of('deliveries').map(({ name }) => name)).toEqual(
      [one, two, 'default', 'first'].map((end) => `deliveries_${end}`),
    );
    for (const part of of('deliveries'))
      expect(part).toMatchObject({ options: ['fillfactor=50'], indexes: 3, keys: 1 });
    expect(of('notification_requests')).toHaveLength(4);
    for (const part of of('notification_requests'))
      expect(part).toMatchObject({ options: ['fillfactor=80'], indexes: 6, keys: 1 });
    expect([...of('target_outcomes'), ...of('delivery_targets')].map(({ indexes }) => indexes)).toEqual([
      1, 1, 1, 1,
    ]);
  });

  it('have what begins in them, from acceptance to the end, with what waits beside it', async () => {
    const first = await world.firstMonth();
    await world.sweepAt(first);
    const times = [new Date(), first, monthAfter(first, 1), monthAfter(first, 2)];
    const ends = ['first', monthOf(first), monthOf(times[2]!), 'default'];
    for (const [n, at] of times.entries()) {
      const { userId, requestId, deliveryIds } = await world.accept(at);
      expect(await partitionsOf('notification_requests', 'request_id', [requestId])).toEqual([
        `notification_requests_${ends[n]}`,
      ]);
      expect(await partitionsOf('deliveries', 'delivery_id', deliveryIds)).toEqual([`deliveries_${ends[n]}`]);
      const { rows: claimed } = await world.postgres.query(claim, [
        [userId],
        ['push'],
        ['high'],
        [randomUUID()],
        1_000,
        [null],
      ]);
      expect(claimed).toMatchObject([{ deliveryId: deliveryIds[0], isCancelled: false, reachedSome: false }]);
      // The next month has begun by then.
      const later = monthAfter(at, 1);
      const targets = [{ target: 'phone', error: null, providerId: 'p' }];
      expect(await world.step(deliveryIds[0]!, later, 'SENT', { targets })).toHaveLength(1);
      expect(await partitionsOf('target_outcomes', 'delivery_id', deliveryIds)).toEqual([
        ends[n] === 'first' ? 'delivery_targets' : `target_outcomes_${ends[n]}`,
      ]);
      expect(
        await world.rows('SELECT FROM pending_deliveries WHERE delivery_id = $1', [deliveryIds[0]]),
      ).toEqual([]);
      expect(await statusOf(deliveryIds[0]!)).toBe('SENT');
    }
  });

  it('are looked into for an id from the month on in which it was made', async () => {
    const first = await world.firstMonth();
    await world.sweepAt(first);
    await fill([new Date(), first, monthAfter(first, 1)]);
    const now = new Date(monthAfter(first, 1).getTime() + 2 * 3_600_000);
    const { userId, requestId, deliveryIds } = await world.accept(now);
    const [deliveryId] = deliveryIds;
    const targets = [{ target: 'phone', error: null, providerId: 'p' }];
    const failure = { error: 'gone', attempts: 1 };
    const fallen = await world.accept(now, { fallbackChannels: ['email'] });
    const dues = ['high', new Date(now.getTime() + 1_000), new Date(0), 10];
    const ones: readonly [string, (tx: Queryable) => Promise<unknown>][] = [
      ['claim', (tx) => tx.query(claim, [[userId], ['push'], ['high'], [randomUUID()], 1_000, [null]])],
      [
        'apply',
        (tx) =>
          tx.query('SELECT * FROM apply_transitions($1)', [
            JSON.stringify([stepAt(deliveryId!, now, 'SENT', { targets })]),
          ]),
      ],
      ['lockDeliveries', (tx) => tx.query(lockDeliveries, [[deliveryId]])],
      ['pastOf', (tx) => tx.query(pastOf, [[deliveryId], ['push'], now])],
      ['deferReports', (tx) => tx.query(deferReports, [[deliveryId], ['[{}]']])],
      ['keepAnswer', (tx) => tx.query(keepAnswer, [deliveryId, JSON.stringify(targets)])],
      ['requeue', (tx) => tx.query(requeue, [deliveryId, now])],
      ['requeueOverdue', (tx) => tx.query(requeueOverdue, dues)],
      ['takeDue', (tx) => tx.query(takeDue, [now, 'high', 10, new Date(0)])],
      ['takeOne', (tx) => tx.query(takeOne, [now, deliveryId])],
      ['putOff', (tx) => tx.query(putOff, [deliveryId, now])],
      ['lockUnsent', (tx) => tx.query(lockUnsent, [[requestId]])],
      ['markCancelled', (tx) => tx.query(markCancelled, [[requestId], now])],
      ['requestsById', (tx) => tx.query(requestsById, [[requestId]])],
      ['deliveriesById', (tx) => tx.query(deliveriesById, [[deliveryId]])],
      ['timelines', (tx) => tx.query(timelines, [[deliveryId]])],
      ['ofRequestForward', (tx) => tx.query(ofRequestForward, [requestId, '0', 10])],
      ['eventsAfter', (tx) => tx.query(eventsAfter, [requestId, 0, null, 10])],
      ['deadOfRequest', (tx) => tx.query(deadOfRequest, [requestId])],
      ['forgetFailures', (tx) => tx.query(forgetFailures, [[deliveryId]])],
      [
        'count',
        (tx) =>
          tx.query("SELECT * FROM count_delivery_events($1, $2, '{1}')", [
            new Date(now.getTime() - 1),
            new Date(now.getTime() + 1),
          ]),
      ],
      // Last: its id is made by the server's clock, months ago.
      [
        'fall back',
        (tx) =>
          tx.query('SELECT * FROM apply_transitions($1)', [
            JSON.stringify([stepAt(fallen.deliveryIds[0]!, now, 'DEAD', { failure })]),
          ]),
      ],
    ];
    const older = [
      'deliveries_first',
      `deliveries_${monthOf(first)}`,
      'notification_requests_first',
      `notification_requests_${monthOf(first)}`,
      'delivery_targets',
      `target_outcomes_${monthOf(first)}`,
    ];
    for (const [name, one] of ones) {
      const looks = await looksInto(one);
      expect([name, older.filter((partition) => (looks[partition] ?? 0) > 0)]).toEqual([name, []]);
    }
  });

  it('are read newest first without reading more of a month than a page', async () => {
    const first = await world.firstMonth();
    await world.sweepAt(first);
    await fill([new Date(), first, monthAfter(first, 1)]);
    const { rows } = await world.postgres.query(`EXPLAIN (ANALYZE, BUFFERS) ${ofUserForward.text}`, [
      'reader',
      new Date(8.64e15),
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      20,
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(Number(/Buffers: shared hit=(\d+)/.exec(plan)![1])).toBeLessThan(60);
  });
});
