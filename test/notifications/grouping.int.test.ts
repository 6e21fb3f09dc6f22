import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { alerts, collapseIds, type GroupingWorld, openGroupingWorld } from './grouping-world.js';
import { aUser, caller, deliveriesOf, until } from './notification-world.js';
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
