// A process of its own that charges shared counters as fast as it can; `counters-many.int.test.ts` starts several.
// Takes the Redis's URL, single uses, and how often, as JSON. Says when it is ready, begins when it gets a message, and
// sends how often each use was admitted.
import { once } from 'node:events';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import type { CounterUse } from '../../src/domains/limits/counters/store.js';
import { heldNoon, plainRedis } from './counter-world.js';

/** At once in each process. */
const WAVE = 50;

const { url, uses, times } = JSON.parse(process.argv[2] ?? '') as {
  url: string;
  uses: CounterUse[];
  times: number;
};
const redis = plainRedis(url);
await redis.client.ping();
const store = createCounterStore(redis, () => heldNoon);
process.send?.('ready');
await once(process, 'message');
const admitted = uses.map(() => 0);
for (let done = 0; done < times; done += WAVE) {
  await Promise.all(
    Array.from({ length: WAVE * uses.length }, async (_, at) => {
      const index = at % uses.length;
      if ((await store.charge([uses[index]!])).admitted) admitted[index]! += 1;
    }),
  );
}
await store.close();
process.send?.(admitted, () => process.disconnect());
