import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetAll } from '../support/redis.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';
import { organicOf, type ReadWorld, reading } from './read-world.js';

let world: FeedWorld;
let read: ReadWorld;
beforeAll(async () => {
  world = await openFeedWorld();
  read = reading(world);
});
afterAll(() => world?.close());

const HOUR = 3_600_000;
const start = Date.now() - 10 * HOUR;
const every = (count: number, gap: number, from = start) =>
  Array.from({ length: count }, (_, i) => from + i * gap);
const like = (postIds: readonly string[], likes: number) =>
  world.postgres.query('UPDATE posts SET like_count = $2 WHERE post_id = ANY ($1)', [postIds, likes]);

describe('RANKED', () => {
  it('shows every post once though scores move and posts come and go between pages', async () => {
    await read.signIn('ann', 'ben', 'cat');
    await read.follow('ann', 'ben', 'cat');
    const posts = [
      ...(await read.insert('ben', every(180, 60_000))),
      ...(await read.insert('cat', every(90, 120_000, start + 500))),
    ];
    const gone: string[] = [];
    let turn = 0;
    const seen = await read.readAll(
      'ann',
      'RANKED',
      () => 3 + ((turn * 7) % 23),
      async (shown) => {
        turn += 1;
        await like(
          posts.filter((_, i) => (i + turn) % 5 === 0),
          turn * 50,
        );
        if (turn % 3 === 0) await forgetAll(world.redis);
        const victim = posts.findLast((postId) => !shown.includes(postId) && !gone.includes(postId));
        if (victim && turn % 4 === 0) {
          gone.push(victim);
          await world.feed.deletePost(callerOf('ben'), victim);
          await world.feed.deletePost(callerOf('cat'), victim);
        }
        if (turn % 5 === 0) await read.insert('ben', [Date.now()]);
      },
    );
    expect(new Set(seen).size).toBe(seen.length);
    expect(gone.length).toBeGreaterThan(1);
    const expected = posts.filter((postId) => !gone.includes(postId));
    expect(expected.filter((postId) => !seen.includes(postId))).toEqual([]);
  });

  it('goes on behind any edge, not only the last of a page', async () => {
    await read.signIn('dan', 'eve');
    await read.follow('dan', 'eve');
    const posts = await read.insert('eve', every(12, 60_000));
    const first = await read.page('dan', 'RANKED', 12);
    for (const [index, edge] of first.edges.entries()) {
      const rest = await read.page('dan', 'RANKED', 20, edge.cursor);
      const before = organicOf(first).slice(0, index + 1);
      expect([...before, ...organicOf(rest)].toSorted()).toEqual(posts.toSorted());
    }
  });

  it('does not show later what was published after its first page', async () => {
    await read.signIn('fay', 'gus');
    await read.follow('fay', 'gus');
    const posts = await read.insert('gus', every(6, 1_000));
    const first = await read.page('fay', 'RANKED', 3);
    await read.insert('gus', [Date.now() + 1_000]);
    const second = await read.page('fay', 'RANKED', 20, first.pageInfo.endCursor);
    expect([...organicOf(first), ...organicOf(second)].toSorted()).toEqual(posts.toSorted());
    await forgetAll(world.redis);
    expect(await read.readAll('fay', 'RANKED', 20)).toHaveLength(7);
  });

  it('says why each post is there: terms that sum to its score', async () => {
    const { edges } = await read.page('fay', 'RANKED', 20);
    for (const { why } of edges) {
      expect(why.terms.reduce((sum, term) => sum + term.weight * term.value, 0)).toBeCloseTo(why.score, 9);
      expect(['FANOUT', 'DATABASE']).toContain(why.source);
    }
  });

  it('shows each post once though hundreds come into its window, by a follow, between two pages', async () => {
    await read.signIn('kay', 'leo', 'max');
    await read.follow('kay', 'leo');
    const posts = await read.insert('leo', every(9, HOUR));
    const crowd = await read.insert('max', every(700, 30_000));
    const first = await read.page('kay', 'RANKED', 3);
    await read.follow('kay', 'max');
    const seen = organicOf(first);
    for (let after = first.pageInfo.endCursor; after; ) {
      const next = await read.page('kay', 'RANKED', 90, after);
      seen.push(...organicOf(next));
      after = next.pageInfo.hasNextPage ? next.pageInfo.endCursor : null;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.toSorted()).toEqual([...posts, ...crowd].toSorted());
  });

  it('pages forward only', async () => {
    const page = { limit: 5, direction: 'backward', cursor: null } as const;
    await expect(world.feed.readFeed(viewerOf('ann'), { order: 'RANKED', page })).rejects.toMatchObject({
      code: 'BAD_USER_INPUT',
    });
  });

  it('keeps time order and its cursors for who is past a soft limit', async () => {
    const page = { limit: 3, direction: 'forward', cursor: null } as const;
    const first = await world.feed.readFeed(viewerOf('dan'), { order: 'RANKED', page, degraded: true });
    const times = first.edges.map((edge) => edge.node.createdAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const rest = await read.page('dan', 'RANKED', 20, first.pageInfo.endCursor);
    expect(new Set([...organicOf(first), ...organicOf(rest)]).size).toBe(12);
  });
});

describe('LATEST', () => {
  it('answers before a cursor what is newer, so that the way back is the way that was come', async () => {
    await forgetAll(world.redis);
    const whole = await read.readAll('ann', 'LATEST', 100);
    const cursors: string[] = [];
    for (let after: string | null = null; cursors.length < 5; after = cursors.at(-1)!)
      cursors.push((await read.page('ann', 'LATEST', 17, after)).pageInfo.endCursor!);
    const back: string[] = [];
    for (let before = cursors[4]!; ; ) {
      const page = { limit: 13, direction: 'backward', cursor: before } as const;
      const found = await world.feed.readFeed(viewerOf('ann'), { order: 'LATEST', page });
      back.unshift(...organicOf(found));
      expect(found.pageInfo.hasNextPage).toBe(true);
      if (!found.pageInfo.hasPreviousPage) break;
      before = found.pageInfo.startCursor!;
    }
    expect(back).toEqual(whole.slice(0, 84));
  });

  it('has cursors of its own: those of RANKED, or of another reader, are none', async () => {
    const cursorOf = async (order: 'RANKED' | 'LATEST') =>
      (await read.page('dan', order, 3)).edges[1]!.cursor;
    const [ranked, latest] = [await cursorOf('RANKED'), await cursorOf('LATEST')];
    for (const [reader, order, cursor] of [
      ['dan', 'LATEST', ranked],
      ['dan', 'RANKED', latest],
      ['eve', 'LATEST', latest],
    ] as const) {
      await expect(read.page(reader, order, 3, cursor)).rejects.toMatchObject({ code: 'BAD_CURSOR' });
    }
  });
});

describe('celebrities', () => {
  it('show ten posts a page each, and the rest on the next pages', async () => {
    await read.signIn('hal', 'star', 'ida');
    await read.follow('hal', 'star', 'ida');
    const posts = await read.insert('star', every(25, 60_000), { distribution: 'pull' });
    const pushed = await read.insert('ida', every(2, 60_000, start + 30 * 60_000));
    for (const order of ['LATEST', 'RANKED'] as const) {
      const first = await read.page('hal', order, 20);
      expect(organicOf(first).filter((postId) => posts.includes(postId))).toHaveLength(10);
      expect(first.pageInfo.hasNextPage).toBe(true);
      for (const limit of [20, 7, 1]) {
        const seen = await read.readAll('hal', order, limit);
        expect(seen.toSorted()).toEqual([...posts, ...pushed].toSorted());
      }
    }
  });

  it('are read as far back as a day before each post, from author timelines and from Postgres alike', async () => {
    await read.signIn('jon', 'moon');
    await read.follow('jon', 'moon');
    const now = Date.now();
    const at = [now - 47 * HOUR, now - 25 * HOUR, now - 23 * HOUR, now - HOUR];
    const posts = await read.insert('moon', at, { distribution: 'pull' });
    await read.page('jon', 'LATEST', 10);
    await expect
      .poll(async () => (await world.feed.authorTimelines.read(['moon'], now, 10)).get('moon'))
      .not.toBeNull();
    for (const lose of [false, true]) {
      if (lose) await forgetAll(world.redis);
      const first = await read.page('jon', 'LATEST', 1);
      expect(organicOf(first)).toEqual([posts[3]]);
      // An hour ago, a day before that, and less than a day before that again.
      const second = await read.page('jon', 'LATEST', 20, first.pageInfo.endCursor);
      expect(organicOf(second)).toEqual([posts[2], posts[1], posts[0]]);
      expect(second.pageInfo.hasNextPage).toBe(false);
    }
  });

  it('hide no near-identical post of another author where they are too old to be shown themselves', async () => {
    await read.signIn('kit', 'sun', 'lou');
    await read.follow('kit', 'sun', 'lou');
    const now = Date.now();
    const [old] = await read.insert('sun', [now - 30 * HOUR], { distribution: 'pull' });
    const posts = await read.insert('lou', [now - 50 * HOUR, now - 41 * HOUR, now - HOUR]);
    await world.postgres.query('UPDATE posts SET fingerprint = 7 WHERE post_id = ANY ($1)', [
      [old, posts[0]],
    ]);
    expect(await read.readAll('kit', 'LATEST', 2)).toEqual(posts.toReversed());
  });
});
