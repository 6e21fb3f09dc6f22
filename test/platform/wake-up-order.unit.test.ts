import fc from 'fast-check';
import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import type { OpenSubscriptions } from '../../src/platform/wake-ups/wake-up-subscriptions.js';
import { createWakeUpHub, type Heard, type WakeUpHub } from '../../src/platform/wake-ups/wake-ups.js';
import { FakeWakeUpRedis } from './fake-wake-up-redis.js';

/** So many that they are notified of a loss in several groups. */
const SUBSCRIBERS = 70;
const silent = pino({ level: 'silent' });
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** An author whose posts stand in a source, and subscribers that tell of each post as they hear of it. */
function openWorld(server?: Parameters<typeof createWakeUpHub>[4]) {
  const redis = new FakeWakeUpRedis();
  const noted = new Set<(topics: readonly string[] | 'all') => void>();
  const missedWrites = {
    onTopics(listener: (topics: readonly string[] | 'all') => void) {
      noted.add(listener);
      return () => void noted.delete(listener);
    },
  };
  const hub = createWakeUpHub(redis.connection, redis.openSubscriptions, silent, missedWrites, server);
  let posts = 0;
  let subscribing = 0;
  const subscribers: { readonly told: number[]; readonly from: number }[] = [];
  return {
    redis,
    hub,
    subscribers,
    post(): number {
      posts += 1;
      return posts;
    },
    publish() {
      redis.publish(JSON.stringify({ topics: ['author'], payload: { post: this.post() } }));
    },
    note(topics: readonly string[] | 'all') {
      for (const listener of noted) listener(topics);
    },
    async subscribe() {
      subscribing += 1;
      subscribers.push(await follow(hub, () => posts));
      subscribing -= 1;
    },
    async expectAllTold() {
      await vi.waitFor(() => {
        expect(subscribing).toBe(0);
        for (const { told, from } of subscribers) expect(told.at(-1) ?? from).toBe(posts);
      }, 5_000);
      for (const { told, from } of subscribers)
        expect(told).toEqual(Array.from({ length: posts - from }, (_, index) => from + 1 + index));
    },
  };
}

/** Tells of what is woken at once, and of all that the source has where something may have been missed. */
async function follow(hub: WakeUpHub, newest: () => number) {
  const listener = await hub.listen('author');
  const from = newest();
  const told: number[] = [];
  const last = () => told.at(-1) ?? from;
  void (async () => {
    for (let heard = await listener.next(); heard; heard = await listener.next()) {
      if (heard.kind === 'missed') while (last() < newest()) told.push(last() + 1);
      else if (Number(heard.payload.post) > last()) told.push(Number(heard.payload.post));
    }
  })();
  return { told, from };
}

const isPost = (heard: Heard | null, post: number): boolean =>
  heard?.kind === 'woken' && heard.payload.post === post;

type World = ReturnType<typeof openWorld>;
const happenings: Record<string, (world: World) => void> = {
  publish: (world) => world.publish(),
  'lose the newest entry': ({ redis }) => void redis.entries.pop(),
  'lose an entry in the middle': ({ redis }) =>
    void redis.entries.splice(Math.floor(redis.entries.length * 0.7), 1),
  'lose the stream': ({ redis }) => void redis.entries.splice(0),
  'lose everything': ({ redis }) => redis.flush(),
  'overwrite the counter': ({ redis }) => {
    redis.counter = 'garbage';
  },
  'publish what cannot be read': (world) => {
    world.post();
    world.redis.publish('{"topics":');
  },
  'note in Postgres what Redis did not take': (world) => {
    world.post();
    world.note(['author']);
  },
  'note in Postgres that everybody may have missed something': (world) => {
    world.post();
    world.note(['*']);
  },
  'lose who subscribes': ({ redis }) => redis.loseRegistry(),
  'break the connection': ({ redis }) => redis.breakConnection(),
  'hold answers back': ({ redis }) => redis.hold(),
  'go on answering': ({ redis }) => redis.resume(),
  subscribe: (world) => void world.subscribe(),
};
const HELD = 3;
const step = fc.oneof(
  { weight: 8, arbitrary: fc.constant('publish') },
  { weight: 4, arbitrary: fc.constant('wait') },
  { weight: 6, arbitrary: fc.constantFrom(...Object.keys(happenings)) },
);

it('each subscriber reports each post once and in order, whatever is lost and whenever it is noticed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const world = openWorld();
      try {
        await world.hub.ready;
        await Promise.all(Array.from({ length: SUBSCRIBERS }, () => world.subscribe()));
        for (const what of steps) {
          happenings[what]?.(world);
          if (what === 'wait') for (let turn = 0; turn < HELD; turn += 1) await nextTurn();
        }
        world.redis.resume();
        await world.expectAllTold();
        // And afterwards nothing is dropped.
        world.publish();
        await world.expectAllTold();
      } finally {
        world.hub.close();
      }
    }),
    { numRuns: 60, interruptAfterTimeLimit: 40_000, markInterruptAsFailure: false },
  );
});

it('a page in which something is missing is not handed out', async () => {
  const world = openWorld();
  await world.hub.ready;
  await world.subscribe();
  world.publish();
  await world.expectAllTold();
  const listener = await world.hub.listen('author');
  world.redis.hold();
  for (let n = 0; n < 5; n += 1) world.publish();
  world.redis.entries.splice(-3, 1);
  world.redis.resume();
  await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  await world.expectAllTold();
  world.publish();
  await expect(listener.next()).resolves.toMatchObject({ kind: 'woken', payload: { post: 7 } });
  world.hub.close();
});

it('a process that lost its lease hears of a later post once it has seen what was noted of an earlier one', async () => {
  let isHeld = true;
  const world = openWorld({
    lease: {
      isHeld: () => isHeld,
      life: () => 'run/1',
      runIds: () => new Set(['run']),
      leave() {},
      onLeave: () => () => undefined,
    },
    checkSource: async () => undefined,
  });
  await world.hub.ready;
  const listener = await world.hub.listen('author');
  world.publish();
  while (!isPost(await listener.next(), 1));
  isHeld = false;
  const earlier = world.post();
  world.publish();
  const heard = listener.next();
  const isHeard = vi.fn();
  void heard.then(isHeard);
  await vi.waitFor(() => expect(world.redis.newestRead).toBe(2), 20_000);
  for (let turn = 0; turn < 10 * HELD; turn += 1) await nextTurn();
  expect(isHeard).not.toHaveBeenCalled();
  // A renewal looks at the notes first.
  world.note(['author']);
  isHeld = true;
  await expect(heard).resolves.toEqual({ kind: 'missed' });
  await expect(listener.next()).resolves.toMatchObject({ kind: 'woken', payload: { post: earlier + 1 } });
  world.hub.close();
});

it('subscribers whose source does not answer are left alone until it does, however often the hub connects anew', async () => {
  let answers = true;
  const world = openWorld({
    lease: {
      isHeld: () => true,
      life: () => 'run/1',
      runIds: () => new Set(['run']),
      leave() {},
      onLeave: () => () => undefined,
    },
    checkSource: async () => {
      if (!answers) throw new Error('no Postgres');
    },
  });
  await world.hub.ready;
  const listener = await world.hub.listen('author');
  await vi.waitFor(() => expect(world.hub.isHearing()).toBe(true), 5_000);
  await expect(listener.next()).resolves.toEqual({ kind: 'missed' });
  answers = false;
  const heard = listener.next();
  const isHeard = vi.fn();
  void heard.then(isHeard);
  for (let n = 0; n < 3; n += 1) {
    world.redis.breakConnection();
    world.publish();
    for (let turn = 0; turn < 10 * HELD; turn += 1) await nextTurn();
  }
  expect(isHeard).not.toHaveBeenCalled();
  expect(world.hub.isHearing()).toBe(false);
  answers = true;
  await expect(heard).resolves.toEqual({ kind: 'missed' });
  world.hub.close();
});

it('one who subscribes after a loss was noticed hears wake-ups at once', async () => {
  const world = openWorld();
  await world.hub.ready;
  await Promise.all(Array.from({ length: 3_000 }, () => world.hub.listen('author')));
  world.note(['*']);
  const listener = await world.hub.listen('author');
  world.publish();
  await expect(listener.next()).resolves.toMatchObject({ kind: 'woken' });
  world.hub.close();
});

it('a hub does not say that it hears before all were notified of a loss', async () => {
  const world = openWorld();
  await world.hub.ready;
  await Promise.all(Array.from({ length: 3_000 }, () => world.subscribe()));
  await vi.waitFor(() => expect(world.hub.isHearing()).toBe(true), 20_000);
  world.redis.flush();
  await vi.waitFor(() => expect(world.hub.isHearing()).toBe(false), { interval: 1 });
  await vi.waitFor(() => expect(world.hub.isHearing()).toBe(true), { timeout: 10_000 });
  world.hub.close();
});

it('a hub does not say that it hears while it registers thousands of topics anew after a loss', async () => {
  const redis = new FakeWakeUpRedis();
  const registered: (() => void)[] = [];
  /** Part of them is registered at once, which the registry takes for current. */
  const openSubscriptions: OpenSubscriptions = (onLost) => ({
    ...redis.openSubscriptions(onLost),
    register: () => new Promise((resolve) => registered.push(resolve)),
    isCurrent: () => true,
  });
  const hub = createWakeUpHub(redis.connection, openSubscriptions, silent);
  await vi.waitFor(() => expect(registered).toHaveLength(1));
  registered[0]!();
  await vi.waitFor(() => expect(hub.isHearing()).toBe(true), { timeout: 10_000, interval: 1 });
  redis.loseRegistry();
  await vi.waitFor(() => expect(registered).toHaveLength(2), { timeout: 10_000, interval: 1 });
  expect(hub.isHearing()).toBe(false);
  registered[1]!();
  await vi.waitFor(() => expect(hub.isHearing()).toBe(true), { timeout: 10_000, interval: 1 });
  hub.close();
});
