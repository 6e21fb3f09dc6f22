import { expect, it, vi } from 'vitest';
import { openGuardedRedis } from '../../src/domains/limits/counters/guarded-redis.js';
import { openRedis, type Script } from '../../src/platform/redis/redis.js';
import { openServerWorld } from '../platform/server-world.js';

const KEY = 'tidings:limit:{u:ann}:count';
const count: Script = { source: `return redis.call('INCR', KEYS[1])`, sha: 'f'.repeat(40) };

it('counters on the processes’ own Redis are left with it where it was cut off and still takes writes', async (context) => {
  const world = await openServerWorld(context);
  const { address, lease } = await world.open(world.old.port);
  const counters = openGuardedRedis({
    urls: [address.url],
    onError: () => undefined,
    timeoutMs: 5_000,
    server: lease,
  });
  world.own(() => counters.close());
  const promoted = openRedis([world.promoted.url], () => undefined);
  world.own(() => promoted.disconnect());
  await vi.waitFor(() => counters.run(count, [KEY], []), { timeout: 10_000 });
  expect(await promoted.get(KEY)).toBeNull();
  address.moveTo(world.promoted.port);
  await world.open(world.promoted.port);
  await vi.waitFor(
    async () => {
      await counters.run(count, [KEY], []);
      expect(Number(await promoted.get(KEY))).toBeGreaterThan(0);
    },
    { timeout: 30_000, interval: 100 },
  );
});
