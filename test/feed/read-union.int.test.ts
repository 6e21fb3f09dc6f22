import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FeedOrder, FeedPage } from '../../src/domains/feed/index.js';
import { forgetAll } from '../support/redis.js';
import { callerOf, type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';
import { organicOf, type ReadWorld, reading } from './read-world.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PAGES = 2_000;

let world: FeedWorld;
let read: ReadWorld;
/** Stands still: nothing is posted, and no day ends while pages are read. */
let now = Date.now();
beforeAll(async () => {
  world = await openFeedWorld({ clock: { now: () => now }, config: { hiddenLabels: ['nsfw'] } });
  read = reading(world);
});
afterAll(() => world?.close());

interface Written {
  readonly postId: string;
  readonly at: number;
  readonly isPulled: boolean;
}

/** What a feed holds, said as simply as can be: a celebrity's post within a day of the one above it, and all others. */
function eligible(visible: readonly Written[]): string[] {
  const newestFirst = visible.toSorted((a, b) => b.at - a.at || (a.postId < b.postId ? 1 : -1));
  let last = now;
  return newestFirst
    .filter(({ at, isPulled }) => {
      if (isPulled && last - at > DAY) return false;
      last = at;
      return true;
    })
    .map(({ postId }) => postId);
}

/** All pages down, and what an end is followed by: nothing. */
async function down(reader: string, order: FeedOrder, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let after: string | null = null;
  for (let pages = 0; pages < PAGES; pages += 1) {
    const page: FeedPage = await read.page(reader, order, limit, after);
    seen.push(...organicOf(page));
    after = page.pageInfo.endCursor;
    if (page.pageInfo.hasNextPage) continue;
    const behind = after && (await read.page(reader, order, limit, after));
    if (behind) {
      expect([organicOf(behind), behind.pageInfo.hasNextPage]).toEqual([[], false]);
    }
    return seen;
  }
  throw new Error('the feed does not end');
}

async function rest(reader: string, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let below: Parameters<typeof world.feed.readRestPage>[1] = null;
  for (let pages = 0; pages < PAGES; pages += 1) {
    const { posts, next } = await world.feed.readRestPage(viewerOf(reader), below, limit);
    seen.push(...posts.filter(({ isSponsored }) => !isSponsored).map(({ post }) => post.postId));
    if (!next) return seen;
    below = next;
  }
  throw new Error('the feed does not end');
}

async function up(reader: string, limit: number): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < PAGES; pages += 1) {
    const page = { limit, direction: 'backward', cursor } as const;
    const found = await world.feed.readFeed(viewerOf(reader), { order: 'LATEST', page });
    seen.unshift(...organicOf(found));
    if (!found.pageInfo.hasPreviousPage) return seen;
    cursor = found.pageInfo.startCursor;
  }
  throw new Error('the feed does not end');
}

/** What everybody gets of a feed, by whatever way they read it. */
async function expectEverywhere(reader: string, expected: readonly string[], limits: readonly number[]) {
  const sorted = expected.toSorted();
  for (const limit of limits) {
    expect(await down(reader, 'LATEST', limit), `LATEST by ${limit}`).toEqual(expected);
    expect((await down(reader, 'RANKED', limit)).toSorted(), `RANKED by ${limit}`).toEqual(sorted);
    expect((await rest(reader, limit)).toSorted(), `REST by ${limit}`).toEqual(sorted);
    expect(await up(reader, limit), `backward by ${limit}`).toEqual(expected);
  }
}

async function warm(reader: string, celebrities: readonly string[]) {
  await read.page(reader, 'LATEST', 1);
  await expect.poll(() => world.feed.cache.read(reader, now, 1)).not.toBeNull();
  if (celebrities.length === 0) return;
  await expect
    .poll(async () => [...(await world.feed.authorTimelines.read(celebrities, now, 1)).values()])
    .not.toContain(null);
}

/** Who writes, and when: so many posts, beginning so many hours ago, each so many minutes before the one before it. */
const run = fc.record({
  author: fc.constantFrom('star', 'moon', 'sun', 'ben', 'cat', 'muted', 'labelled', 'worded', 'self'),
  count: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 8, max: 24 })),
  hoursAgo: fc.double({ min: 0, max: 120, noNaN: true }),
  gapMinutes: fc.constantFrom(0, 1, 30, 400, 1_000, 1_439, 1_440, 1_441),
});
const limit = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.constantFrom(1, 10, 11, 20, 100));

let feeds = 0;
async function build(
  runs: readonly { author: string; count: number; hoursAgo: number; gapMinutes: number }[],
) {
  feeds += 1;
  now = Date.now();
  const name = (author: string) => `${author}-${feeds}`;
  const reader = name('self');
  const authors = ['star', 'moon', 'sun', 'ben', 'cat', 'muted', 'labelled', 'worded'].map(name);
  await read.signIn(reader, ...authors);
  await read.follow(reader, ...authors);
  const visible: Written[] = [];
  for (const { author, count, hoursAgo, gapMinutes } of runs) {
    const isPulled = ['star', 'moon', 'sun'].includes(author);
    const at = Array.from({ length: count }, (_, i) =>
      Math.floor(now - hoursAgo * HOUR - i * gapMinutes * 60_000),
    );
    const distribution = isPulled ? 'pull' : 'push';
    const postIds = await read.insert(name(author), at, { distribution });
    const times = await world.postgres.query<{ post_id: string; at: Date }>(
      'SELECT post_id, created_at AS at FROM posts WHERE post_id = ANY ($1)',
      [postIds],
    );
    if (author === 'worded')
      await world.postgres.query("UPDATE posts SET content = 'a spoiler' WHERE post_id = ANY ($1)", [
        postIds,
      ]);
    if (author === 'labelled')
      await world.postgres.query("UPDATE posts SET labels = '{nsfw}' WHERE post_id = ANY ($1)", [postIds]);
    if (!['muted', 'worded', 'labelled'].includes(author))
      for (const { post_id, at } of times.rows) visible.push({ postId: post_id, at: at.getTime(), isPulled });
  }
  await world.feed.muteUser(callerOf(reader), name('muted'));
  await world.feed.setMutedKeywords(callerOf(reader), ['spoiler']);
  return { reader, visible, celebrities: ['star', 'moon', 'sun'].map(name) };
}

describe('what a feed holds', () => {
  it('is the same whatever the page size, the order and the way, from the cache and from Postgres', async () => {
    const property = fc.asyncProperty(
      fc.array(run, { minLength: 1, maxLength: 10 }),
      fc.array(limit, { minLength: 2, maxLength: 2 }),
      async (runs, limits) => {
        const { reader, visible, celebrities } = await build(runs);
        await forgetAll(world.redis);
        const expected = eligible(visible);
        expect(await down(reader, 'LATEST', limits[0]!), 'cold').toEqual(expected);
        await forgetAll(world.redis);
        expect((await down(reader, 'RANKED', limits[1]!)).toSorted(), 'cold').toEqual(expected.toSorted());
        const authors = celebrities.filter((_, index) =>
          runs.some(({ author }) => author === ['star', 'moon', 'sun'][index]),
        );
        await warm(reader, authors);
        await expectEverywhere(reader, expected, limits);
      },
    );
    const seed = Number(process.env.FEED_SEED ?? Date.now() % 1_000_000_000);
    const numRuns = Number(process.env.FEED_RUNS ?? 12);
    await fc.assert(property, { numRuns, seed, interruptAfterTimeLimit: 90_000 });
  }, 200_000);

  it('goes on for whom celebrities alone are followed by, as long as they write every day', async () => {
    const { reader, visible, celebrities } = await build([
      { author: 'star', count: 60, hoursAgo: 1, gapMinutes: 180 },
      { author: 'moon', count: 40, hoursAgo: 2, gapMinutes: 60 },
    ]);
    await warm(reader, celebrities.slice(0, 2));
    const expected = eligible(visible);
    expect(expected).toHaveLength(100);
    await expectEverywhere(reader, expected, [1, 3, 10, 20, 100]);
  });

  it('does not read through a gap that only a celebrity fills, however much that is', async () => {
    const { reader, visible } = await build([
      { author: 'ben', count: 1, hoursAgo: 1, gapMinutes: 0 },
      { author: 'star', count: 1, hoursAgo: 26, gapMinutes: 0 },
      { author: 'cat', count: 2, hoursAgo: 2_000, gapMinutes: 60 },
    ]);
    const star = reader.replace('self', 'star');
    await read.insert(
      star,
      Array.from({ length: 3_000 }, (_, i) => now - 26 * HOUR - i * 30 * 60_000),
      { distribution: 'pull' },
    );
    const seen = await down(reader, 'LATEST', 20);
    const pushed = visible.filter(({ isPulled }) => !isPulled).map(({ postId }) => postId);
    expect(seen.filter((postId) => pushed.includes(postId))).toHaveLength(3);
    // The first gap is passed at once; from the older posts a day counts back anew.
    const page = await read.page(reader, 'LATEST', 3);
    expect(organicOf(page).slice(0, 2)).toEqual(pushed.slice(0, 2));
  });
});
