import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GroupingWorld, openGroupingWorld } from './grouping-world.js';
import { aUser, caller, deliveriesOf, shop, until } from './notification-world.js';
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

const collapseIds = (messages: Awaited<ReturnType<GroupingWorld['pushesTo']>>) =>
  messages.map(({ headers }) => headers['apns-collapse-id']);
const alerts = (messages: Awaited<ReturnType<GroupingWorld['pushesTo']>>) =>
  messages.map(({ body }) => (body as { aps: { alert: { title: string }; sound?: string } }).aps);

describe('several people who do the same', () => {
  it('are one item of the inbox, which comes back unread and to the top, and one message on the phone', async () => {
    const { userId, token } = await aUser(groups.world);
    await groups.like(userId, 'Ann', 'post');
    const first = await groups.shown(userId, 'Ann');
    expect(first).toMatchObject({ body: 'Ann/0/1 Ann', actorCount: 1 });
    await until(async () => (await groups.pushesTo(token)).length === 1);
    await groups.like(userId, 'Ann', 'another post');
    await until(async () => (await groups.inbox(userId)).length === 2);
    await groups.world.notifications.inbox.mark(userId, 'READ', null);
    await groups.world.notifications.inbox.mark(userId, 'ARCHIVE', [first.itemId]);

    clock.forward(2);
    await groups.like(userId, 'Ben', 'post');
    const second = await groups.shown(userId, 'Ben and 1 other');
    expect(second).toMatchObject({ itemId: first.itemId, body: 'Ben/1/2 Ben', actorCount: 2 });
    expect(second).toMatchObject({ readAt: null, archivedAt: null });
    expect(second.createdAt.getTime()).toBeGreaterThan(first.createdAt.getTime());
    expect(await groups.inbox(userId)).toHaveLength(2);
    expect(await groups.world.notifications.inbox.unread(userId)).toMatchObject({ unreadCount: 1 });

    const pushes = await until(async () => {
      const all = await groups.pushesTo(token);
      return all.length === 3 && all;
    });
    expect(alerts(pushes).map(({ alert, sound }) => [alert.title, sound])).toEqual([
      ['Ann', 'default'],
      ['Ann', 'default'],
      ['Ben and 1 other', undefined],
    ]);
    const [post, another, again] = collapseIds(pushes);
    expect(again).toBe(post);
    expect(another).not.toBe(post);
  });

  it('reach the phone at milestones and after a pause, and each is counted in the end', async () => {
    const { userId, token } = await aUser(groups.world);
    const titles = ['Ann', 'Ben and 1 other', 'Cat and 2 others', 'Dan and 3 others'];
    for (const [index, title] of titles.entries()) {
      await groups.like(userId, title.split(' ')[0]!, 'post');
      await groups.shown(userId, title);
      await until(async () => (await groups.pushesTo(token)).length === Math.min(index + 1, 2));
      clock.forward(2);
    }
    await until(async () => {
      const { 'push DELIVERED': told, 'push SCHEDULED': waiting } = await groups.statuses(userId);
      return told === 2 && waiting === 2;
    });
    clock.forward(120);
    const pushes = await until(async () => {
      const all = await groups.pushesTo(token);
      return all.length === 3 && all;
    });
    expect(alerts(pushes).map(({ alert }) => alert.title)).toEqual([
      ...['Ann', 'Ben and 1 other', 'Dan and 3 others'],
    ]);
    await until(async () => {
      const { 'push SUPPRESSED GROUPED': merged } = await groups.statuses(userId);
      return merged === 1;
    });
  });

  it('are counted once each, however often they act', async () => {
    const { userId } = await aUser(groups.world);
    await groups.like(userId, 'Ann', 'post');
    await groups.shown(userId, 'Ann');
    const again = await groups.like(userId, 'Ann', 'post');
    clock.forward(3_700);
    await until(async () =>
      (await deliveriesOf(groups.world, again)).every(({ suppression }) => suppression === 'GROUPED'),
    );
    const [told] = await groups.inbox(userId);
    const [merged] = await deliveriesOf(groups.world, again);
    const timeline = (await groups.world.notifications.timelines([merged!.deliveryId])).get(
      merged!.deliveryId,
    )!;
    expect(timeline.at(-1)).toMatchObject({
      event: 'SUPPRESSED',
      detail: { reason: 'GROUPED', summarized_by: expect.any(String) },
    });
    expect(told).toMatchObject({ title: 'Ann', actorCount: 1 });
    expect(await groups.groupsOf(userId)).toEqual([{ count: 1, people: ['ann'] }]);
  });

  it('begin a new group once the window is over', async () => {
    const { userId } = await aUser(groups.world);
    await groups.like(userId, 'Ann', 'post');
    const first = await groups.shown(userId, 'Ann');
    clock.forward(12 * 3_600 + 1);
    await groups.like(userId, 'Ben', 'post');
    const second = await groups.shown(userId, 'Ben');
    expect(second.itemId).not.toBe(first.itemId);
    expect(await groups.inbox(userId)).toHaveLength(2);
  });
});

describe("a producer's groups", () => {
  const other = caller('other-shop', 'producer');
  const asOther = (
    userId: string,
    name: string,
    channels: readonly ('push' | 'in_app')[] = ['push', 'in_app'],
  ) => groups.like(userId, name, 'post', { channels }, other);
  const actorsOf = async (userId: string) => {
    const { rows } = await groups.world.postgres.query<{ producer: string; names: string }>(
      `SELECT o.producer, string_agg(a.actor_name, ',' ORDER BY a.nth) AS names
       FROM open_notification_groups o JOIN notification_group_actors a USING (group_id)
       WHERE o.user_id = $1 GROUP BY o.producer, o.group_id ORDER BY 1`,
      [userId],
    );
    return rows;
  };

  it("are apart from another's of the same user, type and key, on the phone as in the inbox", async () => {
    const { userId, token } = await aUser(groups.world);
    await groups.like(userId, 'Ann', 'post');
    const item = await groups.shown(userId, 'Ann');
    await until(async () => (await groups.pushesTo(token)).length === 1);
    clock.forward(2);
    // The same person by their id, under another name.
    await asOther(userId, 'ANN');
    await groups.shown(userId, 'ANN');
    clock.forward(2);
    await groups.like(userId, 'Ben', 'post');
    const renewed = await groups.shown(userId, 'Ben and 1 other');
    expect(renewed.itemId).toBe(item.itemId);
    expect((await groups.inbox(userId)).map(({ title, actorCount }) => [title, actorCount])).toEqual([
      ['Ben and 1 other', 2],
      ['ANN', 1],
    ]);
    const pushes = await until(async () => {
      const all = await groups.pushesTo(token);
      return all.length === 3 && all;
    });
    expect(alerts(pushes).map(({ alert, sound }) => [alert.title, sound])).toEqual([
      ['Ann', 'default'],
      ['ANN', 'default'],
      ['Ben and 1 other', undefined],
    ]);
    const [first, others, again] = collapseIds(pushes);
    expect(again).toBe(first);
    expect(others).not.toBe(first);
    expect(await actorsOf(userId)).toMatchObject([
      { producer: 'other-shop', names: 'ANN' },
      { producer: 'shop', names: 'Ann,Ben' },
    ]);
  });

  it('are apart also where they begin in the same instant', async () => {
    const { userId } = await aUser(groups.world);
    const people = ['Ann', 'Ben', 'Cat'];
    await Promise.all([
      ...people.map((name) => groups.like(userId, name, 'post', { channels: ['in_app'] })),
      ...people.map((name) => asOther(userId, name.toUpperCase(), ['in_app'])),
    ]);
    const found = await actorsOf(userId);
    expect(found.map(({ producer, names }) => [producer, names.split(',').toSorted()])).toEqual([
      ['other-shop', ['ANN', 'BEN', 'CAT']],
      ['shop', ['Ann', 'Ben', 'Cat']],
    ]);
  });

  it('are not changed by who is affirmed or withdrawn in the name of another', async () => {
    const { userId } = await aUser(groups.world);
    const { affirmMember, withdrawMember } = groups.world.notifications;
    const others = { userIds: [userId], producer: 'other-shop', type: 'POST_LIKED' };
    const ann = { key: 'post', actorId: 'ann', actorName: 'ANN' };
    await groups.like(userId, 'Ann', 'post', { channels: ['in_app'] });
    await affirmMember(others, ann);
    await affirmMember(others, { ...ann, actorId: 'ben' });
    await withdrawMember(others, ann, new Date(Date.now() + 60_000));
    expect(await actorsOf(userId)).toMatchObject([{ producer: 'shop', names: 'Ann' }]);
    expect(await groups.groupsOf(userId)).toEqual([{ count: 1, people: ['ann'] }]);
  });
});

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
