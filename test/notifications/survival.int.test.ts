import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { failed } from '../../src/domains/notifications/providers/failure.js';
import type { Providers } from '../../src/domains/notifications/providers/index.js';
import type { Provider } from '../../src/domains/notifications/providers/provider.js';
import { forgetAll } from '../support/redis.js';
import { ACCEPTED, type DeliveryTrial, openDeliveryTrial } from './delivery-trial.js';
import { aUser, deliveriesOf, timelineOf, until } from './notification-world.js';

let pushes: DeliveryTrial;

beforeAll(async () => {
  pushes = await openDeliveryTrial();
});
beforeEach(() => pushes.trial.reset());
afterEach(() => pushes.stopWorker());
afterAll(() => pushes.close());

describe('nothing is lost', () => {
  it('where a worker is closed in the middle and another one goes on', async () => {
    const { userId, token } = await aUser(pushes.world);
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`);
    let last = '';
    for (const name of names) last = await pushes.push(userId, { name });
    await pushes.trial.misbehave({ channel: 'push', latencyMs: 150 });
    pushes.startWorker();
    await until(async () => (await pushes.textsTo(token)).length >= 3);
    await pushes.stopWorker();
    const sent = (await pushes.textsTo(token)).length;
    expect(sent).toBeLessThan(12);
    await pushes.trial.behave();
    pushes.startWorker();
    await pushes.inStatus(last, 'DELIVERED');
    expect(await pushes.textsTo(token)).toEqual(names);
  });

  it('where Redis forgets everything in the middle', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => aUser(pushes.world)));
    const sent = await Promise.all(users.map(({ userId }) => pushes.push(userId, { priority: 'low' })));
    await pushes.trial.misbehave({ channel: 'push', status: 503, reason: 'ServiceUnavailable', times: 3 });
    pushes.world.runSchedules();
    await forgetAll(pushes.world.redis);
    pushes.startWorker();
    for (const notificationId of sent) await pushes.inStatus(notificationId, 'DELIVERED', 30_000);
  });

  it('where a worker dies with a lease: the lease ends, the sweeper enqueues a job, another worker sends', async () => {
    const { userId } = await aUser(pushes.world);
    const notificationId = await pushes.push(userId);
    const dying = pushes.world.notifications.openDelivery({
      providers: pushes.trial.providers(),
      leaseMs: 200,
    });
    await forgetAll(pushes.world.redis);
    await pushes.world.postgres.query(
      `UPDATE deliveries SET lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '200 ms',
                             created_at = created_at - interval '10 s'
       WHERE notification_id = $1`,
      [notificationId],
    );
    pushes.startWorker();
    await until(async () => {
      await dying.sweep('test');
      const [delivery] = await deliveriesOf(pushes.world, notificationId);
      return delivery?.status === 'DELIVERED';
    });
  });

  it('where a worker dies with a lease: a wake-up job finds it, and another one is enqueued for the end of the lease', async () => {
    const { userId, token } = await aUser(pushes.world);
    const first = await pushes.push(userId, { name: 'first' });
    await pushes.world.postgres.query(
      `UPDATE deliveries SET lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 s'
       WHERE notification_id = $1`,
      [first],
    );
    pushes.startWorker();
    const second = await pushes.push(userId, { name: 'second' });
    await pushes.inStatus(first, 'DELIVERED', 5_000);
    await pushes.inStatus(second, 'DELIVERED', 5_000);
    expect(await pushes.textsTo(token)).toEqual(['first', 'second']);
  });

  it('and what a dead worker may have sent says so, even where a pause comes before the call that may repeat it', async () => {
    const { userId } = await aUser(pushes.world);
    const notificationId = await pushes.push(userId);
    await pushes.world.postgres.query(
      `UPDATE deliveries SET lease_token = gen_random_uuid(), lease_until = clock_timestamp() - interval '1 s'
       WHERE notification_id = $1`,
      [notificationId],
    );
    pushes.startWorker({ providers: pausedAtFirst(pushes.trial.providers()) });
    const { deliveryId } = await pushes.inStatus(notificationId, 'DELIVERED');
    const timelines = await pushes.world.notifications.timelines([deliveryId]);
    const steps = timelines.get(deliveryId)!.slice(ACCEPTED.length);
    expect(steps.map(({ event }) => event)).toEqual(['RETRY', 'SENT', 'DELIVERED']);
    expect(steps.filter(({ detail }) => detail?.taken_over).map(({ event }) => event)).toEqual(['RETRY']);
  });

  it('and nothing is written by a worker whose lease went to another one', async () => {
    const { createMailboxes } = await import('../../src/domains/notifications/delivery/mailbox.js');
    const { decideOutcome } = await import('../../src/domains/notifications/delivery/outcome.js');
    const { queueOf } = await import('../../src/domains/notifications/delivery/tasks.js');
    const { userId } = await aUser(pushes.world);
    const notificationId = await pushes.push(userId);
    const mailbox = { userId, queue: queueOf('push', 'medium') };
    const ids = { next: () => randomUUID() };
    const quick = createMailboxes(pushes.world.postgres, ids, 1, () => undefined);
    const slow = createMailboxes(pushes.world.postgres, ids, 60_000, () => undefined);
    const claimed = async (from: typeof quick) => {
      const claim = await from.claim(mailbox);
      return claim.kind === 'claimed' && claim.delivery;
    };
    const first = await until(() => claimed(quick));
    const second = await until(() => claimed(slow));
    expect(await slow.claim(mailbox)).toMatchObject({ kind: 'held', leaseToken: second.leaseToken });
    const outcomeOf = (delivery: typeof first) => {
      const call = {
        target: delivery.targets[0]!,
        startedAt: new Date(),
        outcome: { kind: 'delivered' as const },
      };
      return decideOutcome(delivery, [call], Date.now(), 0);
    };
    expect(await quick.finish(mailbox, outcomeOf(first))).toBe(null);
    expect((await pushes.firstOf(notificationId)).status).toBe('QUEUED');
    expect(await slow.finish(mailbox, outcomeOf(second))).toMatchObject({ hasFallback: false });
    expect(await quick.finish(mailbox, outcomeOf(first))).toBe(null);
    const delivery = await pushes.firstOf(notificationId);
    expect(await timelineOf(pushes.world, delivery.deliveryId)).toEqual([...ACCEPTED, 'SENT', 'DELIVERED']);
  });
});

describe('the sweeper', () => {
  it('makes the lifecycle partitions of the coming days, once', async () => {
    const worker = pushes.world.notifications.openDelivery({ providers: pushes.trial.providers() });
    await Promise.all([worker.sweep('test'), worker.sweep('test')]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const { rows } = await pushes.world.postgres.query<{ bounds: string }>(
      `SELECT pg_get_expr(c.relpartbound, c.oid) AS bounds FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'delivery_events'::regclass ORDER BY c.relname`,
    );
    expect(
      rows.filter(({ bounds }) => bounds.startsWith(`FOR VALUES FROM ('${tomorrow} 00:00:00+00')`)),
    ).toHaveLength(1);
    expect(rows).toHaveLength(3);
  });
});

/** Providers of which Apple's pauses for its first call. */
function pausedAtFirst(providers: Providers): Providers {
  const ios = providers.ios!;
  let calls = 0;
  const send: Provider['send'] = (message, signal) =>
    ++calls > 1
      ? ios.send(message, signal)
      : Promise.resolve(failed('PROVIDER_PAUSED', 'for a moment', { retryable: true, retryAfter: 1 }));
  return { ...providers, ios: { ...ios, send } };
}
