import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FeedOrder } from '../../src/domains/feed/index.js';
import { keysLike } from '../support/redis.js';
import { type FeedWorld, openFeedWorld } from './feed-world.js';
import { organicOf, type ReadWorld, reading } from './read-world.js';

const DAY = 86_400_000;
let world: FeedWorld;
let read: ReadWorld;

beforeAll(async () => {
  world = await openFeedWorld();
  read = reading(world);
});
afterAll(() => world.close());

const look = (userId: string, order: FeedOrder, cursor: string | null = null) =>
  world.feed.lookAtFeed({ userId }, { order, page: { limit: 3, direction: 'forward', cursor } });
const keysOf = async (userId: string) =>
  (await keysLike(world.redis, '*}:feed*')).filter((key) => key.endsWith(`:${userId}`)).sort();

it('an admin who looks at another user’s feed gets what its reader would get, and leaves it as cold as it was', async () => {
  await read.signIn('ann', 'ben');
  await read.follow('ann', 'ben');
  await world.feed.cache.invalidate(['ann']);
  const at = Array.from({ length: 7 }, (_, n) => Date.now() - (7 - n) * 60_000);
  await read.insert('ben', at);
  const seen = await world.postgres.query(
    `UPDATE users SET last_seen_at = '2020-01-01' WHERE user_id = 'ann'`,
  );
  expect(seen.rowCount).toBe(1);

  const looked = [await look('ann', 'LATEST'), await look('ann', 'RANKED')];
  const next = await look('ann', 'LATEST', looked[0]!.pageInfo.endCursor);
  expect(await keysOf('ann')).toEqual([]);
  const own = await read.page('ann', 'LATEST', 3);
  expect(organicOf(looked[0]!)).toEqual(organicOf(own));
  expect(looked[1]!.edges.every(({ why }) => why.terms.length > 0 && why.source === 'DATABASE')).toBe(true);
  expect(organicOf(next)).toEqual(organicOf(await read.page('ann', 'LATEST', 3, own.pageInfo.endCursor)));
  const { rows } = await world.postgres.query(`SELECT last_seen_at FROM users WHERE user_id = 'ann'`);
  expect(rows[0]?.last_seen_at).toEqual(new Date('2020-01-01'));
  await expect(look('ben', 'LATEST', own.pageInfo.endCursor)).rejects.toMatchObject({ code: 'BAD_CURSOR' });
});

it('a warm feed lives no longer because somebody else has looked at it', async () => {
  await read.signIn('cid', 'ben');
  await read.follow('cid', 'ben');
  await expect
    .poll(async () => {
      await read.page('cid', 'LATEST', 3);
      return keysOf('cid');
    })
    .toEqual([expect.stringContaining('}:feed-recent:')]);
  const keys = await keysOf('cid');
  for (const key of keys) await world.redis.pexpire(key, DAY);
  const looked = await look('cid', 'LATEST');
  expect(looked.edges.map(({ why }) => why.source)).toContain('FANOUT');
  for (const key of keys) expect(await world.redis.pttl(key)).toBeLessThanOrEqual(DAY);
  // Its reader's own look renews it.
  await read.page('cid', 'LATEST', 3);
  expect(Math.max(...(await Promise.all(keys.map((key) => world.redis.pttl(key)))))).toBeGreaterThan(DAY);
});
