import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drainMailbox } from '../../src/domains/notifications/delivery/drain.js';
import { createOwnDrains } from '../../src/domains/notifications/delivery/drains.js';
import { createMailboxes } from '../../src/domains/notifications/delivery/mailbox.js';
import { decideOutcome } from '../../src/domains/notifications/delivery/outcome.js';
import { queueOf, usersOfWakeUp, wakeMailbox } from '../../src/domains/notifications/delivery/tasks.js';
import { enqueueAllWakeUps } from '../../src/domains/notifications/delivery/wake-up.js';
import { keysOf } from '../../src/platform/queues/queues.js';
import { forgetAll } from '../support/redis.js';
import { type DeliveryTrial, openDeliveryTrial } from './delivery-trial.js';
import { aRequest, aUser, shop, until } from './notification-world.js';

let pushes: DeliveryTrial;
const queue = queueOf('push', 'medium');

beforeAll(async () => {
  pushes = await openDeliveryTrial();
});
beforeEach(async () => {
  await pushes.trial.reset();
  await forgetAll(pushes.world.redis);
});
afterEach(() => pushes.stopWorker());
afterAll(() => pushes.close());

const jobsThatWait = (): Promise<number> => pushes.world.redis.llen(`${keysOf(queue.name)}:wait`);
const waiting = async (): Promise<number> => (await pushes.world.queues.counts(queue.name)).waiting!;

async function pushToAll(users: readonly { readonly userId: string }[]): Promise<string> {
  const recipients = users.map(({ userId }) => ({ userId, channels: ['push' as const] }));
  const request = aRequest({ templateId: pushes.templateId, recipients });
  expect(await pushes.world.notifications.send(shop, request)).toMatchObject({ ok: true });
  return request.notificationId;
}

const someUsers = (count: number) => Promise.all(Array.from({ length: count }, () => aUser(pushes.world)));

/** Makes what is in the mailboxes look as if it had waited for long. */
const age = () =>
  pushes.world.postgres.query(`UPDATE pending_deliveries SET due_at = due_at - interval '1 minute'`);

describe('a wake-up job', () => {
  it('stands for up to 20 users who are woken together, who are counted one by one, and reaches each of them', async () => {
    const users = await someUsers(45);
    const notificationId = await pushToAll(users);
    expect(await jobsThatWait()).toBe(3);
    expect(await waiting()).toBe(45);
    pushes.startWorker();
    await until(async () => {
      const { rows } = await pushes.world.postgres.query<{ count: number }>(
        `SELECT count(*)::int FROM deliveries WHERE notification_id = $1 AND status = 'DELIVERED'`,
        [notificationId],
      );
      return rows[0]!.count === 45;
    });
    for (const { token } of users) expect(await pushes.textsTo(token)).toHaveLength(1);
    await expect.poll(waiting).toBe(0);
  });

  it('of a user who is woken alone waits once, however often that happens', async () => {
    const { userId } = await aUser(pushes.world);
    for (let n = 0; n < 5; n += 1) await pushes.push(userId);
    expect(await jobsThatWait()).toBe(1);
  });

  it('keeps the correlation id of each of its users', async () => {
    await enqueueAllWakeUps(pushes.world.queues, [
      { mailbox: { queue, userId: 'ann' }, correlationId: 'one' },
      { mailbox: { queue, userId: 'ben' }, correlationId: 'two' },
      { mailbox: { queue, userId: 'ann' }, correlationId: 'three' },
      { mailbox: { queue, userId: 'cy' }, correlationId: 'one' },
    ]);
    const [id] = await pushes.world.redis.lrange(`${keysOf(queue.name)}:wait`, 0, -1);
    const data = JSON.parse((await pushes.world.redis.hget(`${keysOf(queue.name)}:${id}`, 'data'))!);
    expect(
      usersOfWakeUp.of({ ...data, payload: wakeMailbox.get(queue.name)!.payload.parse(data.payload) }),
    ).toEqual([
      { payload: { userId: 'ann' }, correlationId: 'one' },
      { payload: { userId: 'ben' }, correlationId: 'two' },
      { payload: { userId: 'cy' }, correlationId: 'one' },
    ]);
    // What workers of earlier versions read.
    expect(data.payload).toMatchObject({ userId: 'ann' });
  });

  it('of an earlier version is understood', async () => {
    const { userId } = await aUser(pushes.world);
    const notificationId = await pushes.push(userId);
    await forgetAll(pushes.world.redis);
    const earlier = { userId, afterLease: true };
    await pushes.world.queues.enqueue(wakeMailbox.get(queue.name)!, earlier, { correlationId: 'test' });
    pushes.startWorker();
    await pushes.inStatus(notificationId, 'DELIVERED');
  });
});

describe('the sweeper', () => {
  it('enqueues nothing again that it has enqueued and that still waits', async () => {
    const users = await someUsers(30);
    await pushToAll(users);
    await forgetAll(pushes.world.redis);
    await age();
    const worker = pushes.world.notifications.openDelivery({ providers: pushes.trial.providers() });
    await worker.sweep('test');
    const jobs = await jobsThatWait();
    expect(jobs).toBeGreaterThanOrEqual(30);
    for (let round = 0; round < 3; round += 1) {
      await age();
      await worker.sweep('test');
    }
    expect(await jobsThatWait()).toBe(jobs);
  });
});

describe('a message that comes while its user is sent to', () => {
  it('is sent by the same worker, which needs no job for it', async () => {
    const [one, two] = await someUsers(2);
    await pushes.trial.misbehave({ channel: 'push', latencyMs: 300 });
    pushes.startWorker();
    await pushToAll([one!, two!]);
    await until(async () => (await pushes.textsTo(one!.token)).length > 0 || (await isCalling(one!.userId)));
    const next = await pushToAll([one!, two!]);
    await until(async () => {
      const { rows } = await pushes.world.postgres.query<{ count: number }>(
        `SELECT count(*)::int FROM deliveries WHERE notification_id = $1 AND status = 'DELIVERED'`,
        [next],
      );
      return rows[0]!.count === 2;
    });
    for (const { token } of [one!, two!]) expect(await pushes.textsTo(token)).toHaveLength(2);
    expect(await pushes.world.redis.zcard(`${keysOf(queue.name)}:delayed`)).toBe(0);
  });

  it('is seen by the worker that ends the call, whichever worker was woken for it', async () => {
    const { userId } = await aUser(pushes.world);
    const mailbox = { queue, userId };
    const ids = { next: () => randomUUID() };
    const [caller, woken] = [0, 1].map(() =>
      createMailboxes(pushes.world.postgres, ids, 60_000, () => undefined),
    );
    await pushes.push(userId);
    const claim = await caller!.claim(mailbox);
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    await pushes.push(userId);
    expect(await woken!.claim(mailbox)).toMatchObject({ kind: 'held' });
    expect(await caller!.finish(mailbox, delivered(claim.delivery))).toMatchObject({ isFollowed: true });
    const next = await caller!.claim(mailbox);
    if (next.kind !== 'claimed') throw new Error(next.kind);
    expect(await caller!.finish(mailbox, delivered(next.delivery))).toMatchObject({ isFollowed: false });
  });

  it('is seen also where it was accepted while the worker already recorded how the call ended', async () => {
    const { userId } = await aUser(pushes.world);
    const { postgres } = pushes.world;
    const mailbox = { queue, userId };
    const caller = createMailboxes(postgres, { next: () => randomUUID() }, 60_000, () => undefined);
    await pushes.push(userId);
    const claim = await caller.claim(mailbox);
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    let finishing: ReturnType<typeof caller.finish> | undefined;
    await postgres.transaction(async (tx) => {
      await tx.query('SELECT FROM pending_deliveries WHERE user_id = $1 FOR UPDATE', [userId]);
      finishing = caller.finish(mailbox, delivered(claim.delivery));
      await until(async () => {
        const { rows } = await postgres.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%followed_deliveries%'
             AND datname = current_database() AND pid <> pg_backend_pid()`,
        );
        return rows.length > 0;
      });
      await pushes.push(userId);
    });
    expect(await finishing).toMatchObject({ isFollowed: true });
  });

  it('is not lost where the drain that it was left to fails', async () => {
    const { userId } = await aUser(pushes.world);
    const failing = Promise.withResolvers<never>();
    const drains = createOwnDrains();
    const deps = {
      drains,
      queues: pushes.world.queues,
      mailboxes: { claim: () => failing.promise },
    } as unknown as Parameters<typeof drainMailbox>[0];
    const run = { correlationId: 'test', signal: new AbortController().signal } as Parameters<
      typeof drainMailbox
    >[2];
    const mailbox = { queue, userId };
    const first = drainMailbox(deps, mailbox, run);
    await drainMailbox(deps, mailbox, run);
    failing.reject(new Error('the database is away'));
    await expect(first).rejects.toThrow('the database is away');
    expect(await jobsThatWait()).toBe(1);
    expect(drains.begin(mailbox)).not.toBeNull();
  });
});

async function isCalling(userId: string): Promise<boolean> {
  const { rows } = await pushes.world.postgres.query<{ held: boolean }>(
    'SELECT lease_token IS NOT NULL AS held FROM pending_deliveries WHERE user_id = $1',
    [userId],
  );
  return rows[0]?.held ?? false;
}

const delivered = (delivery: Parameters<typeof decideOutcome>[0]) =>
  decideOutcome(
    delivery,
    [{ target: delivery.targets[0]!, startedAt: new Date(), outcome: { kind: 'delivered' } }],
    Date.now(),
    0,
  );
