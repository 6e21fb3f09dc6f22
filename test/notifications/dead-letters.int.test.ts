import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeadLetterSelection } from '../../src/domains/notifications/index.js';
import type { PageRequest } from '../../src/platform/paging.js';
import { giveUp, sendPushes } from './dead-letter-world.js';
import {
  admin,
  aTemplate,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  timelineOf,
  until,
} from './notification-world.js';
import { type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

let world: NotificationWorld;
let trial: SandboxTrial;
let templateId: string;

beforeAll(async () => {
  [world, trial] = await Promise.all([openNotificationWorld(), tryWithSandbox()]);
  templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED');
});
afterAll(async () => {
  await world.close();
  await trial.close();
});

const statusOf = async (deliveryId: string) =>
  (await world.notifications.deliveriesById([deliveryId]))[0]!.status;
const retry = async (selection: DeadLetterSelection) => {
  const result = await world.notifications.deadLetters.retry(admin, selection);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value;
};
const dead = async (count: number, own = {}) =>
  giveUp(world, await sendPushes(world, templateId, count, own));
const isOpen = async (deliveryId: string) =>
  (await world.notifications.deadLetters.byId([deliveryId]))[0]?.settledAt === null;
/** Nothing of earlier tests is open. */
const settleAll = () =>
  world.postgres.query('UPDATE failed_notifications SET settled_at = now() WHERE settled_at IS NULL');

describe('a dead letter that is retried', () => {
  it('is sent to the phone that had failed for good, as if it were new, and says who wanted it', async () => {
    const [deliveryId] = await dead(1, { priority: 'high' });
    const worker = world.work({ providers: trial.providers() });
    expect(await retry({ deliveryIds: [deliveryId!] })).toEqual({
      affected: 1,
      settled: [deliveryId],
      skipped: [],
      hasMore: false,
    });
    await until(async () => (await statusOf(deliveryId!)) === 'DELIVERED');
    await worker.close();

    const timeline = (await world.notifications.timelines([deliveryId!])).get(deliveryId!)!;
    expect(timeline.map(({ event }) => event).slice(-4)).toEqual(['DLQ', 'QUEUED', 'SENT', 'DELIVERED']);
    expect(timeline.at(-3)!.detail).toEqual({ retried_by: 'root' });
    expect(await isOpen(deliveryId!)).toBe(false);
  });

  it('has all its attempts again, and is open again where it dies again', async () => {
    const [deliveryId] = await dead(1, { priority: 'high' });
    await trial.misbehave({ channel: 'push', status: 503, reason: 'ServiceUnavailable' });
    const worker = world.work({ providers: trial.providers(), random: () => 0 });
    await retry({ deliveryIds: [deliveryId!] });
    await until(() => isOpen(deliveryId!));
    await worker.close();
    await trial.reset();
    const timeline = await timelineOf(world, deliveryId!);
    const since = timeline.slice(timeline.indexOf('DLQ') + 1);
    expect(since.filter((event) => event === 'FAILED')).toHaveLength(4);
    expect(since.at(-1)).toBe('DLQ');
  });

  it('is not sent if it has expired meanwhile', async () => {
    const [deliveryId] = await dead(1, { expiresAt: new Date(Date.now() + 3_600_000) });
    await world.postgres.query(
      `UPDATE deliveries SET expires_at = expires_at - interval '2 hours' WHERE delivery_id = $1`,
      [deliveryId],
    );
    const worker = world.work({ providers: trial.providers() });
    await retry({ deliveryIds: [deliveryId!] });
    await until(async () => (await statusOf(deliveryId!)) === 'EXPIRED');
    await worker.close();
  });

  it('is closed and not sent if its user has declined it meanwhile', async () => {
    const [declined, wanted] = await dead(2);
    const [delivery] = await world.notifications.deliveriesById([declined!]);
    const off = { notificationType: 'ORDER_SHIPPED', channel: 'push' as const, enabled: false };
    await world.notifications.setPreferences(delivery!.userId, [off]);
    expect((await retry({ deliveryIds: [declined!, wanted!] })).affected).toBe(2);
    expect([await statusOf(declined!), await statusOf(wanted!)]).toEqual(['DEAD', 'QUEUED']);
    expect(await isOpen(declined!)).toBe(false);
  });

  it('is retried once, however many admins retry it at once, by name or with its channel', async () => {
    await settleAll();
    const ids = await dead(60);
    const calls = [
      ...Array.from({ length: 3 }, () => retry({ deliveryIds: ids })),
      ...Array.from({ length: 3 }, () => retry({ channel: 'push' })),
    ];
    const settled = (await Promise.all(calls)).reduce((sum, { affected }) => sum + affected, 0);
    expect(settled).toBe(60);
    for (const id of ids) {
      const timeline = await timelineOf(world, id);
      expect(timeline.slice(timeline.indexOf('DLQ'))).toEqual(['DLQ', 'QUEUED']);
    }
  });

  it('enqueues the urgent first, and only after the commit', async () => {
    await settleAll();
    const low = await dead(1, { priority: 'low' });
    const high = await dead(1, { priority: 'high' });
    const enqueued: string[] = [];
    const { queues } = world;
    const enqueueMany = queues.enqueueMany.bind(queues);
    queues.enqueueMany = async (task, jobs) => {
      const id = task.queue.endsWith('high') ? high[0]! : low[0]!;
      enqueued.push(`${task.queue} ${await statusOf(id)}`);
      return enqueueMany(task, jobs);
    };
    try {
      await retry({ channel: 'push' });
    } finally {
      queues.enqueueMany = enqueueMany;
    }
    expect(enqueued).toEqual(['notifications.push.high QUEUED', 'notifications.push.low QUEUED']);
  });

  it('stays retried where no wake-up job can be enqueued, and its subscribers are woken', async () => {
    const [deliveryId] = await dead(1);
    const published: unknown[] = [];
    const publish = async (wakeUps: readonly unknown[]) => void published.push(...wakeUps);
    const { deadLetters } = world.another({ wakeUps: { publish } });
    const { queues } = world;
    const enqueueMany = queues.enqueueMany.bind(queues);
    queues.enqueueMany = () => Promise.reject(new Error('Redis is away'));
    try {
      const retried = await deadLetters.retry(admin, { deliveryIds: [deliveryId!] });
      expect(retried).toMatchObject({ ok: true, value: { affected: 1 } });
    } finally {
      queues.enqueueMany = enqueueMany;
    }
    expect(await statusOf(deliveryId!)).toBe('QUEUED');
    expect(published).toHaveLength(1);
  });

  it('is enqueued where its subscribers cannot be woken', async () => {
    const [deliveryId] = await dead(1, { priority: 'high' });
    const publish = () => Promise.reject(new Error('neither Redis nor Postgres'));
    const { deadLetters } = world.another({ wakeUps: { publish } });
    const enqueued: string[] = [];
    const { queues } = world;
    const enqueueMany = queues.enqueueMany.bind(queues);
    queues.enqueueMany = (task, jobs) => {
      enqueued.push(task.queue);
      return enqueueMany(task, jobs);
    };
    try {
      expect(await deadLetters.retry(admin, { deliveryIds: [deliveryId!] })).toMatchObject({ ok: true });
    } finally {
      queues.enqueueMany = enqueueMany;
    }
    expect(enqueued).toEqual(['notifications.push.high']);
  });
});

describe('dead letters that are settled', () => {
  it('are those that are named and open; what else is named is answered as skipped', async () => {
    const [first, second, third] = await dead(3);
    await world.notifications.deadLetters.discard(admin, { deliveryIds: [third!] });
    const unknown = randomUUID();
    const named = [first!, second!.toUpperCase(), first!, third!, unknown, 'no id'];
    expect(await retry({ deliveryIds: named })).toEqual({
      affected: 2,
      settled: expect.toSatisfy((ids: string[]) => new Set(ids).size === 2 && !ids.includes(third!)),
      skipped: [third, unknown, 'no id'],
      hasMore: false,
    });
    expect(await statusOf(third!)).toBe('DEAD');
  });

  it('are of the channel alone, where ids and a channel are given', async () => {
    const [deliveryId] = await dead(1);
    expect(await retry({ deliveryIds: [deliveryId!], channel: 'sms' })).toEqual({
      affected: 0,
      settled: [],
      skipped: [deliveryId],
      hasMore: false,
    });
    expect(await isOpen(deliveryId!)).toBe(true);
    expect(await retry({ deliveryIds: [deliveryId!], channel: 'push' })).toMatchObject({ affected: 1 });
  });

  it('stay dead where they are discarded, and are not retried any more', async () => {
    const [deliveryId] = await dead(1);
    const discarded = await world.notifications.deadLetters.discard(admin, { deliveryIds: [deliveryId!] });
    expect(discarded).toMatchObject({ ok: true, value: { affected: 1, skipped: [], hasMore: false } });
    expect(await retry({ deliveryIds: [deliveryId!] })).toMatchObject({ affected: 0, skipped: [deliveryId] });
    expect(await statusOf(deliveryId!)).toBe('DEAD');
    expect((await timelineOf(world, deliveryId!)).at(-1)).toBe('DLQ');
  });

  it('must be named, a thousand at most', async () => {
    const refusals = [
      [{}, 'NO_DEAD_LETTERS', ['input']],
      [{ deliveryIds: [] }, 'NO_DEAD_LETTERS', ['input', 'deliveryIds']],
      [{ deliveryIds: [], channel: 'push' }, 'NO_DEAD_LETTERS', ['input', 'deliveryIds']],
      [{ deliveryIds: Array(1_001).fill(randomUUID()) }, 'TOO_MANY_DEAD_LETTERS', ['input', 'deliveryIds']],
    ] as const;
    for (const [selection, code, path] of refusals) {
      for (const settle of ['retry', 'discard'] as const) {
        const result = await world.notifications.deadLetters[settle](admin, selection);
        expect(result).toMatchObject({ ok: false, errors: [{ code, path }] });
      }
    }
    const most = Array.from({ length: 1_000 }, () => randomUUID());
    expect(await retry({ deliveryIds: most })).toEqual({
      affected: 0,
      settled: [],
      skipped: most,
      hasMore: false,
    });
  });

  it('with a channel are all that are open in it, in more batches than one, and no other channel’s', async () => {
    await settleAll();
    const [mail] = await dead(1);
    await world.postgres.query(`UPDATE failed_notifications SET channel = 'email' WHERE delivery_id = $1`, [
      mail,
    ]);
    for (let made = 0; made < 1_200; made += 400) await dead(400);
    const settlement = await retry({ channel: 'push' });
    expect(settlement).toMatchObject({ affected: 1_200, skipped: [], hasMore: false });
    expect(settlement).toMatchObject({ settled: { length: 100 } });
    const page: PageRequest = { limit: 10, direction: 'forward', cursor: null };
    const open = await world.notifications.deadLetters.page(page, null);
    expect(open.edges.map(({ node }) => node.deliveryId)).toEqual([mail]);
  });
});

describe('a request that is sent again under its id', () => {
  it('takes up what was given up of it, and nothing else', async () => {
    const [given, other] = await sendPushes(world, templateId, 2);
    await giveUp(world, [given!]);
    const [delivery] = await world.notifications.deliveriesById([given!]);
    await world.notifications.deadLetters.resend(delivery!.requestId, 'test');
    expect(await isOpen(given!)).toBe(false);
    const timeline = (await world.notifications.timelines([given!])).get(given!)!;
    expect(timeline.at(-1)).toMatchObject({ event: 'QUEUED', detail: { retried_by: shop.viewer.userId } });
    expect((await timelineOf(world, other!)).filter((event) => event === 'QUEUED')).toHaveLength(1);
  });

  it('leaves dead what its user does not want any more', async () => {
    const [given] = await sendPushes(world, templateId, 1);
    await giveUp(world, [given!]);
    const [delivery] = await world.notifications.deliveriesById([given!]);
    const off = { notificationType: 'ORDER_SHIPPED', channel: 'push' as const, enabled: false };
    await world.notifications.setPreferences(delivery!.userId, [off]);
    await world.notifications.deadLetters.resend(delivery!.requestId, 'test');
    expect(await isOpen(given!)).toBe(true);
    const [left] = await world.notifications.deliveriesById([given!]);
    expect(left!.status).toBe('DEAD');
  });

  it('counts each time against what its user may get', async () => {
    const [given] = await sendPushes(world, templateId, 1);
    const [delivery] = await world.notifications.deliveriesById([given!]);
    for (let n = 0; n < 35; n += 1) {
      await giveUp(world, [given!]);
      await world.notifications.deadLetters.resend(delivery!.requestId, 'test');
    }
    const times = (await timelineOf(world, given!)).filter((event) => event === 'QUEUED').length;
    expect(times).toBe(30);
  });
});
