import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql as liveSql } from '../../src/domains/feed/live/live.sql.js';
import { sql as pushedSql } from '../../src/domains/feed/read/pushed.sql.js';
import { type FeedWorld, openFeedWorld } from './feed-world.js';
import { organicOf, type ReadWorld, reading } from './read-world.js';
import { costOf } from './statement-cost.js';

const sql = {
  ...pushedSql,
  ...liveSql,
};
const ABOVE_ALL = [new Date(8_640_000_000_000_000), 'ffffffff-ffff-ffff-ffff-ffffffffffff'] as const;

let world: FeedWorld;
let read: ReadWorld;
beforeAll(async () => {
  world = await openFeedWorld();
  read = reading(world);
  await read.signIn('ann', 'ben', 'star', 'gus');
  await read.follow('ann', 'ben', 'star');
  await read.follow('gus', 'ben');
});
afterAll(() => world?.close());

const times = (count: number, from: number) => Array.from({ length: count }, (_, i) => from + i * 1_000);

it("passes none of a celebrity's thousands of pulled posts on the way to the few that were pushed", async () => {
  const start = Date.now() - 30 * 86_400_000;
  const before = await read.insert('star', times(3, start));
  const own = await read.insert('ben', times(3, start + 500));
  await read.insert('star', times(20_000, start + 10_000), { distribution: 'pull' });
  await world.postgres.query('VACUUM ANALYZE posts');
  const cost = await costOf(world.postgres, sql.pushedPlaces, ['ann', ...ABOVE_ALL, 101, true]);
  expect(cost.blocks).toBeLessThan(60);
  const found = organicOf(await read.page('ann', 'LATEST', 100));
  expect(found).toEqual(expect.arrayContaining([...before, ...own]));
});

it('does not gather all that was written since a live cursor of long ago', async () => {
  await read.insert('ben', times(20_000, Date.now() - 86_400_000));
  await world.postgres.query('VACUUM ANALYZE posts');
  const cost = await costOf(world.postgres, sql.missed, [['gus'], [0], ['{}'], 501]);
  expect(cost.rowsOf('posts')).toBeLessThan(600);
});
