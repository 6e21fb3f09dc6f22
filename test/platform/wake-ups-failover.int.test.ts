import { setTimeout as pause } from 'node:timers/promises';
import { it, type TestContext, vi } from 'vitest';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  openSubscriptions,
} from '../../src/platform/wake-ups/wake-ups.js';
import { openServerWorld, silent } from './server-world.js';

const PUBLISHED = 60;
const PACE_MS = 50;
/** Of what docs/operations.md promises is 5 s; the rest is for a crowded machine. */
const HEARD_WITHIN_MS = 15_000;

/** A process that publishes and one that listens, each at an address of its own. */
async function openWorld(context: TestContext) {
  const world = await openServerWorld(context);
  const [writer, reader] = await Promise.all([world.open(world.old.port), world.open(world.old.port)]);
  const hubRedis = openBlockingRedis([reader.address.url], () => undefined);
  const hub = createWakeUpHub(hubRedis, openSubscriptions(reader.redis), silent, reader.missed, {
    lease: reader.lease,
    checkSource: () => world.postgres.query('SELECT 1'),
  });
  world.own(() => hub.close());
  await context.expect.poll(() => hub.isHearing(), { timeout: 30_000 }).toBe(true);
  return { promoted: world.promoted, writer, reader, hubRedis, hub };
}
type World = Awaited<ReturnType<typeof openWorld>>;

/** When each of so many topics was last heard. */
async function listenToAll({ hub }: World): Promise<number[]> {
  const heardAt: number[] = Array.from({ length: PUBLISHED }, () => 0);
  for (const n of heardAt.keys()) {
    const listener = await hub.listen(`topic-${n}`);
    void (async () => {
      while (await listener.next()) heardAt[n] = performance.now();
    })();
  }
  return heardAt;
}

const breakLease = ({ reader }: World): void => reader.redis.disconnect(true);
const breakHub = ({ hubRedis }: World): void => hubRedis.disconnect(true);

it.concurrent.for<[string, { writerMoves: boolean; breaks: readonly ((world: World) => void)[] }]>([
  ['the reader’s lease alone moves at first', { writerMoves: true, breaks: [breakLease] }],
  ['the reader’s hub alone moves at first', { writerMoves: true, breaks: [breakHub] }],
  ['the reader moves at first', { writerMoves: true, breaks: [breakLease, breakHub] }],
  ['the reader moves, and the writer stays', { writerMoves: false, breaks: [breakLease, breakHub] }],
  ['the reader’s lease alone moves, and the writer stays', { writerMoves: false, breaks: [breakLease] }],
  ['the reader’s hub alone moves, and the writer stays', { writerMoves: false, breaks: [breakHub] }],
])(
  'what is published while another primary takes over is heard, where %s',
  { timeout: 90_000 },
  async ([, { writerMoves, breaks }], context) => {
    const { expect } = context;
    const world = await openWorld(context);
    const { hub, promoted, reader, writer } = world;
    const publisher = createWakeUpPublisher(writer.redis, writer);
    const heardAt = await listenToAll(world);
    if (writerMoves) writer.address.moveTo(promoted.port);
    reader.address.moveTo(promoted.port);
    for (const breakOne of breaks) breakOne(world);
    const committedAt: number[] = [];
    for (let n = 0; n < PUBLISHED; n += 1) {
      committedAt[n] = performance.now();
      await publisher.publish([{ topics: [`topic-${n}`], payload: { n } }]);
      await pause(PACE_MS);
    }
    const unheard = (): number[] => committedAt.flatMap((at, n) => (heardAt[n]! < at ? [n] : []));
    await vi.waitFor(() => expect(unheard()).toEqual([]), { timeout: HEARD_WITHIN_MS, interval: 50 });
    await expect.poll(() => reader.lease.isHeld() && hub.isHearing(), { timeout: 30_000 }).toBe(true);
  },
);
