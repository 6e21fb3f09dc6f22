import { it, type TestContext, vi } from 'vitest';
import { openBlockingRedis, type Redis } from '../../src/platform/redis/redis.js';
import { findRoutes, forgetDeadReaders } from '../../src/platform/wake-ups/wake-up-registry.js';
import { FORMER_STREAM, streamOf } from '../../src/platform/wake-ups/wake-up-stream.js';
import { createWakeUpHub, openSubscriptions } from '../../src/platform/wake-ups/wake-ups.js';
import { nextPayload, openWakeUps, silent } from './wake-ups-world.js';

const followers = (count: number) => Array.from({ length: count }, (_, n) => `feed:follower-${n}`);
/** As a fan-out publishes it. */
const postTo = (count: number) =>
  Array.from({ length: count / 100 }, (_, n) => ({
    topics: followers(count).slice(100 * n, 100 * (n + 1)),
    payload: { postId: 'post' },
  }));
const FOLLOWERS = followers(200);
const POST = postTo(200);

/** Another process on the same Redis. */
async function openAnother({ onTestFinished }: TestContext, url: string, registry: Redis) {
  const hub = createWakeUpHub(
    openBlockingRedis([url], () => undefined),
    openSubscriptions(registry),
    silent,
  );
  onTestFinished(() => hub.close());
  await hub.ready;
  return hub;
}

/** What each stream holds, in characters. */
async function written(redis: Redis): Promise<number[]> {
  const keys = await redis.keys('tidings:wake-ups*');
  const streams: number[] = [];
  for (const key of keys) {
    if ((await redis.type(key)) === 'stream') streams.push((await redis.xrange(key, '-', '+')).join().length);
  }
  return streams.toSorted((one, other) => other - one);
}

it('a post to 10,000 followers of whom nobody listens writes nothing', async (context) => {
  const { expect } = context;
  const { direct, publisher } = await openWakeUps(context);
  const before = await written(direct);
  // On a crowded machine the answer may take longer than a publisher waits.
  await vi.waitFor(() => publisher.publish(postTo(10_000)), { timeout: 30_000, interval: 500 });
  expect(await written(direct)).toEqual(before);
});

it('a process gets the topics of its own subscribers alone', async (context) => {
  const { expect } = context;
  const { direct, hub, publisher, url } = await openWakeUps(context);
  const another = await openAnother(context, url, direct);
  const here = await hub.listen(FOLLOWERS[7]!);
  const there = await another.listen(FOLLOWERS[8]!);
  const [before] = await written(direct);
  await publisher.publish(POST);
  await expect(nextPayload(here)).resolves.toEqual({ postId: 'post' });
  await expect(nextPayload(there)).resolves.toEqual({ postId: 'post' });
  expect((await written(direct))[0]! - before!).toBeLessThan(300);
  const { byReader } = await findRoutes(direct, new Set(FOLLOWERS));
  expect([...byReader.values()].map((topics) => [...topics]).toSorted()).toEqual([
    [FOLLOWERS[7]],
    [FOLLOWERS[8]],
  ]);
});

it('those that are listened to are found among few topics and among thousands, whether few or many are listened to', async (context) => {
  const { expect } = context;
  const { direct, hub } = await openWakeUps(context);
  const listenedTo = followers(100);
  await Promise.all(listenedTo.map((topic) => hub.listen(topic)));
  for (const asked of [1, 50, 10_000]) {
    const topics = ['nobody', ...followers(asked)];
    const { byReader } = await findRoutes(direct, new Set(topics));
    expect([...byReader.values()].map((found) => [...found].toSorted())).toEqual([
      listenedTo.filter((topic) => topics.includes(topic)).toSorted(),
    ]);
  }
});

it('a topic that nobody listens to any more is written to nobody', async (context) => {
  const { expect } = context;
  const { direct, hub } = await openWakeUps(context);
  const [one, other] = [await hub.listen('news'), await hub.listen('news')];
  const readers = async () => (await findRoutes(direct, new Set(['news']))).byReader.size;
  one.close();
  await hub.listen('more');
  expect(await readers()).toBe(1);
  other.close();
  await expect.poll(readers).toBe(0);
});

it('a listener that publishers do not know yet hears that wake-ups may be missed, once they know', async (context) => {
  const { expect } = context;
  const { direct, hub, publisher } = await openWakeUps(context);
  await direct.config('SET', 'min-replicas-to-write', '1');
  const listener = await hub.listen('news');
  await publisher.publish([{ topics: ['news'], payload: { n: 1 } }]);
  await direct.config('SET', 'min-replicas-to-write', '0');
  await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  const heard = nextPayload(listener);
  let isHeard = false;
  void heard.then(() => (isHeard = true));
  // A hub that the machine starves for seconds connects anew, and hears `missed` instead of the wake-up.
  await vi.waitFor(
    async () => {
      await publisher.publish([{ topics: ['news'], payload: { n: 2 } }]);
      expect(isHeard).toBe(true);
    },
    { timeout: 30_000, interval: 500 },
  );
  await expect(heard).resolves.toEqual({ n: 2 });
});

it('what a killed process subscribed to is removed, at the next wake-up or by and by', async (context) => {
  const { expect } = context;
  const { direct, hub, publisher } = await openWakeUps(context);
  const topics = ['feed:ann', 'feed:ben'];
  const registry = openSubscriptions(direct)(() => undefined);
  const killed = registry.begin();
  await direct.set(streamOf(killed).counter, 'epoch/0');
  const registered = registry.register();
  await Promise.all([registered, ...topics.map((topic) => registry.add(topic))]);
  const alive = await hub.listen('feed:ben');
  // Its keys expire once it no longer renews them.
  await direct.del(streamOf(killed).counter);
  await publisher.publish([{ topics: ['feed:ann'], payload: {} }]);
  const ofKilled = async () => [...((await findRoutes(direct, new Set(topics))).byReader.get(killed) ?? [])];
  expect(await ofKilled()).toEqual(['feed:ben']);
  await forgetDeadReaders(direct, new AbortController().signal);
  expect(await ofKilled()).toEqual([]);
  await publisher.publish([{ topics: ['feed:ben'], payload: { n: 1 } }]);
  await expect(nextPayload(alive)).resolves.toEqual({ n: 1 });
  registry.close();
});

it('what processes of the version before publish is heard', async (context) => {
  const { expect } = context;
  const { direct, hub, publisher } = await openWakeUps(context);
  const listener = await hub.listen('news');
  let n = 0;
  async function publishAsBefore(): Promise<void> {
    n += 1;
    const text = JSON.stringify({ topics: ['news'], payload: { n } });
    await direct.xadd(FORMER_STREAM.stream, '*', 'w', text, 'n', `former/${n}`);
    await direct.set(FORMER_STREAM.counter, `former/${n}`);
  }
  await publishAsBefore();
  await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  await publishAsBefore();
  await expect(listener.next()).resolves.toEqual({ kind: 'woken', payload: { n: 2 } });
  n += 1;
  await publishAsBefore();
  // One was lost.
  await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  await publisher.publish([{ topics: ['news'], payload: { n: 5 } }]);
  await expect(nextPayload(listener)).resolves.toEqual({ n: 5 });
});

it('processes of the version before get every wake-up as long as there are any', async (context) => {
  const { expect } = context;
  const { direct, publisher } = await openWakeUps(context);
  const former = () => direct.xrange(FORMER_STREAM.stream, '-', '+');
  await publisher.publish(POST);
  expect(await former()).toEqual([]);
  // As their readers do each second.
  await direct.set(FORMER_STREAM.counter, 'epoch/4', 'NX');
  await publisher.publish(POST);
  expect((await former()).map(([, fields]) => fields[3])).toEqual(POST.map((_, n) => `epoch/${5 + n}`));
  // It ends unless one of them makes it anew.
  expect(await direct.pttl(FORMER_STREAM.counter)).toBeGreaterThan(0);
  await publisher.publish(POST);
  expect(await direct.get(FORMER_STREAM.counter)).toBe('epoch/8');
  expect(await direct.pttl(FORMER_STREAM.counter)).toBeGreaterThan(0);
});
