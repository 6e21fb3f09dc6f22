import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Redis } from '../../src/platform/redis/redis.js';
import { followServer, type ServerWatch } from '../../src/platform/redis/server-watch.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What the lease knows: another server is in use than the connection below leads to. */
const inUse: ServerWatch = {
  isHeld: () => true,
  life: () => 'another/life',
  runIds: () => new Set(['another']),
  leave: () => undefined,
  onLeave: () => () => undefined,
};

function aConnection(info: () => Promise<string>) {
  const disconnect = vi.fn();
  const redis = Object.assign(new EventEmitter(), { status: 'ready', info, disconnect });
  return { redis: redis as unknown as Redis, disconnect };
}

it('a server that was too busy to say who it is is asked again, and left where it is not the one in use', async () => {
  let questions = 0;
  const { redis, disconnect } = aConnection(async () => {
    questions += 1;
    if (questions === 1) throw new Error('BUSY Redis is busy running a script');
    return 'run_id:left\r\n';
  });
  const following = followServer(redis, inUse);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(questions).toBeGreaterThan(1);
  expect(disconnect).toHaveBeenCalled();
  following.stop();
});

it('a server that does not answer is asked once for as long as its connection lasts', async () => {
  const info = vi.fn(() => new Promise<string>(() => undefined));
  const { redis } = aConnection(info);
  const following = followServer(redis, inUse);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(info).toHaveBeenCalledTimes(1);
  redis.emit('close');
  redis.emit('ready');
  expect(info).toHaveBeenCalledTimes(2);
  following.stop();
});
