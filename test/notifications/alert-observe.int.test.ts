import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countAbove } from '../../src/domains/notifications/alerts/latency.js';
import { LATENCY_BOUNDS_MS } from '../../src/domains/notifications/alerts/observation.js';
import { observe } from '../../src/domains/notifications/alerts/observe.js';
import { applyTransitions } from '../../src/domains/notifications/delivery/mailbox.js';
import { stepOf, type TransitionEvent } from '../../src/domains/notifications/delivery/transition.js';
import type { DeliveryStatus } from '../../src/domains/notifications/types.js';
import { giveUp, sendPushes } from './dead-letter-world.js';
import { admin, aTemplate, type NotificationWorld, openNotificationWorld } from './notification-world.js';

let world: NotificationWorld;
let templateId: string;
/** Now, as far as notifications are concerned. */
let now = 1_795_348_800_000;

beforeAll(async () => {
  world = await openNotificationWorld({ now: () => now });
  templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED');
});
afterAll(() => world.close());

/** Ends an attempt of each, after some milliseconds. */
async function end(
  deliveryIds: readonly string[],
  afterMs: number,
  status: DeliveryStatus,
  ...events: Omit<TransitionEvent, 'status'>[]
): Promise<void> {
  const step = (deliveryId: string) => ({
    ...stepOf({ deliveryId, attempt: 0 }, now + afterMs),
    status,
    events: events.map((event) => ({ ...event, status })),
  });
  await applyTransitions(world.postgres, deliveryIds.map(step));
}
const reach = (deliveryIds: readonly string[], afterMs: number) =>
  end(deliveryIds, afterMs, 'DELIVERED', { event: 'SENT' }, { event: 'DELIVERED' });
/** What happened since `now`, in a minute; then a minute has gone by. */
async function aMinute() {
  const seen = await observe(world, now, now + 60_000);
  now += 60_000;
  return seen;
}

describe('an observation', () => {
  it('counts attempts by channel: taken by a provider, or ended in a retry or a dead letter', async () => {
    const ids = await sendPushes(world, templateId, 8);
    await reach(ids.slice(0, 3), 100);
    await end(ids.slice(3, 5), 200, 'RETRYING', { event: 'FAILED' }, { event: 'RETRY' });
    // One phone was reached, another has to wait.
    await end(ids.slice(5, 6), 300, 'RETRYING', { event: 'SENT' }, { event: 'FAILED' }, { event: 'RETRY' });
    await giveUp(world, ids.slice(6, 7), { at: now + 400 });
    const { attempts, dead, openDeadLetters } = await aMinute();
    expect(attempts).toEqual({ push: { reached: 4, failed: 3 } });
    expect(dead).toEqual({ push: 1 });
    expect(openDeadLetters).toBe(1);
  });

  it('does not count what our own limit defers', async () => {
    const ids = await sendPushes(world, templateId, 2);
    await end(ids, 100, 'RETRYING', { event: 'RETRY', detail: { attempt: 0, reason: 'GLOBAL_LIMIT' } });
    expect((await aMinute()).attempts).toEqual({});
  });

  it('begins where the last one ended: nothing is counted twice', async () => {
    const ids = await sendPushes(world, templateId, 2);
    await reach(ids.slice(0, 1), 10_000);
    await reach(ids.slice(1), 20_000);
    const first = await observe(world, now, now + 20_000);
    const second = await observe(world, now + 20_000, now + 40_000);
    expect([first.attempts, second.attempts]).toEqual([
      { push: { reached: 1, failed: 0 } },
      { push: { reached: 1, failed: 0 } },
    ]);
    now += 60_000;
  });

  it('knows how long deliveries took, each priority for itself', async () => {
    const high = await sendPushes(world, templateId, 3, { priority: 'high' });
    const low = await sendPushes(world, templateId, 3, { priority: 'low' });
    await reach(high.slice(0, 2), 90);
    await reach(high.slice(2), 2_100);
    await reach(low, 9_000);
    const medium = await sendPushes(world, templateId, 2, { priority: 'medium' });
    await reach(medium, 31_000);
    const { latency, slowerLatency } = await aMinute();
    expect(slowerLatency?.low?.[LATENCY_BOUNDS_MS.indexOf(10_000)]).toBe(3);
    expect(countAbove(slowerLatency?.medium ?? [], 30_000)).toBe(2);
    expect(latency.reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(latency[LATENCY_BOUNDS_MS.indexOf(100)]).toBe(2);
    expect(countAbove(latency, 2_000)).toBe(1);
  });

  it('measures from when a delivery was queued last: one retried after an hour was not an hour on its way', async () => {
    const ids = await sendPushes(world, templateId, 2, { priority: 'high' });
    await giveUp(world, ids, { at: now + 100 });
    now += 3_600_000;
    await world.notifications.deadLetters.retry(admin, { deliveryIds: ids });
    await reach(ids.slice(0, 1), 300);
    await reach(ids.slice(1), 4_000);
    const { latency } = await aMinute();
    expect(latency[LATENCY_BOUNDS_MS.indexOf(500)]).toBe(1);
    expect(latency[LATENCY_BOUNDS_MS.indexOf(5_000)]).toBe(1);
  });

  it('sees dead letters of the last five minutes, also those that are settled', async () => {
    now += 300_000;
    const ids = await sendPushes(world, templateId, 3);
    await giveUp(world, ids, { at: now });
    await world.notifications.deadLetters.discard(admin, { deliveryIds: ids.slice(0, 2) });
    expect((await observe(world, now, now + 299_000)).dead).toEqual({ push: 3 });
    expect((await observe(world, now, now + 300_000)).dead).toEqual({});
  });

  it('says how many users’ messages wait in each queue, or that nobody can say', async () => {
    await sendPushes(world, templateId, 4, { priority: 'low' });
    const { waiting } = await observe(world, now, now + 1);
    expect(waiting?.['notifications.push.low']).toBeGreaterThanOrEqual(4);
    expect(Object.keys(waiting ?? {})).toHaveLength(12);
    const silent = { counts: () => Promise.reject(new Error('Redis is away')) };
    expect((await observe({ ...world, queues: silent }, now, now + 1)).waiting).toBeNull();
  });

  it('reads what ended meanwhile and nothing before it, however much there was', async () => {
    await world.postgres.query(
      `INSERT INTO delivery_events (request_id, number, delivery_id, event, status, at)
       SELECT gen_random_uuid(), 1, gen_random_uuid(), CASE WHEN n % 7 = 0 THEN 'SENT' ELSE 'CREATED' END, 'SENT',
              now() - n * interval '1 ms'
       FROM generate_series(1, 100000) AS n`,
    );
    await world.postgres.query('VACUUM ANALYZE delivery_events');
    const { attempts } = (await import('../../src/domains/notifications/alerts/observe.sql.js')).sql;
    const { rows } = await world.postgres.query<{ 'QUERY PLAN': string }>(
      { name: 'explained.attempts', text: `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${attempts.text}` },
      [new Date(Date.now() - 1_000), new Date(Date.now() + 60_000), LATENCY_BOUNDS_MS],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/delivery_events\w*_at_idx/);
    expect(plan).not.toMatch(/Seq Scan on delivery_events/);
  });
});
