import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCounterStore } from '../../src/domains/limits/counters/counter-store.js';
import { createFieldLimiter } from '../../src/domains/limits/field-limiter.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { heldNoon, plainRedis } from './counter-world.js';

const neverCalled = () => {
  throw new Error('the counters are there');
};
const failOpen = { count: neverCalled };
const onError = neverCalled;

let server: TestRedis;
beforeAll(async () => {
  server = await startTestRedis();
});
afterAll(() => server.stop());

it('a field’s counter is one for all processes, fits whole charges or nothing, and begins anew in the next window', async () => {
  let now = heldNoon;
  const stores = [0, 1].map(() => createCounterStore(plainRedis(server.url), () => now));
  const [one, other] = stores.map((store) => createFieldLimiter({ store, failOpen, onError }));
  const use = { field: 'Query.events', owner: 'u:alice', limit: 3, windowSeconds: 60, charge: 1 };

  expect(await one!.consume({ ...use, charge: 2 })).toBeNull();
  expect(await other!.consume({ ...use, charge: 2 })).toBe(60_000);
  expect(await other!.consume(use)).toBeNull();
  now += 45_500_000;
  expect(await one!.consume(use)).toBe(14_500);
  expect(await one!.consume({ ...use, owner: 'u:bob' })).toBeNull();
  expect(await one!.consume({ ...use, field: 'Query.account' })).toBeNull();
  now += 14_500_000;
  expect(await one!.consume(use)).toBeNull();

  await Promise.all(stores.map((store) => store.close()));
});
