import { describe, it, type TestContext } from 'vitest';
import { FOLLOWED_MS, type MissedWrites } from '../../src/platform/cache/missed-writes.js';
import { openBlockingRedis, openRedis } from '../../src/platform/redis/redis.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  openSubscriptions,
} from '../../src/platform/wake-ups/wake-ups.js';
import { heldLease } from '../support/held-lease.js';
import { openWakeUps, silent } from './wake-ups-world.js';

/** Notes in this process what others note in Postgres. */
function notedHere(): MissedWrites {
  const notes = new Set<(topics: readonly string[] | 'all') => void>();
  return {
    recordTopics: async (topics) => {
      for (const note of notes) note(topics);
    },
    onTopics(note) {
      notes.add(note);
      return () => void notes.delete(note);
    },
  };
}

/** A publisher behind a proxy, and a listener that reaches Redis past it. */
async function openPublisher(context: TestContext) {
  const { direct, proxy, url } = await openWakeUps(context);
  const missed = notedHere();
  const watching = createWakeUpHub(
    openBlockingRedis([url], () => undefined),
    openSubscriptions(direct),
    silent,
    missed,
  );
  const writer = openRedis([proxy.url], () => undefined);
  context.onTestFinished(() => {
    writer.disconnect();
    watching.close();
  });
  await watching.ready;
  await writer.ping();
  return {
    direct,
    proxy,
    plain: createWakeUpPublisher(writer),
    resilient: createWakeUpPublisher(writer, { missed, lease: heldLease(writer) }),
    listener: await watching.listen('news'),
  };
}

const NEWS = [{ topics: ['news'], payload: {} }];

describe('what Redis does not take', () => {
  it.concurrent.for([
    ['full', 'maxmemory'],
    ['read-only', 'min-replicas-to-write'],
  ] as const)('reaches subscribers by Postgres while Redis is %s', async ([, setting], context) => {
    const { expect } = context;
    const { direct, listener, resilient } = await openPublisher(context);
    await direct.config('SET', setting, '1');
    await resilient.publish(NEWS);
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  });

  it.concurrent('reaches subscribers by Postgres while the publisher cannot hear Redis', async (context) => {
    const { expect } = context;
    const { listener, proxy, resilient } = await openPublisher(context);
    proxy.silence();
    await resilient.publish(NEWS);
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  });

  it.concurrent('is waited for until each process was notified, where order matters', async (context) => {
    const { expect } = context;
    const { direct, resilient } = await openPublisher(context);
    await direct.config('SET', 'maxmemory', '1');
    const since = performance.now();
    await resilient.publish(NEWS, { inOrder: true });
    // Timers may fire a millisecond early.
    expect(performance.now() - since).toBeGreaterThan(FOLLOWED_MS - 5);
  });

  it.concurrent('is an error where nobody notes it', async (context) => {
    const { expect } = context;
    const { plain, proxy } = await openPublisher(context);
    proxy.silence();
    await expect(plain.publish(NEWS)).rejects.toThrow();
  });
});
