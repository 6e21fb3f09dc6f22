import fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import { type FeedWorld, openFeedWorld } from './feed-world.js';
import { Play } from './play.js';

/** Of a story, at most. */
const STEPS = 150;
const RUNS = Number(process.env.FEED_RUNS ?? 6);

let world: FeedWorld;
beforeAll(async () => {
  world = await openFeedWorld({ config: { celebrityFollowers: 3 } });
});
afterAll(() => world.close());

const step = fc.record({ dice: fc.nat(99), seed: fc.nat() });

it('every reader sees exactly the eligible posts, once each, whatever happens between', async () => {
  let stories = 0;
  const story = fc.asyncProperty(
    fc.array(step, { minLength: 1, maxLength: STEPS, size: 'max' }),
    async (steps) => {
      stories += 1;
      const play = await Play.begin(world, stories);
      try {
        for (const one of steps) await play.step(one);
        await play.readAll();
      } catch (error) {
        throw new Error(play.trail.slice(-25).join('\n'), { cause: error });
      }
    },
  );
  const seed = Number(process.env.FEED_SEED ?? Date.now() % 1_000_000_000);
  await fc.assert(story, { numRuns: RUNS, seed, interruptAfterTimeLimit: 150_000 });
}, 240_000);
