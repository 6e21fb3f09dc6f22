import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { markCancelled } from '../../src/domains/notifications/schedule/cancel.js';
import { type DigestWorld, HOUR, openDigestWorld } from './digest-world.js';
import {
  admin,
  deliveriesOf,
  shop,
  type TestWorker,
  timelineOf,
  unique,
  until,
} from './notification-world.js';

let digests: DigestWorld;
let worker: TestWorker;
beforeAll(async () => {
  digests = await openDigestWorld();
});
beforeEach(() => {
  worker = digests.startWorker();
});
afterEach(() => worker.close());
afterAll(() => digests.close());

/** Low priority, and no marketing. */
const weekly = { type: 'WEEKLY_DIGEST' } as const;

const sendDigests = () => worker.run('notifications.digests');

describe('a digest', () => {
  it('leaves out what was cancelled, has expired, or is not wanted any more', async () => {
    const { userId, token } = await digests.aReader();
    const expiresAt = new Date(digests.clock.now() + 1_000);
    const expired = await digests.recommend(userId, 'Expired', { expiresAt });
    const cancelled = await digests.recommend(userId, 'Cancelled');
    const kept = [
      await digests.recommend(userId, 'One', weekly),
      await digests.recommend(userId, 'Two', weekly),
    ];
    const unwanted = await digests.recommend(userId, 'Marketing');
    expect(await digests.world.notifications.cancel(shop, cancelled.request.notificationId)).toEqual({
      ok: true,
      value: 1,
    });
    await digests.world.notifications.updateSettings(userId, { marketingOptIn: false });
    digests.clock.forward(HOUR);
    await sendDigests();
    const sent = await digests.arrived(kept[0]!.digestId);
    expect(sent.content?.body).toBe('For you: Two\nFor you: One');
    const left = await Promise.all(
      [expired, cancelled, unwanted].map(({ request }) => digests.statusOf(request.notificationId)),
    );
    expect(left.map(({ status, suppression }) => [status, suppression])).toEqual([
      ['EXPIRED', 'EXPIRED'],
      ['CANCELLED', 'CANCELLED'],
      ['SUPPRESSED', 'MARKETING_OPT_OUT'],
    ]);
    expect(await digests.pushesTo(token)).toHaveLength(1);
    // It went out with the digest.
    expect(await digests.world.notifications.cancel(shop, kept[0]!.request.notificationId)).toEqual({
      ok: true,
      value: 0,
    });
  });

  it('leaves out what was cancelled while nobody held it, unless it stands for others', async () => {
    const { userId } = await digests.aReader();
    const [cancelled, carrier, kept] = [
      await digests.recommend(userId, 'Cancelled'),
      await digests.recommend(userId, 'Two people'),
      await digests.recommend(userId, 'Kept'),
    ];
    await digests.world.postgres.query(
      `UPDATE deliveries SET rendered_content = rendered_content || '{"group": {"id": "g", "revision": 1, "count": 2}}'
       WHERE delivery_id = $1`,
      [carrier.delivery.deliveryId],
    );
    // As a campaign that is cancelled does with many requests, before it withdraws each.
    await markCancelled(
      digests.world.postgres,
      [cancelled.requestId, carrier.requestId],
      digests.clock.now(),
    );
    digests.clock.forward(HOUR);
    await sendDigests();
    expect((await digests.arrived(kept.digestId)).content?.body).toBe('For you: Kept\nFor you: Two people');
    const left = await Promise.all(
      [cancelled, carrier].map(({ request }) => digests.statusOf(request.notificationId)),
    );
    expect(left.map(({ status, suppression }) => [status, suppression])).toEqual([
      ['CANCELLED', 'CANCELLED'],
      ['SUPPRESSED', 'DIGESTED'],
    ]);
    expect((await timelineOf(digests.world, cancelled.delivery.deliveryId)).at(-1)).toBe('CANCELLED');
    expect(await digests.requestStatus(cancelled.request.notificationId)).toBe('CANCELLED');
    expect(await digests.waitingIn(kept.digestId)).toEqual([]);
  });

  it('leaves out whose address is suppressed, also since it was gathered, and they fall back', async () => {
    const email = `${unique('reader')}@example.com`;
    const { userId } = await digests.aReader({ email });
    const mail = { channel: 'email', fallbackChannels: ['sms'] } as const;
    const gathered = [
      await digests.recommend(userId, 'One', mail),
      await digests.recommend(userId, 'Two', mail),
    ];
    await digests.world.notifications.suppressions.add(admin, { channel: 'email', address: email });
    const late = await digests.recommend(userId, 'Three', mail);
    expect(late).toMatchObject({ notificationsQueued: 1, suppressed: [] });
    digests.clock.forward(HOUR);
    await sendDigests();
    expect(await digests.digest(gathered[0]!.digestId)).toEqual([]);
    expect(await digests.waitingIn(gathered[0]!.digestId)).toEqual([]);
    for (const { request } of [...gathered, late]) {
      const [first, fallback] = await until(async () => {
        const both = await deliveriesOf(digests.world, request.notificationId);
        return both.length === 2 && both.toSorted((a, b) => a.channel.localeCompare(b.channel));
      });
      expect(first).toMatchObject({ status: 'SUPPRESSED', suppression: 'ADDRESS_SUPPRESSED' });
      expect(fallback).toMatchObject({ channel: 'sms', fallbackForId: first!.deliveryId });
    }
  });

  it('is not made for somebody who has turned the type DIGEST off: what it would have had is left out, and says why', async () => {
    const { userId } = await digests.aReader();
    const { notifications } = digests.world;
    const gathered = await digests.recommend(userId, 'Before');
    await digests.recommend(userId, 'Before too');
    await notifications.setPreferences(userId, [
      { notificationType: 'DIGEST', channel: 'push', enabled: false },
    ]);
    await expect(digests.recommend(userId, 'After')).rejects.toThrow(
      /NOTHING_TO_SEND.*CHANNEL_DISABLED: .*type DIGEST/,
    );
    expect(await notifications.effectiveChannels(userId, 'WEEKLY_DIGEST')).toEqual(['email', 'sms']);
    expect(await notifications.effectiveChannels(userId, 'NEW_MESSAGE')).toContain('push');
    // The other channels and priorities are as they were.
    expect((await digests.recommend(userId, 'Mail', { channel: 'email' })).suppressed[0]?.reason).toBe(
      'DIGESTED',
    );
    expect((await digests.recommend(userId, 'Urgent', { priority: 'medium' })).notificationsQueued).toBe(1);
    digests.clock.forward(HOUR);
    await sendDigests();
    const before = await digests.statusOf(gathered.request.notificationId);
    expect(before).toMatchObject({ status: 'SUPPRESSED', suppression: 'CHANNEL_DISABLED' });
    expect(await digests.digest(gathered.digestId)).toEqual([]);
    expect(await digests.waitingIn(gathered.digestId)).toEqual([]);
  });

  it('that cannot be sent at all says why at each of its notifications', async () => {
    const { userId } = await digests.aReader();
    const gathered = [
      await digests.recommend(userId, 'One', { channel: 'email' }),
      await digests.recommend(userId, 'Two', { channel: 'email' }),
    ];
    await digests.world.notifications.updateSettings(userId, { email: null });
    digests.clock.forward(HOUR);
    await sendDigests();
    for (const { request } of gathered)
      expect(await digests.statusOf(request.notificationId)).toMatchObject({
        ...{ status: 'SUPPRESSED', suppression: 'NO_ADDRESS' },
      });
    expect(await digests.digest(gathered[0]!.digestId)).toEqual([]);

    const quiet = [
      await digests.recommend(userId, 'One', weekly),
      await digests.recommend(userId, 'Two', weekly),
    ];
    await digests.world.notifications.updateSettings(userId, {
      ...{ quietHoursStart: '00:00', quietHoursEnd: '23:59' },
    });
    digests.clock.forward(HOUR);
    await sendDigests();
    for (const { request } of quiet)
      expect(await digests.statusOf(request.notificationId)).toMatchObject({
        ...{ status: 'SUPPRESSED', suppression: 'QUIET_HOURS' },
      });
  });
});
