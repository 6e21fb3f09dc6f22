import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetEventDays } from '../../src/domains/notifications/retention/event-days.js';
import { systemClock } from '../../src/platform/clock.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { sendPushes } from './dead-letter-world.js';
import { forgetting } from './forgetting.js';
import { timelineOf } from './notification-world.js';
import { LIMIT, openRetentionWorld, type RetentionWorld } from './retention-world.js';

let world: RetentionWorld;
beforeAll(async () => {
  world = await openRetentionWorld();
});
afterAll(() => world.close());

describe('a day of lifecycle events', () => {
  const partition = (days: number): string =>
    `delivery_events_${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const exists = async (table: string): Promise<boolean> =>
    (await world.postgres.query<{ oid: string | null }>('SELECT to_regclass($1) AS oid', [table])).rows[0]!
      .oid !== null;
  /** A day's partition, made before anything lies in it. */
  async function aDay(days: number): Promise<string> {
    const day = new Date(Date.now() - (days + 1) * 86_400_000).toISOString().slice(0, 10);
    await world.postgres.query('SELECT ensure_delivery_event_partitions($1::date, 1)', [day]);
    expect(await exists(partition(days))).toBe(true);
    return partition(days);
  }

  const clockAndPostgres = () => ({
    clock: systemClock,
    postgres: world.postgres as Queryable,
    firstKept: async () => new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10),
  });

  it('goes as a whole once it is old, but for the timelines of what is kept', async () => {
    const [oldDay, youngDay] = [await aDay(120), await aDay(60)];
    const [over, kept, young] = [
      await world.ended(120),
      await world.ended(120, { count: 2 }),
      await world.ended(60),
    ];
    await world.postgres.query(`UPDATE deliveries SET status = 'RETRYING' WHERE delivery_id = $1`, [kept[0]]);
    const { requests, eventDays, forgotten } = forgetting(world.postgres);
    await requests(LIMIT);
    while ((await eventDays(LIMIT)) === LIMIT);
    expect([await exists(oldDay), await exists(youngDay)]).toEqual([false, true]);
    expect(forgotten.event_days).toBe(1);
    expect([
      (await world.left(over)).events,
      (await world.left(kept)).events,
      (await world.left(young)).events,
    ]).toEqual([0, 10, 5]);
    expect(await timelineOf(world, kept[0]!)).toHaveLength(5);

    await world.postgres.query(`UPDATE deliveries SET status = 'DELIVERED' WHERE delivery_id = $1`, [
      kept[0],
    ]);
    await world.forgetRequests();
    expect((await world.left(kept)).events).toBe(0);
  });

  it('stays as it is where more of it is kept than can be moved at once', async () => {
    const day = await aDay(130);
    const kept = await world.ended(130, { status: 'QUEUED', count: 5 });
    const drop = async (most: number) => {
      const forget = forgetEventDays({ ...clockAndPostgres(), dropped: () => undefined }, most);
      while ((await forget(LIMIT)) === LIMIT);
    };
    await drop(4);
    expect(await exists(day)).toBe(true);
    await drop(5);
    expect(await exists(day)).toBe(false);
    expect(await timelineOf(world, kept[0]!)).toHaveLength(5);
  });

  it('goes though a process was killed before any of its statements, and nothing of what is kept is lost', async () => {
    for (let survived = 0, isDead = true; isDead; survived++) {
      const day = await aDay(140 + survived);
      const kept = await world.ended(140 + survived, { status: 'QUEUED' });
      isDead = false;
      const postgres = {
        query: async (...args: Parameters<typeof world.postgres.query>) => {
          if (survived === calls) {
            isDead = true;
            throw new Error('killed');
          }
          calls += 1;
          return world.postgres.query(...args);
        },
      } as Queryable;
      let calls = 0;
      const dying = forgetEventDays({ ...clockAndPostgres(), postgres, dropped: () => undefined });
      await (async () => {
        while ((await dying(LIMIT)) === LIMIT);
      })().catch(({ message }: Error) => expect(message).toBe('killed'));
      expect(await timelineOf(world, kept[0]!)).toHaveLength(5);
      const { eventDays } = forgetting(world.postgres);
      while ((await eventDays(LIMIT)) === LIMIT);
      expect(await exists(day)).toBe(false);
      expect(await timelineOf(world, kept[0]!)).toHaveLength(5);
    }
  });

  it('is looked through and goes without keeping intake waiting, however much is kept', async () => {
    const days = [160, 161].map(partition);
    await aDay(160);
    await aDay(161);
    // 30,000 requests that are as old and stay, with the events of a day each.
    const { id } = (
      await world.postgres.query<{ id: string }>(
        `WITH requests AS (
           INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id, last_event, created_at)
           SELECT gen_random_uuid(), 'bulk', 'bulk', 'T', 'low', 'T', 'test', 5, now() - interval '170 days' + n * interval '1 second'
           FROM generate_series(1, 30000) AS n RETURNING request_id
         ), kept AS (
           INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority, status, max_retries, rendered_content)
           SELECT gen_random_uuid(), request_id, 'bulk', 'bulk', 'u', 'T', 'sms', 'low', 'RETRYING', 5, '{}' FROM requests
         )
         SELECT max(request_id::text) AS id FROM requests`,
      )
    ).rows[0]!;
    await world.postgres.query(
      `INSERT INTO delivery_events (request_id, number, delivery_id, event, status, at)
       SELECT coalesce(CASE WHEN n = 1 THEN $1::uuid END, gen_random_uuid()), n, gen_random_uuid(), 'CREATED', 'QUEUED', now() - d * interval '1 day'
       FROM generate_series(1, 40000) AS n, (VALUES (160), (161)) AS days (d)`,
      [id],
    );
    const steps: { readonly name: string; readonly blocks: number }[] = [];
    const measuring = {
      query: async (...args: Parameters<typeof world.postgres.query>) => {
        const [statement, values] = args as unknown as [{ text: string }, readonly unknown[]];
        const name = /(find_kept_events|detach_event_day)/.exec(statement.text)?.[1];
        if (!name) return world.postgres.query(...args);
        // As slow as can be: it is done, and its transaction goes on.
        return world.postgres.transaction(async (tx) => {
          await tx.query('SAVEPOINT before_it');
          const explained = await tx.query<{ 'QUERY PLAN': string }>(
            `EXPLAIN (ANALYZE, BUFFERS) ${statement.text}`,
            values as never,
          );
          const plan = explained.rows.map((row) => row['QUERY PLAN']).join(' ');
          const [, hit = 0, read = 0] = /Buffers: shared hit=(\d+)(?: read=(\d+))?/.exec(plan) ?? [];
          steps.push({ name, blocks: Number(hit) + Number(read) });
          if (name === 'find_kept_events') await sendPushes(world, world.templateId, 1);
          await tx.query('ROLLBACK TO SAVEPOINT before_it');
          return tx.query(...(args as Parameters<typeof tx.query>));
        });
      },
    } as unknown as Queryable;
    const forget = forgetEventDays({ ...clockAndPostgres(), postgres: measuring, dropped: () => undefined });
    while ((await forget(1_000)) === 1_000);
    for (const day of days) expect(await exists(day)).toBe(false);
    const blocksOf = (name: string) => steps.filter((step) => step.name === name).map((step) => step.blocks);
    // 30 pages for each of the two days, of 1,000 requests.
    expect(blocksOf('find_kept_events').length).toBeGreaterThanOrEqual(60);
    expect(Math.max(...blocksOf('find_kept_events'))).toBeLessThan(8_000);
    expect(Math.max(...blocksOf('detach_event_day'))).toBeLessThan(4_000);
  });
});
