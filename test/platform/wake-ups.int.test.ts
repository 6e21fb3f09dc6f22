import { Registry } from 'prom-client';
import { describe, it, vi } from 'vitest';
import { observeDiscardedValues } from '../../src/platform/redis-value.js';
import { publishToAll } from '../../src/platform/wake-ups.js';
import { COUNTER, nextPayload, openWakeUps, STREAM, silent } from './wake-ups-world.js';

describe('a listener', () => {
  it.concurrent('hears that it may have missed something when the hub’s connection has gone silent, and hears on', async (context) => {
    const { expect } = context;
    const { hub, proxy, publisher } = await openWakeUps(context);
    const listener = hub.listen('news');
    proxy.silence();
    await publisher.publish([{ topics: ['news'], payload: { n: 1 } }]);
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    await publisher.publish([{ topics: ['news'], payload: { n: 2 } }]);
    await expect(nextPayload(listener)).resolves.toEqual({ n: 2 });
  });

  it.concurrent('hears that it may have missed something whenever the hub reconnects', async (context) => {
    const { expect } = context;
    const { hub, proxy, publisher } = await openWakeUps(context);
    const listener = hub.listen('news');
    for (const n of [1, 2]) {
      proxy.cut();
      await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
      await publisher.publish([{ topics: ['news'], payload: { n } }]);
      await expect(nextPayload(listener)).resolves.toEqual({ n });
    }
  });

  it.concurrent('hears that it may have missed something when the stream was cut past the hub', async (context) => {
    const { expect } = context;
    const { direct, hub, proxy, publisher } = await openWakeUps(context);
    const listener = hub.listen('news');
    const other = (count: number) =>
      publisher.publish(Array.from({ length: count }, () => ({ topics: ['other'], payload: {} })));
    proxy.hold();
    await other(1);
    await publisher.publish([{ topics: ['news'], payload: {} }]);
    await other(3_000);
    await direct.xtrim(STREAM, 'MAXLEN', 1_500);
    proxy.resume();
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  });

  it.concurrent('hears wake-ups of a Redis that lost its keys and whose clock is behind', async (context) => {
    const { expect } = context;
    const { direct, hub, proxy } = await openWakeUps(context);
    const listener = hub.listen('news');
    await direct.del(STREAM);
    await direct.xadd(STREAM, '1-0', 'w', JSON.stringify({ topics: ['old'], payload: {} }));
    proxy.cut();
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    let heard: unknown;
    void nextPayload(listener).then((payload) => (heard = payload));
    const late = JSON.stringify({ topics: ['news'], payload: { late: true } });
    await vi.waitFor(
      async () => {
        await direct.xadd(STREAM, '2-*', 'w', late);
        expect(heard).toEqual({ late: true });
      },
      { timeout: 10_000 },
    );
  });

  it.concurrent.for(['{"topics":', '[]', '{"topics":"news","payload":{}}'])(
    'reads its source where a wake-up cannot be read: %s',
    async (text, context) => {
      const { expect } = context;
      const { direct, hub, publisher } = await openWakeUps(context);
      const listener = hub.listen('news');
      await direct.xadd(STREAM, '*', 'w', text);
      await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
      await publisher.publish([{ topics: ['news'], payload: { n: 1 } }]);
      await expect(nextPayload(listener)).resolves.toEqual({ n: 1 });
    },
  );

  it.concurrent('hears wake-ups of the version before, which have no numbers, and misses nothing by them', async (context) => {
    const { expect } = context;
    const { direct, hub, publisher } = await openWakeUps(context);
    const listener = hub.listen('news');
    const write = (n: number) =>
      direct.xadd(STREAM, '*', 'w', JSON.stringify({ topics: ['news'], payload: { n } }));
    await write(1);
    await publisher.publish([{ topics: ['news'], payload: { n: 2 } }]);
    await write(3);
    for (const n of [1, 2, 3])
      await expect(listener.next()).resolves.toEqual({ kind: 'woken', payload: { n } });
  });

  it.concurrent('is notified by whoever takes over from a process that may have died before its wake-up', async (context) => {
    const { expect } = context;
    const { hub, publisher } = await openWakeUps(context);
    const listener = hub.listen('news');
    await publishToAll(publisher);
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  });

  it.concurrent('is notified once though a dozen projectors change hands in one moment', async (context) => {
    const { expect } = context;
    const { hub, publisher } = await openWakeUps(context);
    const listener = hub.listen('news');
    await Promise.all(Array.from({ length: 12 }, () => publishToAll(publisher)));
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    await publisher.publish([{ topics: ['news'], payload: { n: 1 } }]);
    await expect(listener.next()).resolves.toEqual({ kind: 'woken', payload: { n: 1 } });
  });

  it.concurrent('is not told in one instant with thousands of others', async (context) => {
    const { expect } = context;
    const { hub, proxy } = await openWakeUps(context);
    let told = 0;
    const everyone = Array.from({ length: 3_000 }, (_, n) => hub.listen(`topic-${n % 50}`));
    const hearing = everyone.map((listener) => listener.next().then(() => (told += 1)));
    proxy.cut();
    await Promise.race(hearing);
    await Promise.resolve();
    expect(told).toBeLessThan(everyone.length / 10);
    await Promise.all(hearing);
  });

  it.concurrent('is closed with its hub though Redis is away', async (context) => {
    const { expect } = context;
    const { hub, proxy, reader } = await openWakeUps(context);
    const listener = hub.listen('news');
    await proxy.refuse();
    proxy.cut();
    await vi.waitFor(() => expect(reader.status).toBe('reconnecting'), { interval: 5 });
    await hub.close();
    await expect(listener.next()).resolves.toBeNull();
  });
});

it.concurrent('a hub says that it hears while it does, and not while its connection is silent', async (context) => {
  const { expect } = context;
  const { hub, proxy } = await openWakeUps(context);
  await expect.poll(() => hub.isHearing(), { timeout: 15_000 }).toBe(true);
  proxy.hold();
  await expect.poll(() => hub.isHearing(), { timeout: 15_000 }).toBe(false);
  proxy.resume();
  await expect.poll(() => hub.isHearing(), { timeout: 15_000 }).toBe(true);
  hub.close();
  expect(hub.isHearing()).toBe(false);
});

it.concurrent('a Cluster has the stream and its counter in one slot', async (context) => {
  const { expect } = context;
  const { direct } = await openWakeUps(context);
  const keys = await direct.keys('*wake-ups*');
  expect(keys.toSorted()).toEqual([COUNTER, STREAM].toSorted());
  // What a Cluster hashes: the part in braces where there is one, else the whole key.
  const hashed = keys.map((key) => /\{(.+?)\}/.exec(key)?.[1] ?? key);
  expect(new Set(hashed).size).toBe(1);
});

/** Not beside the others: there is one count for the whole process. */
it('wake-ups that cannot be read are counted', async (context) => {
  const { expect } = context;
  const { direct } = await openWakeUps(context);
  const metrics = new Registry();
  observeDiscardedValues(metrics, silent);
  const count = async () =>
    Number(/redis_values_discarded_total\{kind="wake_up"\} (\d+)/.exec(await metrics.metrics())?.[1] ?? 0);
  const before = await count();
  // In one page: what is read next is what comes after the `missed`.
  await direct.multi().xadd(STREAM, '*', 'w', '[]').xadd(STREAM, '*', 'other', 'fields').exec();
  await expect.poll(count).toBe(before + 2);
});
