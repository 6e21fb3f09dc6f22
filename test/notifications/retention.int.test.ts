import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendPushes } from './dead-letter-world.js';
import { forgetting } from './forgetting.js';
import { admin, timelineOf, until } from './notification-world.js';
import { openRetentionWorld, type RetentionWorld } from './retention-world.js';

let world: RetentionWorld;
beforeAll(async () => {
  world = await openRetentionWorld();
});
afterAll(() => world.close());

describe('a request that is over', () => {
  it('goes after 90 days with all that belongs to it, and not before', async () => {
    const [young, old] = [await world.ended(89.9), await world.ended(90.1, { count: 3 })];
    const requestId = await world.requestOf(old[0]!);
    expect(await world.left(old, requestId)).toMatchObject({
      requests: 1,
      deliveries: 3,
      targets: 3,
      events: 15,
    });
    await world.forgetRequests();
    expect(await world.left(old, requestId)).toEqual({
      requests: 0,
      deliveries: 0,
      targets: 0,
      letters: 0,
      events: 0,
    });
    expect(await world.isThere(young)).toBe(true);
    expect(await timelineOf(world, young[0]!)).toHaveLength(5);
  });

  it.each(['SENT', 'OPENED', 'SUPPRESSED', 'EXPIRED', 'CANCELLED'])('goes where it is %s', async (status) => {
    const old = await world.ended(100, { status });
    await world.forgetRequests();
    expect(await world.isThere(old)).toBe(false);
  });

  it('goes where it was given up and settled, and stays as long as its dead letter is open', async () => {
    const [open, discarded] = [
      await world.ended(100, { status: 'DEAD' }),
      await world.ended(100, { status: 'DEAD' }),
    ];
    await world.notifications.deadLetters.discard(admin, { deliveryIds: discarded });
    await world.forgetRequests();
    expect([await world.isThere(open), await world.isThere(discarded)]).toEqual([true, true]);
    await world.postgres.query(
      `UPDATE failed_notifications SET settled_at = now() - interval '91 days' WHERE delivery_id = ANY ($1)`,
      [discarded],
    );
    await world.forgetRequests();
    expect([await world.isThere(open), await world.isThere(discarded)]).toEqual([true, false]);
    await world.notifications.deadLetters.discard(admin, { deliveryIds: open });
  });
});

describe('a request of which something waits', () => {
  it.each(['SCHEDULED', 'QUEUED', 'RETRYING'])('stays whole, however old it is: %s', async (status) => {
    const old = await world.ended(400, { count: 3 });
    await world.postgres.query('UPDATE deliveries SET status = $2 WHERE delivery_id = $1', [old[1], status]);
    await world.forgetRequests();
    expect(await world.left(old)).toMatchObject({ requests: 1, deliveries: 3, targets: 3, events: 15 });
  });

  it('stays while it waits for a digest, and goes afterwards', async () => {
    const old = await world.ended(400, { count: 3, status: 'SUPPRESSED' });
    await world.postgres.query(`UPDATE deliveries SET suppression = 'DIGESTED' WHERE delivery_id = $1`, [
      old[1],
    ]);
    await world.postgres.query(`INSERT INTO digest_items VALUES ($1, 'digest-1', now())`, [old[1]]);
    await world.forgetRequests();
    expect(await world.left(old)).toMatchObject({ requests: 1, deliveries: 3, targets: 3, events: 15 });
    await world.postgres.query('DELETE FROM digest_items WHERE delivery_id = $1', [old[1]]);
    await world.forgetRequests();
    expect(await world.isThere(old)).toBe(false);
  });

  it('stays where it was scheduled for, or came into its mailbox, a short time ago', async () => {
    const [scheduled, released] = [await world.ended(300), await world.ended(300)];
    await world.postgres.query(
      `UPDATE notification_requests SET schedule_at = now() - interval '1 day' WHERE request_id = $1`,
      [await world.requestOf(scheduled[0]!)],
    );
    await world.postgres.query(
      `UPDATE deliveries SET queued_at = now() - interval '1 day' WHERE delivery_id = ANY ($1)`,
      [released],
    );
    await world.forgetRequests();
    expect([await world.isThere(scheduled), await world.isThere(released)]).toEqual([true, true]);
  });

  it('stays while somebody works on it, and nobody is kept waiting', async () => {
    const [held, free] = [await world.ended(100), await world.ended(100)];
    await world.postgres.transaction(async (tx) => {
      await tx.query('SELECT FROM deliveries WHERE delivery_id = ANY ($1) FOR UPDATE', [held]);
      await world.forgetRequests();
      expect([await world.isThere(held), await world.isThere(free)]).toEqual([true, false]);
    });
    await world.forgetRequests();
    expect(await world.isThere(held)).toBe(false);
  });
});

describe('a call', () => {
  it('that waits for a lock makes neither intake nor workers wait', async () => {
    const old = await world.ended(100, { count: 3 });
    await world.postgres.transaction(async (tx) => {
      await tx.query(`SELECT * FROM forget_requests('epoch', $1, now() - interval '90 days', 4000, 20000)`, [
        '00000000-0000-0000-0000-000000000000',
      ]);
      const [deliveryId] = await sendPushes(world, world.templateId, 1);
      const claimed = await world.postgres.query(
        `SELECT "deliveryId" FROM deliveries d, claim_deliveries(ARRAY[d.user_id::text], '{push}', ARRAY[d.priority::text], $2, 5000)
         WHERE d.delivery_id = $1`,
        [deliveryId, [randomUUID()]],
      );
      expect(claimed.rows).toHaveLength(1);
      await world.notifications.reportAll([{ deliveryId: deliveryId!, kind: 'sent' }], 'test');
    });
    expect(await world.isThere(old)).toBe(false);
  });
});

describe('what one call deletes', () => {
  it('is bounded by requests and by their events, and nothing is passed over', async () => {
    const old = [];
    for (let n = 0; n < 5; n++) old.push(await world.ended(600 - n));
    await world.postgres.query('UPDATE notification_requests SET last_event = 20000 WHERE request_id = $1', [
      await world.requestOf(old[1]![0]!),
    ]);
    const { requests, forgotten } = forgetting(world.postgres);
    const after = [];
    do after.push(forgotten.requests ?? 0);
    while ((await requests(3)) === 3);
    // The second one is heavy: the third has to wait for the next call.
    expect(after.slice(0, 2)).toEqual([0, 2]);
    expect(await Promise.all(old.map(world.isThere))).toEqual([false, false, false, false, false]);
  });

  it('is deleted once by processes at once', async () => {
    const old = [];
    for (let n = 0; n < 8; n++) old.push(await world.ended(100));
    const processes = [forgetting(world.postgres), forgetting(world.postgres), forgetting(world.postgres)];
    await Promise.all(
      processes.map(async ({ requests }) => {
        while ((await requests(2)) === 2);
      }),
    );
    await world.forgetRequests();
    expect(await Promise.all(old.map(world.isThere))).toEqual(old.map(() => false));
    expect(processes.reduce((sum, { forgotten }) => sum + forgotten.requests!, 0)).toBeLessThanOrEqual(8);
  });
});

describe('the worker', () => {
  it('lets go by itself what is over, and counts it', async () => {
    const old = await world.ended(91);
    const worker = world.work({ providers: { close: async () => undefined } });
    await worker.run('notifications.forget');
    await until(async () => !(await world.isThere(old)));
    // It is gone before the worker has counted it.
    await expect
      .poll(() => world.metrics.metrics())
      .toMatch(/notification_forgotten_total\{what="requests"\} [1-9]/);
    await worker.close();
  });
});
