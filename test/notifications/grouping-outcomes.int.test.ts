import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alerts, type GroupingWorld, openGroupingWorld } from './grouping-world.js';
import { aUser, deliveriesOf, shop, until } from './notification-world.js';
import { HeldClock } from './with-sandbox.js';

const clock = new HeldClock();
let groups: GroupingWorld;
let worker: { close(): Promise<void> } | undefined;
beforeAll(async () => {
  groups = await openGroupingWorld(clock, { quietHours: { POST_LIKED: 'defer' } });
  groups.world.runSchedules();
});
beforeEach(() => {
  worker = groups.world.work({ providers: groups.trial.providers(), random: () => 0 });
});
afterEach(() => worker?.close());
afterAll(() => groups?.close());

describe('what is not grouped', () => {
  it('is a mail: each person writes their own', async () => {
    const { userId } = await aUser(groups.world);
    for (const person of ['Ann', 'Ben']) await groups.like(userId, person, 'post', { channels: ['email'] });
    const mails = await until(async () => {
      const all = await groups.trial.received(`?channel=email&to=${userId}@example.com`);
      return all.length === 2 && all;
    });
    expect(JSON.stringify(mails)).toContain('Ann');
    expect(JSON.stringify(mails)).toContain('Ben');
    expect(await groups.groupsOf(userId)).toEqual([]);
  });

  it('is a type that is not configured so, though its texts are the same', async () => {
    const { userId } = await aUser(groups.world);
    for (const person of ['Ann', 'Ben']) {
      const request = groups.requestOf(userId, person, 'post', { channels: ['in_app'] });
      expect(await groups.world.notifications.send(shop, { ...request, type: 'OTHER' })).toMatchObject({
        ok: true,
      });
    }
    const items = await until(async () => {
      const all = await groups.inbox(userId);
      return all.length === 2 && all;
    });
    expect(items.map(({ title, actorCount }) => [title, actorCount])).toEqual([
      ['Ben', null],
      ['Ann', null],
    ]);
  });
});

describe('a group', () => {
  it('wakes its user by the phone once quiet hours are over, of all who came', async () => {
    const { userId, token } = await aUser(groups.world);
    const at = (ms: number) => new Date(ms).toISOString().slice(11, 16);
    const quiet = { quietHoursStart: at(clock.now() - 60_000), quietHoursEnd: at(clock.now() + 3_600_000) };
    await groups.world.notifications.updateSettings(userId, quiet);
    for (const person of ['Ann', 'Ben', 'Cat']) await groups.like(userId, person, 'post');
    expect(await groups.groupsOf(userId)).toEqual([{ count: 3, people: ['ann', 'ben', 'cat'] }]);
    clock.forward(3_720);
    await groups.shown(userId, 'Cat and 2 others');
    const pushes = await until(async () => {
      const all = await groups.pushesTo(token);
      return all.length > 0 && all;
    });
    expect(alerts(pushes).map(({ alert }) => alert.title)).toEqual(['Cat and 2 others']);
  });

  it.each([
    ['by the fallback of the push that stood for it', ['Ann', 'Ben', 'Cat']],
    ['by a fallback that only one of those has for which a push stood', ['Ann']],
  ])('is named as a whole %s', async (_, fallingBack) => {
    const { userId } = await aUser(groups.world);
    await worker?.close();
    await groups.trial.misbehave({ channel: 'push', status: 400, reason: 'BadTopic' });
    for (const person of ['Ann', 'Ben', 'Cat'])
      await groups.like(userId, person, 'post', {
        channels: ['push'],
        ...(fallingBack.includes(person) && { fallbackChannels: ['email'] }),
      });
    worker = groups.world.work({ providers: groups.trial.providers(), random: () => 0 });
    const [mail] = await until(async () => {
      const all = await groups.trial.received(`?channel=email&to=${userId}@example.com`);
      return all.length > 0 && all;
    });
    await groups.trial.behave();
    expect(JSON.stringify(mail)).toContain('Cat and 2 others');
    expect(await groups.statuses(userId)).toMatchObject({ 'push DEAD': 1, 'push SUPPRESSED GROUPED': 2 });
  });

  it('is summed up by the one that expires last, and not cancelled with it', async () => {
    await worker?.close();
    const { userId, token } = await aUser(groups.world);
    const soon = new Date(clock.now() + 60_000);
    await groups.like(userId, 'Ann', 'post', { channels: ['push'], expiresAt: soon });
    const lasting = await groups.like(userId, 'Ben', 'post', { channels: ['push'] });
    await groups.like(userId, 'Cat', 'post', { channels: ['push'], expiresAt: soon });
    const quiet = groups.world.notifications.openDelivery({ providers: groups.trial.providers() });
    while ((await quiet.release()).taken > 0);
    expect((await deliveriesOf(groups.world, lasting))[0]).toMatchObject({ status: 'QUEUED' });
    expect(await groups.world.notifications.cancel(shop, lasting)).toEqual({ ok: true, value: 0 });
    worker = groups.world.work({ providers: groups.trial.providers(), random: () => 0 });
    await until(async () => (await groups.statuses(userId))['push DELIVERED'] === 1);
    expect(await groups.statuses(userId)).toEqual({ 'push DELIVERED': 1, 'push SUPPRESSED GROUPED': 2 });
    expect(await groups.pushesTo(token)).toHaveLength(1);
  });

  it('does not count people who undid it, and counts those who did it again', async () => {
    const { userId } = await aUser(groups.world);
    const { affirmMember, withdrawMember } = groups.world.notifications;
    const of = { userIds: [userId], producer: 'shop', type: 'POST_LIKED' };
    const member = (name: string) => ({ key: 'post', actorId: name.toLowerCase(), actorName: name });
    for (const title of ['Ann', 'Ben and 1 other', 'Cat and 2 others']) {
      await groups.like(userId, title.split(' ')[0]!, 'post', { channels: ['in_app'] });
      await groups.shown(userId, title);
      clock.forward(2);
    }
    const { rows } = await groups.world.postgres.query<{ at: Date }>('SELECT clock_timestamp() AS at');
    const earlier = rows[0]!.at;
    await withdrawMember(of, member('Ann'), new Date(Date.now() + 60_000));
    // What was undone before it was done again stays done.
    await affirmMember(of, member('Ben'));
    await withdrawMember(of, member('Ben'), earlier);
    clock.forward(2);
    await groups.like(userId, 'Dan', 'post', { channels: ['in_app'] });
    await groups.shown(userId, 'Dan and 2 others');
    await affirmMember(of, member('Ann'));
    expect(await groups.groupsOf(userId)).toEqual([{ count: 4, people: ['ann', 'ben', 'cat', 'dan'] }]);
  });

  it('is delivered and opened by the delivery whose text the inbox shows', async () => {
    const { userId } = await aUser(groups.world);
    const ids: string[] = [];
    for (const person of ['Ann', 'Ben']) {
      ids.push(await groups.like(userId, person, 'post', { channels: ['in_app'] }));
      await until(async () => (await deliveriesOf(groups.world, ids.at(-1)!))[0]!.status === 'SENT');
      clock.forward(2);
    }
    await groups.shown(userId, 'Ben and 1 other');
    await groups.world.notifications.inbox.mark(userId, 'READ', null);
    await until(async () => (await deliveriesOf(groups.world, ids[1]!))[0]!.status === 'OPENED');
    expect((await deliveriesOf(groups.world, ids[0]!))[0]!.status).toBe('SENT');
  });

  it('is forgotten a week after it has closed', async () => {
    const { userId } = await aUser(groups.world);
    await groups.like(userId, 'Ann', 'post', { channels: ['in_app'] });
    await groups.shown(userId, 'Ann');
    const forget = async () => {
      const { forgets } = groups.world.notifications.openDelivery({ providers: groups.trial.providers() });
      for (const one of forgets.slice(1, 4)) await one(1_000);
    };
    await forget();
    expect(await groups.groupsOf(userId)).toHaveLength(1);
    clock.forward(8 * 86_400);
    await forget();
    expect(await groups.groupsOf(userId)).toEqual([]);
    const { rows } = await groups.world.postgres.query(
      'SELECT FROM notification_group_actors UNION ALL SELECT FROM open_notification_groups',
    );
    expect(rows).toEqual([]);
  });
});
