import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBlockingRedis, openRedis, type Redis } from '../../src/platform/redis.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  type Listener,
  type WakeUpHub,
  type WakeUpPublisher,
} from '../../src/platform/wake-ups.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.js';

const silent = pino({ level: 'silent' });
let server: TestRedis;
let direct: Redis;
let publisher: WakeUpPublisher;
let proxy: FaultyProxy;
let reader: Redis;
let hub: WakeUpHub;

beforeAll(async () => {
  server = await startTestRedis();
  direct = openRedis(server.url, () => undefined);
  publisher = createWakeUpPublisher(direct);
});
afterAll(async () => {
  direct.disconnect();
  await server.stop();
});
beforeEach(async () => {
  proxy = await startFaultyProxy(server.url);
  reader = openBlockingRedis(proxy.url, () => undefined);
  hub = createWakeUpHub(reader, silent);
  await hub.ready;
  // One that was heard shows that the hub is waiting for the next.
  const probe = hub.listen('probe');
  await publisher.publish([{ topics: ['probe'], payload: {} }]);
  await probe.next();
  probe.close();
});
afterEach(async () => {
  hub.close();
  await proxy.close();
});

/** Past any `missed`: the payload that is heard next. */
async function nextPayload(listener: Listener): Promise<unknown> {
  for (;;) {
    const heard = await listener.next();
    if (heard?.kind !== 'missed') return heard?.payload;
  }
}

describe('a listener', () => {
  it('hears that it may have missed something when the hub’s connection has gone silent, and hears on', async () => {
    const listener = hub.listen('news');
    proxy.silence();
    await publisher.publish([{ topics: ['news'], payload: { n: 1 } }]);
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    await publisher.publish([{ topics: ['news'], payload: { n: 2 } }]);
    await expect(nextPayload(listener)).resolves.toEqual({ n: 1 });
    await expect(nextPayload(listener)).resolves.toEqual({ n: 2 });
  });

  it('hears that it may have missed something whenever the hub reconnects', async () => {
    const listener = hub.listen('news');
    for (const n of [1, 2]) {
      proxy.cut();
      await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
      await publisher.publish([{ topics: ['news'], payload: { n } }]);
      await expect(nextPayload(listener)).resolves.toEqual({ n });
    }
  });

  it('hears that it may have missed something when the stream was cut past the hub', async () => {
    const listener = hub.listen('news');
    const other = (count: number) =>
      publisher.publish(Array.from({ length: count }, () => ({ topics: ['other'], payload: {} })));
    proxy.hold();
    await other(1);
    await publisher.publish([{ topics: ['news'], payload: {} }]);
    await other(3_000);
    await direct.xtrim('tidings:wake-ups', 'MAXLEN', 1_500);
    proxy.resume();
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  });

  it('hears wake-ups of a Redis that lost its keys and whose clock is behind', async () => {
    const listener = hub.listen('news');
    await direct.del('tidings:wake-ups');
    await direct.xadd('tidings:wake-ups', '1-0', 'w', JSON.stringify({ topics: ['old'], payload: {} }));
    proxy.cut();
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    let heard: unknown;
    void nextPayload(listener).then((payload) => (heard = payload));
    const late = JSON.stringify({ topics: ['news'], payload: { late: true } });
    await vi.waitFor(
      async () => {
        await direct.xadd('tidings:wake-ups', '2-*', 'w', late);
        expect(heard).toEqual({ late: true });
      },
      { timeout: 10_000 },
    );
    await direct.del('tidings:wake-ups');
  });

  it('is not told in one instant with thousands of others', async () => {
    let told = 0;
    const everyone = Array.from({ length: 3_000 }, (_, n) => hub.listen(`topic-${n % 50}`));
    const hearing = everyone.map((listener) => listener.next().then(() => (told += 1)));
    proxy.cut();
    await Promise.race(hearing);
    await Promise.resolve();
    expect(told).toBeLessThan(everyone.length / 10);
    await Promise.all(hearing);
  });

  it('is closed with its hub though Redis is away', async () => {
    const listener = hub.listen('news');
    await proxy.refuse();
    proxy.cut();
    await vi.waitFor(() => expect(reader.status).toBe('reconnecting'), { interval: 5 });
    await hub.close();
    await expect(listener.next()).resolves.toBeNull();
  });
});
