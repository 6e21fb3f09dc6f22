import { Registry } from 'prom-client';
import { describe, it, vi } from 'vitest';
import { observeDiscardedValues } from '../../src/platform/redis/redis-value.js';
import { publishToAll } from '../../src/platform/wake-ups/wake-ups.js';
import { nextPayload, openWakeUps, silent } from './wake-ups-world.js';

describe('a listener', () => {
  it.concurrent('hears that it may have missed something when the hub’s connection has gone silent, and hears on', async (context) => {
    const { expect } = context;
    const { hub, proxy, publisher } = await openWakeUps(context);
    const listener = await hub.listen('news');
    proxy.silence();
    await publisher.publish([{ topics: ['news'], payload: { n: 1 } }]);
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    await publisher.publish([{ topics: ['news'], payload: { n: 2 } }]);
    await expect(nextPayload(listener)).resolves.toEqual({ n: 2 });
  });

  it.concurrent('hears that it may have missed something whenever the hub reconnects', async (context) => {
    const { expect } = context;
    const { hub, proxy, publisher } = await openWakeUps(context);
    const listener = await hub.listen('news');
    for (const n of [1, 2]) {
      proxy.cut();
      await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
      await publisher.publish([{ topics: ['news'], payload: { n } }]);
      await expect(nextPayload(listener)).resolves.toEqual({ n });
    }
  });

  it.concurrent('hears that it may have missed something when the stream was cut past the hub', async (context) => {
    const { expect } = context;
    const { direct, hub, keys, proxy, publisher } = await openWakeUps(context);
    const listener = await hub.listen('news');
    await hub.listen('other');
    const other = (count: number) =>
      publisher.publish(Array.from({ length: count }, () => ({ topics: ['other'], payload: {} })));
    proxy.hold();
    await other(1);
    await publisher.publish([{ topics: ['news'], payload: {} }]);
    await other(3_000);
    await direct.xtrim((await keys()).stream, 'MAXLEN', 1_500);
    proxy.resume();
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  });

  it.concurrent('is one of thousands that hear of one thing over many turns of the event loop', async (context) => {
    const { expect } = context;
    const { hub, publisher } = await openWakeUps(context);
    const topics = Array.from({ length: 2_000 }, (_, n) => `reader-${n}`);
    const listeners = await Promise.all(topics.map((topic) => hub.listen(topic)));
    let turn = 0;
    const count = (): void => {
      turn += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    context.onTestFinished(() => clearImmediate(counting));
    const heardIn = Promise.all(listeners.map((listener) => listener.next().then(() => turn)));
    const parts = Array.from({ length: 20 }, (_, n) => topics.slice(n * 100, (n + 1) * 100));
    await publisher.publish(parts.map((some) => ({ topics: some, payload: {} })));
    expect(new Set(await heardIn).size).toBe(parts.length);
  });

  it.concurrent('hears wake-ups of a Redis that lost its keys and whose clock is behind', async (context) => {
    const { expect } = context;
    const { direct, hub, keys, proxy } = await openWakeUps(context);
    const listener = await hub.listen('news');
    const { stream } = await keys();
    await direct.del(stream);
    await direct.xadd(stream, '1-0', 'w', JSON.stringify({ topics: ['old'], payload: {} }));
    proxy.cut();
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    let heard: unknown;
    void nextPayload(listener).then((payload) => (heard = payload));
    const late = JSON.stringify({ topics: ['news'], payload: { late: true } });
    await vi.waitFor(
      async () => {
        await direct.xadd((await keys()).stream, '2-*', 'w', late);
        expect(heard).toEqual({ late: true });
      },
      { timeout: 10_000 },
    );
  });

  it.concurrent.for(['{"topics":', '[]', '{"topics":"news","payload":{}}'])(
    'reads its source where a wake-up cannot be read: %s',
    async (text, context) => {
      const { expect } = context;
      const { direct, hub, keys, publisher } = await openWakeUps(context);
      const listener = await hub.listen('news');
      await direct.xadd((await keys()).stream, '*', 'w', text);
      await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
      await publisher.publish([{ topics: ['news'], payload: { n: 1 } }]);
      await expect(nextPayload(listener)).resolves.toEqual({ n: 1 });
    },
  );

  it.concurrent('is notified by the process that takes over from one that may have died before its wake-up', async (context) => {
    const { expect } = context;
    const { hub, publisher } = await openWakeUps(context);
    const listener = await hub.listen('news');
    await publishToAll(publisher);
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  });

  it.concurrent('is notified once though a dozen projectors change hands in one moment', async (context) => {
    const { expect } = context;
    const { hub, publisher } = await openWakeUps(context);
    const listener = await hub.listen('news');
    await Promise.all(Array.from({ length: 12 }, () => publishToAll(publisher)));
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    await publisher.publish([{ topics: ['news'], payload: { n: 1 } }]);
    await expect(listener.next()).resolves.toEqual({ kind: 'woken', payload: { n: 1 } });
  });

  it.concurrent('is not notified in one instant with thousands of others', async (context) => {
    const { expect } = context;
    const { hub, proxy } = await openWakeUps(context);
    let told = 0;
    const everyone = await Promise.all(
      Array.from({ length: 3_000 }, (_, n) => hub.listen(`topic-${n % 50}`)),
    );
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
    const listener = await hub.listen('news');
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

it.concurrent('a Cluster has a stream and its counter in one slot', async (context) => {
  const { expect } = context;
  const { keys } = await openWakeUps(context);
  // What a Cluster hashes: the part in braces.
  const hashed = Object.values(await keys()).map((key) => /\{(.+?)\}/.exec(key)?.[1]);
  expect(hashed[0]).toBeTruthy();
  expect(hashed[1]).toBe(hashed[0]);
});

/** Not beside the others: there is one count for the whole process. */
it('wake-ups that cannot be read are counted', async (context) => {
  const { expect } = context;
  const { direct, keys } = await openWakeUps(context);
  const metrics = new Registry();
  observeDiscardedValues(metrics, silent);
  const count = async () =>
    Number(/redis_values_discarded_total\{kind="wake_up"\} (\d+)/.exec(await metrics.metrics())?.[1] ?? 0);
  const before = await count();
  // In one page: what is read next is what comes after the `missed`.
  const { stream } = await keys();
  await direct.multi().xadd(stream, '*', 'w', '[]').xadd(stream, '*', 'other', 'fields').exec();
  await expect.poll(count).toBe(before + 2);
});
