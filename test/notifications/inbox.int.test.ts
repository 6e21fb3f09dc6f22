import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { InboxAction } from '../../src/domains/notifications/inbox/index.js';
import { markInbox } from '../../src/domains/notifications/inbox/mark.js';
import { aMessage, bodiesOf, fill, firstPage, type InboxWorld, openInboxWorld } from './inbox-world.js';
import { unique } from './notification-world.js';

let world: InboxWorld;
beforeAll(async () => {
  world = await openInboxWorld();
});
afterAll(() => world.close());

async function mark(userId: string, action: InboxAction, itemIds: readonly string[] | null) {
  const result = await world.inbox.mark(userId, action, itemIds);
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  const { changed, unreadCount } = result.value;
  return { changed, unreadCount };
}

/** Somebody who has so many items, none of which is read. */
async function hoarder(items: number): Promise<string> {
  const userId = unique('hoarder');
  await world.postgres.query(
    `WITH inbox AS (INSERT INTO inboxes (user_id, last_change) VALUES ($1::text, $2))
     INSERT INTO inbox_items (item_id, user_id, notification_type, body, created_at, change)
     SELECT gen_random_uuid(), $1::text, 'T', 'x', now(), n FROM generate_series(1, $2) AS n`,
    [userId, items],
  );
  return userId;
}

/** Marks, and does something after each part that is committed; parts are counted from 1. */
async function betweenParts(work: (part: number) => Promise<void>, marking: () => Promise<unknown>) {
  const { postgres } = world;
  const transaction = postgres.transaction.bind(postgres);
  let parts = 0;
  const spy = vi.spyOn(postgres, 'transaction').mockImplementation(async (part) => {
    const done = await transaction(part);
    parts += 1;
    await work(parts);
    return done;
  });
  try {
    await marking();
  } finally {
    spy.mockRestore();
  }
}

describe('an inbox', () => {
  it('shows the newest first, page by page in both directions', async () => {
    const userId = unique('user');
    await fill(world, userId, '1', '2', '3', '4', '5');
    const seen: string[] = [];
    let cursor: string | null = null;
    for (;;) {
      const page = await world.inbox.page(userId, { limit: 2, direction: 'forward', cursor }, 'ALL');
      seen.push(...page.edges.map(({ node }) => node.body));
      cursor = page.pageInfo.endCursor;
      if (!page.pageInfo.hasNextPage) break;
    }
    expect(seen).toEqual(['5', '4', '3', '2', '1']);
    const back = await world.inbox.page(userId, { limit: 2, direction: 'backward', cursor }, 'ALL');
    expect(back.edges.map(({ node }) => node.body)).toEqual(['3', '2']);
    expect(back.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: true });
  });

  it('shows everybody each item once, though many came at one instant', async () => {
    const userId = unique('user');
    const messages = Array.from({ length: 30 }, (_, i) => aMessage(userId, String(i)));
    await Promise.all(messages.map((one) => world.provider.send(one, AbortSignal.timeout(5_000))));
    for (const direction of ['forward', 'backward'] as const) {
      const seen: string[] = [];
      let cursor: string | null = null;
      for (let page = 0; page < 10; page++) {
        const { edges, pageInfo } = await world.inbox.page(userId, { limit: 3, direction, cursor }, 'ALL');
        seen.push(...edges.map(({ node }) => node.body));
        cursor = direction === 'forward' ? pageInfo.endCursor : pageInfo.startCursor;
      }
      expect(seen.toSorted()).toEqual(messages.map(({ content }) => content.body).toSorted());
    }
  });

  it('refuses a cursor that it did not give', async () => {
    for (const cursor of ['rubbish', Buffer.from('[1,"x"]').toString('base64url')]) {
      const page = world.inbox.page('ann', { ...firstPage, cursor }, 'ALL');
      await expect(page).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    }
  });

  it('costs three statements a page, however much lies in it', async () => {
    const userId = unique('user');
    await fill(world, userId, ...Array.from({ length: 25 }, String));
    const query = vi.spyOn(world.postgres, 'query');
    expect(await bodiesOf(world, userId)).toHaveLength(25);
    expect(query).toHaveBeenCalledTimes(3);
    query.mockRestore();
  });

  it('counts the unread by their own index, though most of 20,000 are read', async () => {
    const userId = unique('reader');
    await world.postgres.query(
      `INSERT INTO inbox_items (item_id, user_id, notification_type, body, created_at, read_at, change)
       SELECT gen_random_uuid(), $1, 'T', 'x', now(), CASE WHEN n > 10 THEN now() END, n
       FROM generate_series(1, 20000) AS n`,
      [userId],
    );
    await world.postgres.query('VACUUM ANALYZE inbox_items');
    expect((await world.inbox.unread(userId)).unreadCount).toBe(10);
    const { rows } = await world.postgres.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) SELECT count(*) FROM inbox_items
       WHERE user_id = $1 AND read_at IS NULL AND archived_at IS NULL`,
      [userId],
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/inbox_items_unread/);
    expect(Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])).toBeLessThan(30);
  });
});

describe('marking', () => {
  it('reads, archives and takes both back, each item for itself', async () => {
    const userId = unique('user');
    const [first, second, third] = await fill(world, userId, '1', '2', '3');
    expect(await mark(userId, 'READ', [first!])).toEqual({ changed: 1, unreadCount: 2 });
    expect(await bodiesOf(world, userId, 'UNREAD')).toEqual(['3', '2']);
    expect(await mark(userId, 'ARCHIVE', [second!, third!])).toEqual({ changed: 2, unreadCount: 0 });
    expect(await bodiesOf(world, userId)).toEqual(['1']);
    expect(await bodiesOf(world, userId, 'UNREAD')).toEqual([]);
    expect(await bodiesOf(world, userId, 'ARCHIVED')).toEqual(['3', '2']);
    expect(await mark(userId, 'UNARCHIVE', [third!])).toEqual({ changed: 1, unreadCount: 1 });
    expect(await mark(userId, 'UNREAD', [first!])).toEqual({ changed: 1, unreadCount: 2 });
    expect(await bodiesOf(world, userId, 'UNREAD')).toEqual(['3', '1']);
  });

  it('without ids marks every item that the action applies to', async () => {
    const userId = unique('user');
    const [first] = await fill(world, userId, '1', '2', '3');
    await mark(userId, 'ARCHIVE', [first!]);
    expect(await mark(userId, 'READ', null)).toEqual({ changed: 3, unreadCount: 0 });
    expect(await mark(userId, 'READ', null)).toEqual({ changed: 0, unreadCount: 0 });
    expect(await mark(userId, 'ARCHIVE', null)).toEqual({ changed: 2, unreadCount: 0 });
    expect(await mark(userId, 'UNARCHIVE', null)).toEqual({ changed: 3, unreadCount: 0 });
    expect(await mark(userId, 'UNREAD', null)).toEqual({ changed: 3, unreadCount: 3 });
  });

  it('keeps the instant at which an item was first read', async () => {
    const userId = unique('user');
    const [item] = await fill(world, userId, '1');
    const readAt = async () => (await world.inbox.items(userId, [item!]))[0]!.readAt;
    await mark(userId, 'READ', [item!]);
    const first = await readAt();
    expect(await mark(userId, 'READ', [item!, item!])).toEqual({ changed: 0, unreadCount: 0 });
    expect(await readAt()).toEqual(first);
  });

  it('leaves alone what is unknown or another’s, and refuses more than 1,000 ids', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    const [hers] = await fill(world, ann, '1');
    const [his] = await fill(world, bob, '1');
    const ids = [his!, randomUUID(), 'no id', '', hers!.toUpperCase()];
    expect(await mark(ann, 'READ', ids)).toEqual({ changed: 1, unreadCount: 0 });
    expect(await mark(ann, 'UNREAD', [])).toEqual({ changed: 0, unreadCount: 0 });
    expect((await world.inbox.unread(bob)).unreadCount).toBe(1);
    expect(await world.inbox.items(ann, [his!, hers!])).toHaveLength(1);
    expect(await mark(unique('nobody'), 'READ', null)).toEqual({ changed: 0, unreadCount: 0 });
    const tooMany = Array.from({ length: 1_001 }, () => randomUUID());
    expect(await world.inbox.mark(ann, 'READ', tooMany)).toMatchObject({
      ok: false,
      errors: [{ code: 'TOO_MANY_INBOX_ITEMS', path: ['input', 'itemIds'] }],
    });
    expect(await mark(ann, 'READ', tooMany.slice(1))).toEqual({ changed: 0, unreadCount: 0 });
  });

  it('marks 50,000, of which at most a thousand are locked at a time', async () => {
    const userId = await hoarder(50_000);
    const parts = vi.spyOn(world.postgres, 'transaction');
    expect(await mark(userId, 'READ', null)).toEqual({ changed: 50_000, unreadCount: 0 });
    expect(parts).toHaveBeenCalledTimes(51);
    parts.mockRestore();
    const { rows } = await world.postgres.query<{ changes: number; last: number }>(
      `SELECT count(DISTINCT change) AS changes, max(change) AS last FROM inbox_items WHERE user_id = $1`,
      [userId],
    );
    expect(rows[0]).toEqual({ changes: 50_000, last: 100_000 });
  });

  it('of thousands leaves unread what comes meanwhile', async () => {
    const userId = await hoarder(3_500);
    await fill(world, userId, 'early');
    const late: string[] = [];
    await betweenParts(
      async (part) => {
        late.push(`late ${part}`);
        await fill(world, userId, `late ${part}`);
      },
      () => mark(userId, 'READ', null),
    );
    expect(late).toHaveLength(4);
    expect((await bodiesOf(world, userId, 'UNREAD')).toSorted()).toEqual(late);
    expect(await mark(userId, 'READ', null)).toEqual({ changed: 4, unreadCount: 0 });
  });

  it('of thousands reports no delivery that came meanwhile', async () => {
    const userId = await hoarder(2_500);
    const late: string[] = [];
    const told = new Set<number>();
    const marked = (_userId: string, from: number, to: number): void => {
      for (let change = from + 1; change <= to; change += 1) told.add(change);
    };
    await betweenParts(
      async () => void late.push(...(await fill(world, userId, 'late'))),
      () => markInbox({ ...world.deps, marked }, userId, 'READ', null),
    );
    const { rows } = await world.postgres.query<{ change: number; isLate: boolean }>(
      `SELECT change, item_id = ANY ($2::uuid[]) AS "isLate" FROM inbox_items WHERE user_id = $1`,
      [userId, late],
    );
    for (const { change, isLate } of rows) expect(told.has(change)).toBe(!isLate);
    expect(told.size).toBe(2_500);
  });

  it('of thousands that fails in the middle has done whole parts; again it does the rest', async () => {
    const userId = await hoarder(3_500);
    const failing = betweenParts(
      async (part) => {
        if (part === 2) throw new Error('the database is away');
      },
      () => mark(userId, 'ARCHIVE', null),
    );
    await expect(failing).rejects.toThrow('away');
    const left = await world.inbox.unread(userId);
    expect(left.unreadCount).toBeGreaterThan(1_000);
    expect(left.unreadCountIsEstimate).toBe(true);
    expect(await mark(userId, 'ARCHIVE', null)).toEqual({ changed: 1_500, unreadCount: 0 });
  });

  it('of more than 1,000 that are unread, the number is exact up to 1,000, and an estimate of at least 1,001 beyond', async () => {
    const userId = await hoarder(1_001);
    expect((await world.inbox.unread(userId)).unreadCount).toBeGreaterThan(1_000);
    const { edges } = await world.inbox.page(
      userId,
      { direction: 'forward', limit: 1, cursor: null },
      'UNREAD',
    );
    await mark(userId, 'READ', [edges[0]!.node.itemId]);
    const counted = { unreadCount: 1_000, unreadCountIsEstimate: false };
    expect(await world.inbox.unread(userId)).toMatchObject(counted);
    expect(
      await world.inbox.page(userId, { direction: 'forward', limit: 1, cursor: null }, 'ALL'),
    ).toMatchObject(counted);
  });

  it('at once from many sides counts every change once', async () => {
    const userId = unique('user');
    await fill(world, userId, ...Array.from({ length: 20 }, String));
    const marked = await Promise.all(Array.from({ length: 8 }, () => mark(userId, 'READ', null)));
    expect(marked.reduce((sum, { changed }) => sum + changed, 0)).toBe(20);
  });
});
