import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import type { GuardedRedis } from '../../src/domains/limits/counters/guarded-redis.js';
import {
  type CounterStore,
  type CounterUse,
  StoreUnreachable,
} from '../../src/domains/limits/counters/store.js';
import { forgetAll, startTestRedis, type TestRedis } from '../support/redis.js';
import { heldNoon, plainRedis } from './counter-world.js';

/** A store on a Redis that is empty before each test of a file, with a time that stands still until it is moved. */
export interface CounterWorld {
  readonly store: CounterStore;
  readonly redis: ReturnType<typeof plainRedis>;
  /** Another store on the same Redis, at the same time unless it follows Redis's own clock. */
  open(options?: { ownClock: boolean }): CounterStore;
  usedBy(use: CounterUse): Promise<number>;
  pass(ms: number): void;
}

/** To be called once in a file. */
export function counterWorld(): CounterWorld {
  let server: TestRedis;
  let redis: ReturnType<typeof plainRedis>;
  let store: CounterStore;
  let now: number;
  beforeAll(async () => {
    server = await startTestRedis();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    redis = plainRedis(server.url);
    await redis.client.ping();
    await forgetAll(redis.client);
    now = heldNoon;
    store = createCounterStore(redis, () => now);
  });
  afterEach(() => store.close());
  return {
    get store() {
      return store;
    },
    get redis() {
      return redis;
    },
    open: ({ ownClock } = { ownClock: false }) =>
      createCounterStore(plainRedis(server.url), ownClock ? undefined : () => now),
    usedBy: async (use) => (await store.peek([use]))[0]!.used,
    pass(ms) {
      now += ms * 1_000;
    },
  };
}

/** A connection on which nothing answers. */
export const unreachable = (): GuardedRedis => ({
  cluster: false,
  run: () => Promise.reject(new StoreUnreachable('timeout')),
  close: async () => undefined,
});
