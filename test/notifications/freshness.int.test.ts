import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFreshness, type Forgetful } from '../../src/domains/notifications/freshness.js';
import type { Notifications } from '../../src/domains/notifications/index.js';
import { withinMs } from '../../src/platform/deadline.js';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  openSubscriptions,
  type WakeUpHub,
} from '../../src/platform/wake-ups/wake-ups.js';
import { LoopbackHub } from '../commerce/loopback-hub.js';
import {
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
  until,
} from './notification-world.js';
import { silent } from './with-sandbox.js';

/** A cache that keeps a list of what it had to drop. */
function recorded(): Forgetful & { readonly forgotten: string[] } {
  const forgotten: string[] = [];
  return {
    forgotten,
    forgetUser: (userId) => void forgotten.push(`user ${userId}`),
    forgetType: (type) => void forgotten.push(`type ${type}`),
    forgetAll: () => void forgotten.push('all'),
  };
}

/** Without notes in Postgres. */
const alone = {
  lease: {
    isHeld: () => true,
    invalidate: async (_: unknown, write: (epoch: string) => Promise<unknown>) =>
      void (await withinMs(100, write(''))),
  },
  missedWrites: { onTopics: () => () => undefined },
};

describe('a change', () => {
  it('is dropped here at once, and in every process that follows', async () => {
    const hub = new LoopbackHub();
    const [here, there] = [recorded(), recorded()];
    const freshness = createFreshness({ ...alone, wakeUps: hub });
    freshness.keep(here);
    const other = createFreshness({ ...alone, wakeUps: hub });
    other.keep(there);
    const stopping = new AbortController();
    void other.follow(hub, stopping.signal);
    await until(() => other.mayAnswer());
    const told = freshness.userChanged('ann');
    expect(here.forgotten).toEqual(['user ann']);
    await told;
    await freshness.templatesChanged('NEWS');
    await until(() => there.forgotten.length === 3);
    expect(there.forgotten).toEqual(['all', 'user ann', 'type NEWS']);
    expect(here.forgotten).toEqual(['user ann', 'type NEWS']);
    stopping.abort();
    expect(hub.listening).toBe(0);
  });

  it.each([
    ['refuses', () => Promise.reject(new Error('down'))],
    ['does not answer', () => new Promise<void>(() => undefined)],
  ])('is not acknowledged where Redis %s and nothing is noted in Postgres either', async (_, publish) => {
    const here = recorded();
    const freshness = createFreshness({ ...alone, wakeUps: { publish } });
    freshness.keep(here);
    await expect(freshness.userChanged('ann')).rejects.toThrow();
    await expect(freshness.templatesChanged('news')).rejects.toThrow();
    expect(here.forgotten).toEqual(['user ann', 'type news']);
  });
});

it('nothing is answered from memory while the hub that is followed reads nothing, or without a lease', async () => {
  const state = { isHearing: true, isHeld: true };
  const hub = new LoopbackHub();
  const freshness = createFreshness({
    ...alone,
    lease: { ...alone.lease, isHeld: () => state.isHeld },
    wakeUps: hub,
  });
  const stopping = new AbortController();
  const following = freshness.follow(
    { listen: (topic) => hub.listen(topic), isHearing: () => state.isHearing },
    stopping.signal,
  );
  await until(() => freshness.mayAnswer());
  state.isHearing = false;
  expect(freshness.mayAnswer()).toBe(false);
  state.isHearing = true;
  state.isHeld = false;
  expect(freshness.mayAnswer()).toBe(false);
  stopping.abort();
  void following;
});

it('nothing is answered from memory before publishers know of a process, nor what was kept before', async () => {
  const hub = new LoopbackHub();
  const here = recorded();
  const freshness = createFreshness({ ...alone, wakeUps: hub });
  freshness.keep(here);
  const known = Promise.withResolvers<void>();
  const listen = async (topic: string) => {
    await known.promise;
    return hub.listen(topic);
  };
  const stopping = new AbortController();
  const following = freshness.follow({ listen, isHearing: () => true }, stopping.signal);
  expect(freshness.mayAnswer()).toBe(false);
  expect(here.forgotten).toEqual([]);
  known.resolve();
  await until(() => freshness.mayAnswer());
  expect(here.forgotten).toEqual(['all']);
  stopping.abort();
  void following;
});

describe('two processes', () => {
  let world: NotificationWorld;
  let other: Notifications;
  let hub: WakeUpHub;
  let following: Promise<void>;

  beforeAll(async () => {
    world = await openNotificationWorld();
    other = world.another();
    hub = createWakeUpHub(
      openBlockingRedis(world.redisUrl.split(','), () => undefined),
      openSubscriptions(world.redis),
      silent,
    );
    following = other.keepFresh(hub);
    await hub.ready;
  });
  afterAll(async () => {
    hub.close();
    await following;
    await world.close();
  });

  /** What was published before is behind the hub once it has read what is published now. */
  async function allIsHeard(): Promise<void> {
    const topic = unique('probe');
    const probe = await hub.listen(topic);
    await createWakeUpPublisher(world.redis).publish([{ topics: [topic], payload: {} }]);
    while ((await probe.next())?.kind !== 'woken');
    probe.close();
  }

  it('each follow as long as they are asked to', async () => {
    const stopping = new AbortController();
    const following = world.notifications.keepFresh(hub, stopping.signal);
    stopping.abort();
    await following;
    await world.notifications.keepFresh(hub, AbortSignal.abort());
  });

  it('both know soon what a user changed at one of them', async () => {
    const { userId } = await aUser(world);
    const push = { notificationType: 'NEWS', channel: 'push' as const };
    expect(await other.effectiveChannels(userId, 'NEWS')).toEqual(['push', 'email', 'sms']);
    await world.notifications.setPreferences(userId, [{ ...push, enabled: false }]);
    expect(await world.notifications.effectiveChannels(userId, 'NEWS')).toEqual(['email', 'sms']);
    await until(async () => (await other.effectiveChannels(userId, 'NEWS')).length === 2);
    await world.notifications.updateSettings(userId, { quietHoursStart: '00:00', quietHoursEnd: '23:59' });
    expect(await world.notifications.effectiveChannels(userId, 'NEWS')).toEqual([]);
    await until(async () => (await other.effectiveChannels(userId, 'NEWS')).length === 0);
  });

  it('both send soon what was activated at one of them, and a template that one of them did not know', async () => {
    const { userId } = await aUser(world);
    const type = unique('TYPE');
    const templateId = unique('template');
    const bodySentBy = async (sender: Notifications): Promise<string | null> => {
      const recipients = [{ userId, channels: ['push' as const] }];
      const request = aRequest({ templateId, type, recipients });
      const sent = await sender.send(shop, request);
      if (!sent.ok) return sent.errors[0]!.code;
      return (await deliveriesOf(world, request.notificationId))[0]!.content!.body;
    };
    expect(await bodySentBy(other)).toBe('TEMPLATE_NOT_FOUND');
    await aTemplate(world, 'push', type, { templateId, body: 'one' });
    expect(await bodySentBy(world.notifications)).toBe('one');
    await until(async () => (await bodySentBy(other)) === 'one');

    await aTemplate(world, 'push', type, { body: 'two' });
    expect(await bodySentBy(world.notifications)).toBe('two');
    await until(async () => (await bodySentBy(other)) === 'two');
    await world.notifications.templates.activate(templateId);
    expect(await bodySentBy(world.notifications)).toBe('one');
    await until(async () => (await bodySentBy(other)) === 'one');
    await world.notifications.templates.deactivate(templateId);
    expect(await bodySentBy(world.notifications)).toBe('NOTHING_TO_SEND');
    await until(async () => (await bodySentBy(other)) === 'NOTHING_TO_SEND');
  });

  it('one that may have missed something forgets everything', async () => {
    const { userId } = await aUser(world);
    await allIsHeard();
    await other.effectiveChannels(userId, 'NEWS');
    // Behind the domain's back, as if its wake-up were lost.
    await world.postgres.query(
      `INSERT INTO user_notification_prefs (user_id, notification_type, channel, enabled)
       VALUES ($1, 'NEWS', 'sms', false)`,
      [userId],
    );
    expect(await other.effectiveChannels(userId, 'NEWS')).toContain('sms');
    await world.redis.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await until(async () => !(await other.effectiveChannels(userId, 'NEWS')).includes('sms'));
  });
});
