import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openBlockingRedis, openRedis, type Redis } from '../../src/platform/redis/redis.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  type Listener,
  openSubscriptions,
  type WakeUpHub,
  type WakeUpPublisher,
} from '../../src/platform/wake-ups/wake-ups.js';
import { startTestCluster, type TestCluster } from '../support/redis-cluster.js';
import { silent } from './wake-ups-world.js';

let cluster: TestCluster;
let redis: Redis;
let hubs: readonly WakeUpHub[];
let publisher: WakeUpPublisher;
beforeAll(async () => {
  cluster = await startTestCluster({ replicas: 3 });
  redis = openRedis(cluster.urls, () => undefined);
  hubs = [0, 1].map(() =>
    createWakeUpHub(
      openBlockingRedis(cluster.urls, () => undefined),
      openSubscriptions(redis),
      silent,
    ),
  );
  publisher = createWakeUpPublisher(redis);
  await Promise.all(hubs.map((hub) => hub.ready));
});
afterAll(async () => {
  for (const hub of hubs ?? []) hub.close();
  redis?.disconnect();
  await cluster?.stop();
});

/** Notes all that a listener hears, until it is closed. */
function note(listener: Listener): unknown[] {
  const heard: unknown[] = [];
  const read = async () => {
    for (let next = await listener.next(); next; next = await listener.next())
      heard.push(next.kind === 'missed' ? 'missed' : next.payload.n);
  };
  void read();
  return heard;
}

const publish = (topic: string, n: number): Promise<void> =>
  publisher.publish([{ topics: [topic], payload: { n } }]);

/** The key of a reader's stream that has entries of this topic alone. */
const streams = async (): Promise<string[]> =>
  (await cluster.keys())
    .map(({ key }) => key)
    .filter((key) => key.includes('wake-ups:{') && !key.includes(':{t'));

it('subscribers in each process hear what is published, in order, and nothing else', async () => {
  const listeners = await Promise.all(['a', 'b'].flatMap((topic) => hubs.map((hub) => hub.listen(topic))));
  const heard = listeners.map(note);
  for (let n = 0; n < 50; n += 1) await publish(n % 2 ? 'b' : 'a', n);
  await vi.waitFor(() => expect(heard.map((one) => one.at(-1))).toEqual([48, 48, 49, 49]), 20_000);
  const numbers = (rest: number) => Array.from({ length: 25 }, (_, index) => 2 * index + rest);
  expect(heard.map((one) => one.filter((n) => n !== 'missed'))).toEqual([0, 0, 1, 1].map(numbers));
  for (const listener of listeners) listener.close();
});

it('thousands of topics are looked up in all shards at once', async () => {
  const listener = await hubs[0]!.listen('rare');
  const heard = note(listener);
  const topics = Array.from({ length: 3_000 }, (_, index) => `user:${index}`);
  await publisher.publish([{ topics: [...topics, 'rare'], payload: { n: 7 } }]);
  await vi.waitFor(() => expect(heard).toContain(7), 20_000);
  listener.close();
});

it('while the slots of their streams move, and when a node is killed, subscribers hear each wake-up or that they missed some', async () => {
  const listeners = await Promise.all(hubs.map((hub) => hub.listen('moved')));
  const heard = listeners.map(note);
  let n = 0;
  let isOver = false;
  const publishing = (async () => {
    while (!isOver) {
      n += 1;
      // One that fails is noted in Postgres, which this test has none of.
      const isPublished = await publish('moved', n).then(
        () => true,
        () => false,
      );
      if (!isPublished) for (const one of heard) one.push('missed');
    }
  })();
  const [first, second] = await streams();
  for (const key of [first, second]) {
    const owner = await cluster.ownerOf(key!);
    await cluster.moveSlot(key!, (owner + 1) % 3);
  }
  const killed = await cluster.ownerOf(first!);
  await cluster.kill(killed);
  await vi.waitFor(async () => {
    const before = heard.map((one) => one.filter((each) => each !== 'missed').length);
    await vi.waitFor(
      () =>
        expect(
          heard.every((one, index) => one.filter((each) => each !== 'missed').length > before[index]! + 5),
        ).toBe(true),
      2_000,
    );
    expect(hubs.every((hub) => hub.isHearing())).toBe(true);
  }, 60_000);
  isOver = true;
  await publishing;
  for (const one of heard) expect(gapsWithoutMissed(one)).toEqual([]);
  for (const listener of listeners) listener.close();
});

/** Numbers that were not heard although no `missed` tells of them. */
function gapsWithoutMissed(heard: readonly unknown[]): [number, number][] {
  const gaps: [number, number][] = [];
  let last: number | undefined;
  for (const one of heard) {
    if (typeof one === 'number') {
      if (last !== undefined && one > last + 1) gaps.push([last, one]);
      last = one;
    } else last = undefined;
  }
  return gaps;
}
