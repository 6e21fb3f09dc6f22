import { describe, it, type TestContext, vi } from 'vitest';
import { openBlockingRedis, openRedis } from '../../src/platform/redis/redis.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  openSubscriptions,
} from '../../src/platform/wake-ups/wake-ups.js';
import { startMovingAddress } from '../support/moving-address.js';
import { startRedisProcess } from '../support/redis-process.js';
import { nextPayload, silent } from './wake-ups-world.js';

async function openReplaced(isHeld: boolean, { onTestFinished }: TestContext) {
  const [old, current] = await Promise.all([startRedisProcess(), startRedisProcess()]);
  onTestFinished(async () => {
    await Promise.all([old.stop(), current.stop()]);
  });
  const address = await startMovingAddress(old.port);
  const listeners = new Set<() => void>();
  const lease = {
    isHeld: () => isHeld,
    life: () => undefined,
    runIds: () => undefined,
    leave: () => undefined,
    onLeave(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const writer = openRedis([current.url], () => undefined);
  const hub = createWakeUpHub(
    openBlockingRedis([address.url], () => undefined),
    // Where publishers look, as the connection of the cache lease leads to.
    openSubscriptions(writer),
    silent,
    undefined,
    { lease, checkSource: async () => undefined },
  );
  onTestFinished(() => {
    hub.close();
    writer.disconnect();
    address.close();
  });
  await hub.ready;
  const listener = await hub.listen('news');
  address.moveTo(current.port);
  return {
    hub,
    listener,
    listeners,
    publish: (n: number) => createWakeUpPublisher(writer).publish([{ topics: ['news'], payload: { n } }]),
  };
}

describe('a hub whose server was replaced while its connection stayed', () => {
  it.concurrent('reads from the new one as soon as the cache lease finds out', async (context) => {
    const { expect } = context;
    const { hub, listener, listeners, publish } = await openReplaced(true, context);
    for (const found of listeners) found();
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    await publish(1);
    await expect(nextPayload(listener)).resolves.toEqual({ n: 1 });
    hub.close();
    expect(listeners.size).toBe(0);
  });

  it.concurrent('reads from the new one after some seconds without a cache lease', async (context) => {
    const { expect } = context;
    const { listener, publish } = await openReplaced(false, context);
    let heard: unknown;
    void nextPayload(listener).then((payload) => (heard = payload));
    await vi.waitFor(
      async () => {
        await publish(1);
        expect(heard).toEqual({ n: 1 });
      },
      { timeout: 25_000, interval: 250 },
    );
  });
});
