import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FeedPage } from '../../src/domains/feed/index.js';
import { type FeedWorld, openFeedWorld, viewerOf } from './feed-world.js';
import { organicOf, type ReadWorld, reading } from './read-world.js';

let folder = '';
let world: FeedWorld;
let read: ReadWorld;
let newestFirst: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ranking-stages-'));
  const ranking = join(folder, 'ranking.yaml');
  await writeFile(ranking, 'stages: { candidates: 5, scored: 3 }\n');
  world = await openFeedWorld({ config: { ranking } });
  read = reading(world);
  await read.signIn('ann', 'ben', 'cat');
  await read.follow('ann', 'ben', 'cat');
  const start = Date.now() - 36_000_000;
  const at = (count: number, gap: number, from: number) =>
    Array.from({ length: count }, (_, i) => from + i * gap);
  // Ben's are all older than cat's.
  const old = await read.insert('ben', at(90, 60_000, start));
  newestFirst = [...old, ...(await read.insert('cat', at(60, 60_000, start + 18_000_000)))].toReversed();
});
afterAll(async () => {
  await world?.close();
  await rm(folder, { recursive: true });
});

/** The settings score three posts of each window of a hundred. */
it.each([7, 100])(
  'a feed has each post once, in either order, %i a page, however few are scored',
  async (size) => {
    expect(await read.readAll('ann', 'LATEST', size)).toEqual(newestFirst);
    expect((await read.readAll('ann', 'RANKED', size)).toSorted()).toEqual(newestFirst.toSorted());
  },
);

it('a feed has each post once also backwards, where reads are degraded, and over REST', async () => {
  const backward: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = { limit: 40, direction: 'backward', cursor } as const;
    const found: FeedPage = await world.feed.readFeed(viewerOf('ann'), { order: 'LATEST', page });
    backward.unshift(...organicOf(found));
    if (!found.pageInfo.hasPreviousPage) break;
    cursor = found.pageInfo.startCursor;
  }
  expect(backward).toEqual(newestFirst);

  const degraded: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page = { limit: 40, direction: 'forward', cursor } as const;
    const found: FeedPage = await world.feed.readFeed(viewerOf('ann'), {
      order: 'RANKED',
      page,
      degraded: true,
    });
    degraded.push(...organicOf(found));
    if (!found.pageInfo.hasNextPage) break;
    cursor = found.pageInfo.endCursor;
  }
  expect(degraded).toEqual(newestFirst);

  const rest: string[] = [];
  for (let below: Parameters<typeof world.feed.readRestPage>[1] = null; ; ) {
    const { posts, next } = await world.feed.readRestPage(viewerOf('ann'), below, 40);
    rest.push(...posts.map(({ post }) => post.postId));
    if (next === null) break;
    below = next;
  }
  expect(rest.toSorted()).toEqual(newestFirst.toSorted());
});

it('the posts of a feed stand in the order of their scores, and each says why', async () => {
  const { edges } = await read.page('ann', 'RANKED', 50);
  const scores = edges.map(({ why }) => why.score);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  for (const { why } of edges)
    expect(why.terms.reduce((sum, { weight, value }) => sum + weight * value, 0)).toBeCloseTo(why.score, 9);
});
