import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetEventDays } from '../../src/domains/notifications/retention/event-days.js';
import { systemClock } from '../../src/platform/clock.js';
import type { Queryable } from '../../src/platform/postgres.js';
import { giveUp, sendPushes } from './dead-letter-world.js';
import { forgetting } from './forgetting.js';
import {
  admin,
  aTemplate,
  type NotificationWorld,
  openNotificationWorld,
  storyOf,
  until,
} from './notification-world.js';

const LIMIT = 4_000;
let world: NotificationWorld;
let templateId: string;

beforeAll(async () => {
  world = await openNotificationWorld();
  templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED');
});
afterAll(() => world.close());

async function forgetRequests(): Promise<void> {
  const { requests } = forgetting(world.postgres);
  while ((await requests(LIMIT)) === LIMIT);
}

/** A request of some pushes that ended like this, so many days ago. */
async function ended(days: number, { status = 'DELIVERED', count = 1 } = {}): Promise<readonly string[]> {
  const deliveryIds = await sendPushes(world, templateId, count);
  if (status === 'DEAD') await giveUp(world, deliveryIds);
  else
    await world.postgres.query('UPDATE deliveries SET status = $2 WHERE delivery_id = ANY ($1)', [
      deliveryIds,
      status,
    ]);
  await world.postgres.query(
    `INSERT INTO delivery_targets (delivery_id, target) SELECT unnest($1::uuid[]), 'phone' ON CONFLICT DO NOTHING`,
    [deliveryIds],
  );
  return age(deliveryIds, days);
}

/** An id that says no other time than the one that its row gets: none. */
const withoutTime = (column: string): string => `overlay(${column}::text PLACING '4' FROM 15)::uuid`;

/** Makes requests older by so many days, with all that belongs to them; answers the ids that the deliveries have then. */
async function age(deliveryIds: readonly string[], days: number): Promise<readonly string[]> {
  const [before, ofRequest] = [
    `- $2 * interval '1 day'`,
    'request_id IN (SELECT request_id FROM deliveries WHERE delivery_id = ANY ($1))',
  ];
  for (const statement of [
    `UPDATE notification_requests SET created_at = created_at ${before} WHERE ${ofRequest}`,
    `UPDATE delivery_events SET at = at ${before} WHERE ${ofRequest}`,
    `UPDATE failed_notifications SET failed_at = failed_at ${before}, settled_at = settled_at ${before} WHERE delivery_id = ANY ($1)`,
    `UPDATE deliveries SET created_at = created_at ${before}, queued_at = queued_at ${before} WHERE ${ofRequest}`,
  ])
    await world.postgres.query(statement, [deliveryIds, days]);
  for (const [table, ...columns] of [
    ['notification_requests', 'request_id'],
    ['delivery_events', 'request_id', 'delivery_id'],
    ['delivery_targets', 'delivery_id'],
    ['failed_notifications', 'delivery_id'],
    ['deliveries', 'request_id', 'delivery_id'],
  ])
    await world.postgres.query(
      `UPDATE ${table} SET ${columns.map((column) => `${column} = ${withoutTime(column)}`)}
       WHERE ${columns[0] === 'delivery_id' ? 'delivery_id = ANY ($1)' : 'request_id IN (SELECT request_id FROM deliveries WHERE delivery_id = ANY ($1))'}`,
      [deliveryIds],
    );
  const { rows } = await world.postgres.query<{ id: string }>(
    `SELECT ${withoutTime('id')} AS id FROM unnest($1::uuid[]) WITH ORDINALITY AS i (id, n) ORDER BY n`,
    [deliveryIds],
  );
  return rows.map(({ id }) => id);
}

/** Rows of each table that are left of these deliveries. */
async function left(deliveryIds: readonly string[], requestId?: string): Promise<Record<string, number>> {
  const { rows } = await world.postgres.query<Record<string, number>>(
    `SELECT (SELECT count(*) FROM notification_requests WHERE request_id = $2) AS requests,
            (SELECT count(*) FROM deliveries WHERE delivery_id = ANY ($1)) AS deliveries,
            (SELECT count(*) FROM delivery_targets WHERE delivery_id = ANY ($1)) AS targets,
            (SELECT count(*) FROM failed_notifications WHERE delivery_id = ANY ($1)) AS letters,
            (SELECT count(*) FROM delivery_events WHERE delivery_id = ANY ($1)) AS events`,
    [deliveryIds, requestId ?? (await requestOf(deliveryIds[0]!))],
  );
  return rows[0]!;
}

async function requestOf(deliveryId: string): Promise<string> {
  const { rows } = await world.postgres.query<{ id: string }>(
    'SELECT request_id AS id FROM deliveries WHERE delivery_id = $1',
    [deliveryId],
  );
  return rows[0]?.id ?? randomUUID();
}

const isThere = async (deliveryIds: readonly string[]): Promise<boolean> =>
  (await left(deliveryIds)).deliveries === deliveryIds.length;

describe('a request that is over', () => {
  it('goes after 90 days with all that belongs to it, and not before', async () => {
    const [young, old] = [await ended(89.9), await ended(90.1, { count: 3 })];
    const requestId = await requestOf(old[0]!);
    expect(await left(old, requestId)).toMatchObject({ requests: 1, deliveries: 3, targets: 3, events: 15 });
    await forgetRequests();
    expect(await left(old, requestId)).toEqual({
      requests: 0,
      deliveries: 0,
      targets: 0,
      letters: 0,
      events: 0,
    });
    expect(await isThere(young)).toBe(true);
    expect(await storyOf(world, young[0]!)).toHaveLength(5);
  });

  it.each(['SENT', 'OPENED', 'SUPPRESSED', 'EXPIRED', 'CANCELLED'])('goes where it is %s', async (status) => {
    const old = await ended(100, { status });
    await forgetRequests();
    expect(await isThere(old)).toBe(false);
  });

  it('goes where it was given up and settled, and stays as long as its dead letter is open', async () => {
    const [open, discarded] = [await ended(100, { status: 'DEAD' }), await ended(100, { status: 'DEAD' })];
    await world.notifications.deadLetters.discard(admin, { deliveryIds: discarded });
    await forgetRequests();
    expect([await isThere(open), await isThere(discarded)]).toEqual([true, true]);
    await world.postgres.query(
      `UPDATE failed_notifications SET settled_at = now() - interval '91 days' WHERE delivery_id = ANY ($1)`,
      [discarded],
    );
    await forgetRequests();
    expect([await isThere(open), await isThere(discarded)]).toEqual([true, false]);
    await world.notifications.deadLetters.discard(admin, { deliveryIds: open });
  });
});

describe('a request of which something waits', () => {
  it.each(['SCHEDULED', 'QUEUED', 'RETRYING'])('stays whole, however old it is: %s', async (status) => {
    const old = await ended(400, { count: 3 });
    await world.postgres.query('UPDATE deliveries SET status = $2 WHERE delivery_id = $1', [old[1], status]);
    await forgetRequests();
    expect(await left(old)).toMatchObject({ requests: 1, deliveries: 3, targets: 3, events: 15 });
  });

  it('stays where it was scheduled for, or came into its mailbox, a short time ago', async () => {
    const [scheduled, released] = [await ended(300), await ended(300)];
    await world.postgres.query(
      `UPDATE notification_requests SET schedule_at = now() - interval '1 day' WHERE request_id = $1`,
      [await requestOf(scheduled[0]!)],
    );
    await world.postgres.query(
      `UPDATE deliveries SET queued_at = now() - interval '1 day' WHERE delivery_id = ANY ($1)`,
      [released],
    );
    await forgetRequests();
    expect([await isThere(scheduled), await isThere(released)]).toEqual([true, true]);
  });

  it('stays while somebody works on it, and nobody is kept waiting', async () => {
    const [held, free] = [await ended(100), await ended(100)];
    await world.postgres.transaction(async (tx) => {
      await tx.query('SELECT FROM deliveries WHERE delivery_id = ANY ($1) FOR UPDATE', [held]);
      await forgetRequests();
      expect([await isThere(held), await isThere(free)]).toEqual([true, false]);
    });
    await forgetRequests();
    expect(await isThere(held)).toBe(false);
  });
});

describe('a call', () => {
  it('that is held up keeps neither intake nor whoever works on deliveries waiting', async () => {
    const old = await ended(100, { count: 3 });
    await world.postgres.transaction(async (tx) => {
      await tx.query(`SELECT * FROM forget_requests('epoch', $1, now() - interval '90 days', 4000, 20000)`, [
        '00000000-0000-0000-0000-000000000000',
      ]);
      const [deliveryId] = await sendPushes(world, templateId, 1);
      const claimed = await world.postgres.query(
        `SELECT "deliveryId" FROM deliveries d, claim_deliveries(ARRAY[d.user_id::text], '{push}', ARRAY[d.priority::text], $2, 5000)
         WHERE d.delivery_id = $1`,
        [deliveryId, [randomUUID()]],
      );
      expect(claimed.rows).toHaveLength(1);
      await world.notifications.reportAll([{ deliveryId: deliveryId!, kind: 'sent' }], 'test');
    });
    expect(await isThere(old)).toBe(false);
  });
});

describe('what one call deletes', () => {
  it('is bounded by requests and by their events, and nothing is passed over', async () => {
    const old = [];
    for (let n = 0; n < 5; n++) old.push(await ended(600 - n));
    await world.postgres.query('UPDATE notification_requests SET last_event = 20000 WHERE request_id = $1', [
      await requestOf(old[1]![0]!),
    ]);
    const { requests, forgotten } = forgetting(world.postgres);
    const after = [];
    do after.push(forgotten.requests ?? 0);
    while ((await requests(3)) === 3);
    // The second one is heavy: the third has to wait for the next call.
    expect(after.slice(0, 2)).toEqual([0, 2]);
    expect(await Promise.all(old.map(isThere))).toEqual([false, false, false, false, false]);
  });

  it('is deleted once by processes at once', async () => {
    const old = [];
    for (let n = 0; n < 8; n++) old.push(await ended(100));
    const processes = [forgetting(world.postgres), forgetting(world.postgres), forgetting(world.postgres)];
    await Promise.all(
      processes.map(async ({ requests }) => {
        while ((await requests(2)) === 2);
      }),
    );
    await forgetRequests();
    expect(await Promise.all(old.map(isThere))).toEqual(old.map(() => false));
    expect(processes.reduce((sum, { forgotten }) => sum + forgotten.requests!, 0)).toBeLessThanOrEqual(8);
  });
});

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

  it('goes as a whole once it is old, but for the stories of what is kept', async () => {
    const [oldDay, youngDay] = [await aDay(120), await aDay(60)];
    const [over, kept, young] = [await ended(120), await ended(120, { count: 2 }), await ended(60)];
    await world.postgres.query(`UPDATE deliveries SET status = 'RETRYING' WHERE delivery_id = $1`, [kept[0]]);
    const { requests, eventDays, forgotten } = forgetting(world.postgres);
    await requests(LIMIT);
    while ((await eventDays(LIMIT)) === LIMIT);
    expect([await exists(oldDay), await exists(youngDay)]).toEqual([false, true]);
    expect(forgotten.event_days).toBe(1);
    expect([(await left(over)).events, (await left(kept)).events, (await left(young)).events]).toEqual([
      0, 10, 5,
    ]);
    expect(await storyOf(world, kept[0]!)).toHaveLength(5);

    await world.postgres.query(`UPDATE deliveries SET status = 'DELIVERED' WHERE delivery_id = $1`, [
      kept[0],
    ]);
    await forgetRequests();
    expect((await left(kept)).events).toBe(0);
  });

  it('stays as it is where more of it is kept than can be moved at once', async () => {
    const day = await aDay(130);
    const kept = await ended(130, { status: 'QUEUED' });
    const drop = async (most: number) => {
      const forget = forgetEventDays({ ...clockAndPostgres(), dropped: () => undefined }, most);
      while ((await forget(LIMIT)) === LIMIT);
    };
    await drop(4);
    expect(await exists(day)).toBe(true);
    await drop(5);
    expect(await exists(day)).toBe(false);
    expect(await storyOf(world, kept[0]!)).toHaveLength(5);
  });

  it('goes though a process was killed before any of its statements, and nothing of what is kept is lost', async () => {
    for (let survived = 0, isDead = true; isDead; survived++) {
      const day = await aDay(140 + survived);
      const kept = await ended(140 + survived, { status: 'QUEUED' });
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
      expect(await storyOf(world, kept[0]!)).toHaveLength(5);
      const { eventDays } = forgetting(world.postgres);
      while ((await eventDays(LIMIT)) === LIMIT);
      expect(await exists(day)).toBe(false);
      expect(await storyOf(world, kept[0]!)).toHaveLength(5);
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
          if (name === 'find_kept_events') await sendPushes(world, templateId, 1);
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

describe('the worker', () => {
  it('lets go by itself what is over, and counts it', async () => {
    const old = await ended(91);
    const worker = world.work({ providers: { close: async () => undefined } });
    await worker.run('notifications.forget');
    await until(async () => !(await isThere(old)));
    // It is gone before the worker hears of it.
    await expect
      .poll(() => world.metrics.metrics())
      .toMatch(/notification_forgotten_total\{what="requests"\} [1-9]/);
    await worker.close();
  });
});
