import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetAll } from '../support/redis.js';
import { type FeedWorld, openFeedWorld } from './feed-world.js';
import { type Actor, type Choose, everyInterleaving, interleave } from './posts-interleavings.js';
import { insertPost, storeOf } from './posts-world.js';

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld();
  await world.feed.signIn('ann');
  // Redis knows the scripts: telling it would be one step more, once.
  const postId = await insertPost(world, 'ann', 'first');
  await storeOf(world).find([postId]);
  await storeOf(world).refresh([postId]);
});
afterAll(() => world.close());

const commit = (statement: string, postId: string) => world.postgres.query(statement, [postId]);
const EDIT = `UPDATE posts SET content = 'new', version = version + 1, edited_at = now() WHERE post_id = $1`;
const DELETE = 'UPDATE posts SET deleted_at = now(), version = version + 1 WHERE post_id = $1';

const reader =
  (postId: string): Actor =>
  (gate) =>
    storeOf(world, gate).find([postId]);

/** Commits, as the log does, and refreshes what is cached. */
const writer =
  (postId: string, statement: string): Actor =>
  async (gate) => {
    await gate();
    await commit(statement, postId);
    await storeOf(world, gate).refresh([postId]);
  };

/** Dies before it has put the new object in place of the old one. */
const dyingWriter =
  (postId: string, statement: string): Actor =>
  async (gate) => {
    await gate();
    await commit(statement, postId);
    let steps = 0;
    const died = new Error('died');
    await storeOf(world, async () => {
      steps += 1;
      if (steps > 1) throw died;
      await gate();
    })
      .refresh([postId])
      .catch((error: unknown) => {
        if (error !== died) throw error;
      });
  };

const flush: Actor = async (gate) => {
  await gate();
  await forgetAll(world.redis);
};

/** What anybody reads afterwards, twice: the first read may fill the cache for the second. */
async function contentsOf(postId: string): Promise<(string | undefined)[]> {
  const store = storeOf(world);
  const first = (await store.find([postId]))[0]?.content;
  return [first, (await store.find([postId]))[0]?.content];
}

async function race(
  choose: Choose,
  options: { warm: boolean; actors: (postId: string) => Actor[]; expected: string | undefined },
): Promise<void> {
  const postId = await insertPost(world, 'ann', 'old');
  if (options.warm) await storeOf(world).find([postId]);
  await interleave(options.actors(postId), choose);
  expect(await contentsOf(postId)).toEqual([options.expected, options.expected]);
}

const outcomes = [
  { name: 'a delete', statement: DELETE, expected: undefined },
  { name: 'an edit', statement: EDIT, expected: 'new' },
];

describe.each(outcomes)(
  '$name beside a cache fill, in every order of their steps',
  ({ statement, expected }) => {
    it.each([true, false])('is what all readers get afterwards (cached before: %s)', async (warm) => {
      const runs = await everyInterleaving((choose) =>
        race(choose, { warm, expected, actors: (id) => [reader(id), writer(id, statement)] }),
      );
      expect(runs).toBeGreaterThanOrEqual(warm ? 5 : 70);
    });

    it('is so where its writer dies halfway', async () => {
      const runs = await everyInterleaving((choose) =>
        race(choose, { warm: false, expected, actors: (id) => [reader(id), dyingWriter(id, statement)] }),
      );
      expect(runs).toBeGreaterThanOrEqual(15);
    });

    it('is so where Redis loses everything at any step', async () => {
      const runs = await everyInterleaving((choose) =>
        race(choose, { warm: false, expected, actors: (id) => [reader(id), writer(id, statement), flush] }),
      );
      expect(runs).toBeGreaterThanOrEqual(500);
    }, 240_000);

    it('is so in hundreds of orders with three readers, Redis lost in some', async () => {
      for (let seed = 1; seed <= 600; seed += 1) {
        const choose = seeded(seed);
        const actors = (id: string) => [
          reader(id),
          reader(id),
          reader(id),
          writer(id, statement),
          ...(seed % 3 === 0 ? [flush] : []),
        ];
        await race(choose, { warm: seed % 2 === 0, expected, actors });
      }
    }, 240_000);
  },
);

describe('an edit beside a delete', () => {
  it('never brings the post back', async () => {
    await everyInterleaving((choose) =>
      race(choose, {
        warm: true,
        expected: undefined,
        actors: (id) => [writer(id, DELETE), writer(id, `${EDIT} AND deleted_at IS NULL`)],
      }),
    );
  });
});

/** Mulberry32. */
function seeded(seed: number): Choose {
  let state = seed;
  return (choices) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % choices;
  };
}
