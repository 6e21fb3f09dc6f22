import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InboxUpdate } from '../../src/domains/notifications/inbox/index.js';
import { fill, firstPage, type InboxWorld, openInboxWorld } from './inbox-world.js';
import { unique, until } from './notification-world.js';

let world: InboxWorld;
beforeAll(async () => {
  world = await openInboxWorld();
});
afterAll(() => world.close());

/** Follows until stopped; what came is in `updates`. */
function follow(userId: string, after: string | null) {
  const stop = new AbortController();
  const updates: InboxUpdate[] = [];
  const ended = (async () => {
    for await (const update of world.inbox.follow(world.hub, userId, after, stop.signal))
      updates.push(update);
  })();
  return {
    updates,
    bodies: () => updates.map(({ item }) => item?.body ?? 'refetch'),
    async stop() {
      stop.abort();
      await ended;
    },
    ended,
  };
}
const startOf = async (userId: string): Promise<string> =>
  (await world.inbox.page(userId, firstPage, 'ALL')).updatesAfter;

describe('following an inbox', () => {
  it('brings what comes and what is marked, with the unread count', async () => {
    const userId = unique('user');
    const live = follow(userId, await startOf(userId));
    const [item] = await fill(world, userId, 'hello');
    await until(() => live.updates.length === 1);
    await world.inbox.mark(userId, 'READ', [item!]);
    await until(() => live.updates.length === 2);
    await world.inbox.mark(userId, 'ARCHIVE', [item!]);
    await until(() => live.updates.length === 3);
    await live.stop();
    expect(live.updates.map(({ unreadCount }) => unreadCount)).toEqual([1, 0, 0]);
    expect(live.updates.map(({ item }) => [item?.body, item?.readAt, item?.archivedAt])).toEqual([
      ['hello', null, null],
      ['hello', expect.any(Date), null],
      ['hello', expect.any(Date), expect.any(Date)],
    ]);
  });

  it('goes on from any cursor without gap or repeat', async () => {
    const userId = unique('user');
    const live = follow(userId, await startOf(userId));
    await fill(world, userId, '1', '2', '3', '4', '5', '6');
    await until(() => live.updates.length === 6);
    await live.stop();
    expect(live.bodies()).toEqual(['1', '2', '3', '4', '5', '6']);
    for (const at of [0, 2, 4]) {
      const rest = follow(userId, live.updates[at]!.cursor);
      await until(() => rest.updates.length === 5 - at);
      await rest.stop();
      expect(rest.bodies()).toEqual(live.bodies().slice(at + 1));
    }
  });

  it('goes on from a page: what came since is brought, and nothing else', async () => {
    const userId = unique('user');
    await fill(world, userId, 'old');
    const since = await startOf(userId);
    await fill(world, userId, 'new');
    const live = follow(userId, since);
    await until(() => live.updates.length === 1);
    await live.stop();
    expect(live.bodies()).toEqual(['new']);
  });

  it('begins now where no cursor is given', async () => {
    const userId = unique('user');
    await fill(world, userId, 'old');
    const live = follow(userId, null);
    // It is listening once it brings something; until then each item may have come too early.
    let sent = 0;
    await until(async () => {
      await fill(world, userId, `new ${++sent}`);
      return live.updates.length > 0;
    });
    await live.stop();
    expect(live.bodies()).not.toContain('old');
  });

  it('brings more than 20 changes as one that says to read again, and goes on after them', async () => {
    const userId = unique('user');
    const since = await startOf(userId);
    const twenty = Array.from({ length: 20 }, (_, i) => String(i));
    await fill(world, userId, ...twenty);
    const each = follow(userId, since);
    await until(() => each.updates.length === 20);
    await each.stop();
    expect(each.bodies()).toEqual(twenty);
    await fill(world, userId, 'one more');
    const lot = follow(userId, since);
    await until(() => lot.updates.length === 1);
    await fill(world, userId, 'then');
    await until(() => lot.updates.length === 2);
    await lot.stop();
    expect(lot.bodies()).toEqual(['refetch', 'then']);
    expect(lot.updates.map(({ unreadCount }) => unreadCount)).toEqual([21, 22]);
  });

  it('brings a user nothing of anybody else', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    const [hers, his] = [follow(ann, await startOf(ann)), follow(bob, await startOf(bob))];
    await fill(world, bob, 'his');
    await fill(world, ann, 'hers');
    await until(() => hers.updates.length === 1 && his.updates.length === 1);
    await Promise.all([hers.stop(), his.stop()]);
    expect([hers.bodies(), his.bodies()]).toEqual([['hers'], ['his']]);
  });

  it('refuses another user’s cursor, one of the future, and rubbish', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    const future = Buffer.from(JSON.stringify([ann, 99])).toString('base64url');
    for (const cursor of [await startOf(bob), future, 'rubbish']) {
      await expect(follow(ann, cursor).ended).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    }
  });

  it('loses and repeats nothing while many write and mark, though it is cut off again and again', async () => {
    const userId = unique('user');
    let cursor = await startOf(userId);
    let isOver = false;
    const seen = new Map<string, string>();
    const cursors: string[] = [];
    const wholeInbox = async () =>
      (await world.inbox.page(userId, { ...firstPage, limit: 100 }, 'ALL')).edges.map(({ node }) => node);
    const isBehind = async () => (await startOf(userId)) !== cursor;
    const reading = (async () => {
      while (!isOver || (await isBehind())) {
        const stop = new AbortController();
        let left = 3;
        const neverAborted = setTimeout(() => stop.abort(), 200);
        for await (const update of world.inbox.follow(world.hub, userId, cursor, stop.signal)) {
          cursor = update.cursor;
          cursors.push(cursor);
          const items = update.item ? [update.item] : await wholeInbox();
          for (const item of items) seen.set(item.itemId, item.readAt ? 'read' : 'unread');
          if (--left === 0) stop.abort();
        }
        clearTimeout(neverAborted);
      }
    })();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 12; i++) {
          const [item] = await fill(world, userId, `item ${i}`);
          if (i % 3 === 0) await world.inbox.mark(userId, 'READ', [item!]);
          if (i === 8) await world.inbox.mark(userId, 'READ', null);
        }
      }),
    );
    isOver = true;
    await reading;
    const expected = (await wholeInbox()).map((item) => [item.itemId, item.readAt ? 'read' : 'unread']);
    expect(expected).toHaveLength(48);
    expect([...seen].toSorted()).toEqual(expected.toSorted() as [string, string][]);
    const changes = cursors.map((one) => JSON.parse(Buffer.from(one, 'base64url').toString())[1] as number);
    expect(changes).toEqual([...new Set(changes)].toSorted((a, b) => a - b));
  });
});
