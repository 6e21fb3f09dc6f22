import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { FeedOrder } from '../../src/domains/feed/index.js';
import { forgetAll } from '../support/redis.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';
import { organicOf, type ReadWorld, reading } from './read-world.js';

const HOUR = 3_600_000;
const ORDERS: readonly FeedOrder[] = ['LATEST', 'RANKED'];

let world: FeedWorld;
let read: ReadWorld;
/** The clock is stopped, or advances by more than the deadline with each read. */
let haste = 0;
const IMPATIENT = 201;
let now = Date.now();
beforeAll(async () => {
  world = await openFeedWorld({ clock: { now: () => (now += haste) } });
  read = reading(world);
});
beforeEach(() => {
  haste = 0;
  now = Date.now();
});
afterAll(() => world?.close());

const start = Date.now() - 10 * HOUR;
const every = (count: number, gap: number, from = start) =>
  Array.from({ length: count }, (_, i) => from + i * gap);
const warm = async (reader: string) => {
  await read.page(reader, 'LATEST', 1);
  await expect.poll(() => world.feed.cache.read(reader, Date.now(), 1)).not.toBeNull();
};

describe('a page is full', () => {
  it('where thousands of posts are of whom the reader muted, or who is blocked either way', async () => {
    await read.signIn('ann', 'ben', 'mute', 'block', 'blocker');
    await read.follow('ann', 'ben', 'mute', 'block', 'blocker');
    const posts = await read.insert('ben', every(30, 1_000, start - HOUR));
    for (const author of ['mute', 'block', 'blocker']) await read.insert(author, every(700, 1_000));
    await warm('ann');
    await world.feed.muteUser(callerOf('ann'), 'mute');
    await world.feed.blockUser(callerOf('ann'), 'block');
    await world.feed.blockUser(callerOf('blocker'), 'ann');
    haste = IMPATIENT;
    for (const isCold of [false, true]) {
      for (const order of ORDERS) {
        if (isCold) await forgetAll(world.redis);
        expect(organicOf(await read.page('ann', order, 20))).toHaveLength(20);
        expect((await read.readAll('ann', order, 20)).toSorted()).toEqual(posts.toSorted());
      }
    }
    const page = { limit: 20, direction: 'backward', cursor: null } as const;
    const oldest = await world.feed.readFeed(viewerOf('ann'), { order: 'LATEST', page });
    expect(organicOf(oldest)).toEqual(posts.slice(0, 20).toReversed());
  });

  it('of a warm feed again as soon as a mute ends', async () => {
    await read.signIn('cat', 'dan');
    await read.follow('cat', 'dan');
    const posts = await read.insert('dan', every(5, 1_000));
    await world.feed.muteUser(callerOf('cat'), 'dan');
    await warm('cat');
    expect(await read.readAll('cat', 'LATEST', 20)).toEqual([]);
    await world.feed.unmuteUser(callerOf('cat'), 'dan');
    expect(await read.readAll('cat', 'LATEST', 20)).toEqual(posts.toReversed());
  });

  it('below thousands of posts that have a muted word, until the deadline', async () => {
    await read.signIn('eve', 'fay');
    await read.follow('eve', 'fay');
    const posts = await read.insert('fay', every(25, 1_000, start - HOUR));
    const muted = await read.insert('fay', every(1_300, 1_000));
    await world.postgres.query("UPDATE posts SET content = 'a spoiler' WHERE post_id = ANY ($1)", [muted]);
    await world.feed.setMutedKeywords(callerOf('eve'), ['spoiler']);
    for (const order of ORDERS) {
      haste = 0;
      expect(organicOf(await read.page('eve', order, 20))).toHaveLength(20);
      haste = IMPATIENT;
      const first = await read.page('eve', order, 20);
      expect(first.edges).toEqual([]);
      expect(first.pageInfo).toMatchObject({ hasNextPage: true, endCursor: expect.any(String) });
      expect((await read.readAll('eve', order, 20)).toSorted()).toEqual(posts.toSorted());
    }
  });

  it('by ten posts of each celebrity and others below them, of which RANKED loses and repeats nothing', async () => {
    await read.signIn('gus', 'star', 'moon', 'hal');
    await read.follow('gus', 'star', 'moon', 'hal');
    const pulled = { distribution: 'pull' } as const;
    const stars = await read.insert('star', every(45, 60_000, start + 9 * HOUR), pulled);
    const moons = await read.insert('moon', every(25, 60_000, start + 8 * HOUR), pulled);
    const hals = await read.insert('hal', every(230, 60_000, start - 24 * HOUR));
    const all = [...stars, ...moons, ...hals].toSorted();
    haste = IMPATIENT;
    for (const limit of [40, 20, 7, 1, 100]) {
      const pages: string[][] = [];
      for (let after: string | null = null; ; ) {
        const page = await read.page('gus', 'RANKED', limit, after);
        pages.push(organicOf(page));
        if (!page.pageInfo.hasNextPage) break;
        after = page.pageInfo.endCursor;
      }
      expect(pages.flat().toSorted()).toEqual(all);
      for (const page of pages.slice(0, -1)) {
        for (const celebrity of [stars, moons])
          expect(page.filter((postId) => celebrity.includes(postId)).length).toBeLessThanOrEqual(10);
      }
      const full = Math.floor((hals.length - 1) / limit);
      for (const page of pages.slice(0, full)) expect(page).toHaveLength(limit);
    }
  });

  it('until its cursor names hundreds of posts that celebrities stand between; then nothing is lost either', async () => {
    await read.signIn('tom', 'mars', 'una');
    await read.follow('tom', 'mars', 'una');
    const mars = await read.insert('mars', every(100, 60_000, start + 8 * HOUR), { distribution: 'pull' });
    const una = await read.insert('una', every(800, 60_000, start - 24 * HOUR));
    const sizes: number[] = [];
    const seen: string[] = [];
    for (let after: string | null = null; ; ) {
      const page = await read.page('tom', 'RANKED', 100, after);
      seen.push(...organicOf(page));
      sizes.push(page.edges.length);
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(seen.toSorted()).toEqual([...mars, ...una].toSorted());
    expect(sizes.slice(0, 5)).toEqual(sizes.slice(0, 5).map(() => 100));
    expect(sizes.slice(0, -1).filter((size) => size < 10)).toEqual([]);
  });

  it('behind any edge, though celebrities stand between', async () => {
    await read.signIn('ida', 'sun', 'jon');
    await read.follow('ida', 'sun', 'jon');
    const suns = await read.insert('sun', every(15, 60_000, start + HOUR), { distribution: 'pull' });
    const jons = await read.insert('jon', every(15, 60_000));
    const first = await read.page('ida', 'RANKED', 20);
    expect(first.edges).toHaveLength(20);
    for (const [index, edge] of first.edges.entries()) {
      const seen = organicOf(first).slice(0, index + 1);
      for (let after: string | null = edge.cursor; after; ) {
        const page = await read.page('ida', 'RANKED', 6, after);
        seen.push(...organicOf(page));
        after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
      }
      expect(seen.toSorted()).toEqual([...suns, ...jons].toSorted());
    }
  });
});

describe('LATEST', () => {
  it("ends a page before a celebrity's eleventh post, not where there are no more", async () => {
    await read.signIn('kay', 'lux', 'leo');
    await read.follow('kay', 'lux', 'leo');
    const lux = await read.insert('lux', every(10, 60_000, start + HOUR), { distribution: 'pull' });
    const leo = await read.insert('leo', every(150, 60_000, start - 3 * HOUR));
    const newest = [...leo, ...lux].toReversed();
    expect(organicOf(await read.page('kay', 'LATEST', 100))).toEqual(newest.slice(0, 100));
    const [eleventh] = await read.insert('lux', [start - HOUR + 1], { distribution: 'pull' });
    await forgetAll(world.redis);
    const first = await read.page('kay', 'LATEST', 100);
    expect(organicOf(first)).toEqual(
      leo
        .slice(-29)
        .toReversed()
        .toSpliced(0, 0, ...lux.toReversed()),
    );
    const second = await read.page('kay', 'LATEST', 100, first.pageInfo.endCursor);
    expect(organicOf(second)[0]).toBe(eleventh);
  });

  it('goes on where it was, though many posts of a celebrity come within a day of the cursor that it passed', async () => {
    await read.signIn('rob', 'vega', 'sid');
    await read.follow('rob', 'vega', 'sid');
    await read.insert('vega', every(45, 60_000, now - 30 * HOUR), { distribution: 'pull' });
    const sid = await read.insert(
      'sid',
      [35, 34, 33, 2, 1].map((hours) => now - hours * HOUR),
    );
    expect(await read.readAll('rob', 'LATEST', 3)).toEqual(sid.toReversed());
  });

  it('shows backward ten posts of a celebrity a page too', async () => {
    await read.signIn('max', 'nova', 'ned');
    await read.follow('max', 'nova', 'ned');
    const nova = await read.insert('nova', every(25, 60_000), { distribution: 'pull' });
    const ned = await read.insert('ned', every(25, 60_000, start + 30_000));
    const back: string[] = [];
    const pages: number[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = { limit: 30, direction: 'backward', cursor } as const;
      const found = await world.feed.readFeed(viewerOf('max'), { order: 'LATEST', page });
      back.unshift(...organicOf(found));
      pages.push(organicOf(found).filter((postId) => nova.includes(postId)).length);
      if (!found.pageInfo.hasPreviousPage) break;
      cursor = found.pageInfo.startCursor;
    }
    expect(back).toEqual(nova.flatMap((postId, index) => [postId, ned[index]]).toReversed());
    expect(pages).toEqual([10, 10, 5]);
  });

  it('hides nothing for the like of it that came above the cursor by a follow, and was not shown', async () => {
    await read.signIn('ola', 'pip', 'quin');
    await read.follow('ola', 'pip');
    const pip = await read.insert('pip', every(4, HOUR));
    const [quin] = await read.insert('quin', [start + 2 * HOUR + 1]);
    const liken = (...postIds: (string | undefined)[]) =>
      world.postgres.query('UPDATE posts SET fingerprint = 7 WHERE post_id = ANY ($1)', [postIds]);
    await liken(quin, pip[0]);
    const first = await read.page('ola', 'LATEST', 2);
    expect(organicOf(first)).toEqual([pip[3], pip[2]]);
    await read.follow('ola', 'quin');
    const second = await read.page('ola', 'LATEST', 20, first.pageInfo.endCursor);
    expect(organicOf(second)).toEqual([pip[1], pip[0]]);
    // From the beginning the copy is left out, also where its original stands on a later page.
    const whole = await read.readAll('ola', 'LATEST', 1);
    expect(whole).toEqual(pip.toReversed());
  });
});
