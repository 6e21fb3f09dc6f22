import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Redis } from '../../src/platform/redis/redis.js';
import { followServerOfHub } from '../../src/platform/wake-ups/wake-up-server.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A hub's reader on a server, which the lease is held on. */
async function open(sourceAnswers = true) {
  const state: { isHeld: boolean; life: string | undefined; runId: string } = {
    isHeld: true,
    life: 'run/1',
    runId: 'run',
  };
  const disconnect = vi.fn(() => {
    redis.emit('close');
    redis.emit('ready');
  });
  const redis = Object.assign(new EventEmitter(), {
    status: 'ready',
    disconnect,
    info: async () => `run_id:${state.runId}\r\n`,
  });
  const leave = vi.fn();
  const notifyAll = vi.fn();
  const following = followServerOfHub({
    redis: redis as unknown as Redis,
    lease: {
      isHeld: () => state.isHeld,
      life: () => state.life,
      runIds: () => (state.life === undefined ? undefined : new Set(state.life.split('/', 1))),
      leave,
      onLeave: () => () => undefined,
    },
    checkSource: async () => {
      if (!sourceAnswers) throw new Error('no Postgres');
    },
    notifyAll,
  });
  await vi.advanceTimersByTimeAsync(1_000);
  // Of the life that it begins with.
  expect(notifyAll).toHaveBeenCalledTimes(1);
  notifyAll.mockClear();
  expect(following.isRight()).toBe(true);
  return { disconnect, leave, notifyAll, state, following };
}

it('without a lease a hub connects anew and subscribers read their sources, every 5 s until it is back', async () => {
  const { disconnect, notifyAll, state, following } = await open();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(notifyAll).not.toHaveBeenCalled();
  state.isHeld = false;
  await vi.advanceTimersByTimeAsync(16_100);
  expect(disconnect).toHaveBeenCalledTimes(3);
  expect(disconnect).toHaveBeenCalledWith(true);
  expect(notifyAll).toHaveBeenCalledTimes(3);
  state.isHeld = true;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(notifyAll).toHaveBeenCalledTimes(3);
  following.stop();
});

it('a lease that is away for a moment disturbs nobody', async () => {
  const { disconnect, notifyAll, state, following } = await open();
  for (let n = 0; n < 10; n += 1) {
    state.isHeld = false;
    await vi.advanceTimersByTimeAsync(3_000);
    state.isHeld = true;
    await vi.advanceTimersByTimeAsync(2_000);
  }
  expect(disconnect).not.toHaveBeenCalled();
  expect(notifyAll).not.toHaveBeenCalled();
  following.stop();
});

it('subscribers are left alone while Postgres could not answer them', async () => {
  const { notifyAll, state, following } = await open(false);
  state.isHeld = false;
  await vi.advanceTimersByTimeAsync(30_000);
  expect(notifyAll).not.toHaveBeenCalled();
  following.stop();
});

it('once the lease is held on another life of the same server, it counts when subscribers were made to read their sources', async () => {
  const { disconnect, notifyAll, state, following } = await open();
  state.life = 'run/2';
  expect(following.isRight()).toBe(false);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(following.isRight()).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(notifyAll).toHaveBeenCalledTimes(1);
  expect(disconnect).not.toHaveBeenCalled();
  following.stop();
});

it('a reader on another server than the lease is made anew alone', async () => {
  const { disconnect, leave, state, following } = await open();
  state.life = 'other/1';
  expect(following.isRight()).toBe(false);
  state.runId = 'other';
  await vi.advanceTimersByTimeAsync(60_000);
  expect(following.isRight()).toBe(true);
  expect(disconnect).toHaveBeenCalledTimes(1);
  expect(leave).not.toHaveBeenCalled();
  following.stop();
});

it('where it still is on another one then, all connections are made anew', async () => {
  const { disconnect, leave, state, following } = await open();
  state.runId = 'other';
  disconnect();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(following.isRight()).toBe(false);
  expect(leave).toHaveBeenCalled();
  state.life = 'other/1';
  await vi.advanceTimersByTimeAsync(1_000);
  expect(following.isRight()).toBe(true);
  following.stop();
});
