import { it, vi } from 'vitest';
import type { Listener } from '../../src/platform/wake-ups/wake-ups.js';
import { nextPayload, openWakeUps, type WakeUpWorld } from './wake-ups-world.js';

/** What docs/operations.md promises is 5 s; the rest is for a crowded machine. */
const LEARNT_WITHIN_MS = 15_000;

type Lose = (world: WakeUpWorld, secondId: string) => Promise<unknown>;

const loseAll: Lose = ({ direct }) => direct.flushall();
const loseStream: Lose = async ({ direct, keys }) => direct.del((await keys()).stream);
const loseOne: Lose = async ({ direct, keys }, secondId) => direct.xdel((await keys()).stream, secondId);
const spoilStream: Lose = async ({ direct, keys }) => direct.set((await keys()).stream, 'garbage');
const spoilCounter: Lose = async ({ direct, keys }) => direct.set((await keys()).counter, 'garbage');
const writeUnreadable: Lose = async ({ direct, keys }) =>
  direct.xadd((await keys()).stream, '*', 'w', '{"topics":');
const replaceCounter: Lose = async ({ direct, keys }) => {
  const { counter } = await keys();
  await direct.multi().del(counter).lpush(counter, 'garbage').exec();
};
const loseStreamAndSpoilCounter: Lose = async ({ direct, keys }) => {
  const { stream, counter } = await keys();
  await direct.multi().del(stream).set(counter, 'garbage').exec();
};
const loseRegistry: Lose = async ({ direct }) =>
  direct.del(await direct.keys('tidings:wake-ups:{t*}:readers'));
const spoilRegistry: Lose = async ({ direct }) => {
  for (const key of await direct.keys('tidings:wake-ups:{t*}:readers'))
    await direct.multi().del(key).set(key, 'garbage').exec();
};

it.concurrent.for<[string, Lose]>([
  ['a FLUSHALL', loseAll],
  ['the loss of the stream alone', loseStream],
  ['another type at the key of the stream', spoilStream],
  ['another type at the key of the counter', replaceCounter],
  ['a counter that cannot be read', loseStreamAndSpoilCounter],
])(
  'a listener learns within seconds, without later activity, that %s may have taken a wake-up',
  async ([, lose], context) => {
    const { expect } = context;
    const world = await openWakeUps(context);
    const { hub, proxy, publisher } = world;
    const listener = await hub.listen('news');
    proxy.hold();
    await world.readHasEnded();
    await publisher.publish([{ topics: ['news'], payload: { n: 1 } }]);
    await lose(world, '');
    proxy.resume();
    const since = performance.now();
    await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
    expect(performance.now() - since).toBeLessThan(LEARNT_WITHIN_MS);
    await publisher.publish([{ topics: ['news'], payload: { n: 2 } }]);
    await expect(nextPayload(listener)).resolves.toEqual({ n: 2 });
  },
);

it.concurrent.for<[string, Lose]>([
  ['was lost', loseRegistry],
  ['was overwritten', spoilRegistry],
])('a listener learns within seconds that who subscribes %s, and hears on', async ([, lose], context) => {
  const { expect } = context;
  const world = await openWakeUps(context);
  const listener = await world.hub.listen('news');
  await lose(world, '');
  // Publishers find nobody.
  await world.publisher.publish([{ topics: ['news'], payload: { n: 1 } }]).catch(() => undefined);
  const since = performance.now();
  await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  expect(performance.now() - since).toBeLessThan(LEARNT_WITHIN_MS);
  await world.publisher.publish([{ topics: ['news'], payload: { n: 2 } }]);
  await expect(nextPayload(listener)).resolves.toEqual({ n: 2 });
});

it.concurrent('a listener learns that wake-ups were lost though others came since, and hears on', async (context) => {
  const { expect } = context;
  const { direct, hub, proxy, publisher, readHasEnded } = await openWakeUps(context);
  const listener = await hub.listen('news');
  proxy.hold();
  await readHasEnded();
  await publisher.publish([{ topics: ['news'], payload: { n: 1 } }]);
  await direct.flushall();
  await publisher.publish([{ topics: ['other'], payload: {} }]);
  proxy.resume();
  await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  await publisher.publish([{ topics: ['news'], payload: { n: 2 } }]);
  await expect(nextPayload(listener)).resolves.toEqual({ n: 2 });
});

it.concurrent.for<[string, Lose]>([
  ['one entry is deleted', loseOne],
  ['everything was lost before the last', loseAll],
  ['the counter was overwritten', spoilCounter],
  ['an entry cannot be read', writeUnreadable],
])(
  'a listener hears no wake-up that came after a loss before it is told of the loss: %s',
  async ([, lose], context) => {
    const { expect } = context;
    const world = await openWakeUps(context);
    const { direct, hub, proxy, publisher } = world;
    let published = 0;
    /** The posts of one author, each in the source before its wake-up. */
    async function publishNext(): Promise<void> {
      published += 1;
      await publisher.publish([{ topics: ['news'], payload: { n: published } }]);
    }
    // So many that they are notified in many groups, while more is published.
    const listeners = await Promise.all(Array.from({ length: 2_000 }, () => hub.listen('news')));
    const heard = listeners.map((listener) => follow(listener, () => published));
    proxy.hold();
    await world.readHasEnded();
    for (let n = 1; n <= 3; n += 1) await publishNext();
    const ids = (await direct.xrange((await world.keys()).stream, '-', '+')).slice(-3).map(([id]) => id);
    await lose(world, ids[1]!);
    await publishNext();
    proxy.resume();
    await vi.waitFor(() => expect(heard.some(({ reads }) => reads > 0)).toBe(true), {
      interval: 1,
      timeout: LEARNT_WITHIN_MS,
    });
    for (let n = 1; n <= 20; n += 1) await publishNext();
    await vi.waitFor(() => expect(heard.every(({ told }) => told.at(-1) === published)).toBe(true), 15_000);
    for (const { told } of heard)
      expect(told).toEqual(Array.from({ length: published }, (_, index) => index + 1));
  },
);

/** Tells what is woken at once, and all that the source has where something may have been missed. */
function follow(listener: Listener, published: () => number) {
  const followed = { told: [] as number[], reads: 0 };
  const last = () => followed.told.at(-1) ?? 0;
  void (async () => {
    for (let heard = await listener.next(); heard; heard = await listener.next()) {
      if (heard.kind === 'missed') {
        followed.reads += 1;
        while (last() < published()) followed.told.push(last() + 1);
      } else if (Number(heard.payload.n) > last()) followed.told.push(Number(heard.payload.n));
    }
  })();
  return followed;
}
