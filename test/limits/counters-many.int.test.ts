import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import { ALGORITHMS } from '../../src/platform/gate.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { aUse, heldNoon, plainRedis } from './counter-world.js';
import { aTier } from './hand-made-decision.js';

let server: TestRedis;

beforeAll(async () => {
  server = await startTestRedis();
});
afterAll(() => server.stop());

describe('many processes and connections share one counter', () => {
  it('three processes at once are admitted exactly up to its limit, by every algorithm', async () => {
    const uses = ALGORITHMS.map((algorithm) =>
      aUse('global', aTier({ algorithm, limit: 500, counterId: algorithm })),
    );
    const work = JSON.stringify({ url: server.url, uses, times: 400 });
    const processes = await Promise.all([startHammer(work), startHammer(work), startHammer(work)]);
    const admitted = await Promise.all(processes.map((begin) => begin()));

    expect(uses.map((_, index) => admitted.reduce((sum, counts) => sum + counts[index]!, 0))).toEqual(
      uses.map(() => 500),
    );
    const store = createCounterStore(plainRedis(server.url), () => heldNoon);
    const readings = await store.peek(uses);
    await store.close();
    expect(readings.map(({ used, remaining }) => [used, remaining])).toEqual(uses.map(() => [500, 0]));
  });

  it.each(ALGORITHMS)(
    'a refusal charges nothing, so that what is left can still be used: %s',
    async (algorithm) => {
      const tier = aTier({ algorithm, limit: 100, counterId: `left-${algorithm}` });
      const stores = Array.from({ length: 4 }, () =>
        createCounterStore(plainRedis(server.url), () => heldNoon),
      );
      const charge = (units: number, index: number) =>
        stores[index % 4]!.charge([aUse('global', tier, units)]);
      const large = await Promise.all(Array.from({ length: 40 }, (_, index) => charge(7, index)));
      const small = await Promise.all(Array.from({ length: 40 }, (_, index) => charge(1, index)));
      await Promise.all(stores.map((store) => store.close()));

      expect(large.filter(({ admitted }) => admitted)).toHaveLength(14);
      expect(small.filter(({ admitted }) => admitted)).toHaveLength(2);
    },
  );

  // No window of these ends within the test, and what comes back in a day does not come back within it.
  it.each(['sliding_window_log', 'token_bucket', 'leaky_bucket'] as const)(
    'as Redis’s own clock goes on, not one above the limit is admitted: %s',
    async (algorithm) => {
      const tier = aTier({
        algorithm,
        limit: 50,
        perWindow: 50,
        windowSeconds: 86_400,
        counterId: `now-${algorithm}`,
      });
      const stores = Array.from({ length: 4 }, () => createCounterStore(plainRedis(server.url)));
      let admitted = 0;
      for (let wave = 0; wave < 10; wave += 1) {
        const charged = await Promise.all(stores.map((store) => store.charge([aUse('global', tier, 7)])));
        const single = await Promise.all(stores.map((store) => store.charge([aUse('global', tier)])));
        admitted += 7 * charged.filter((one) => one.admitted).length;
        admitted += single.filter((one) => one.admitted).length;
      }
      await Promise.all(stores.map((store) => store.close()));
      expect(admitted).toBe(50);
    },
  );
});

/** Resolves, once the process is ready, to a function that makes it begin and resolves to its count of each use. */
async function startHammer(work: string): Promise<() => Promise<number[]>> {
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  const hooks = file('../support/typescript-hooks.mjs');
  const child = fork(file('./counters-hammer.ts'), [work], {
    execArgv: ['--experimental-transform-types', '--no-warnings', '--import', hooks],
  });
  await once(child, 'message');
  return async () => {
    const counted = once(child, 'message');
    child.send('begin');
    return (await counted)[0] as number[];
  };
}
