import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { processMediaTask } from '../../src/domains/feed/index.js';
import type { MediaUploads } from '../../src/domains/feed/media/index.js';
import { createDiskStore } from '../../src/domains/feed/media/store.js';
import { mediaJobs } from '../../src/jobs/feed-media.js';
import { workJobs } from '../../src/platform/queues/jobs.js';
import { openQueues, type Queues } from '../../src/platform/queues/queues.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { callerOf, viewerOf } from './feed-callers.js';
import { from, hollowVideo, type MediaWorld, openMediaWorld, picture, silent } from './media-world.js';

let redis: TestRedis;
let world: MediaWorld;
let queues: Queues;
let media: MediaUploads;
let worker: { close(): Promise<void> };
/** Names of uploads whose processing has begun, in order. It goes on once `finish` names them. */
let begun: string[];
let gates: Map<string, PromiseWithResolvers<void>>;

beforeEach(async () => {
  [redis, world] = await Promise.all([startTestRedis(), openMediaWorld()]);
  const address = { urls: redis.url.split(',') };
  queues = openQueues(address, silent);
  begun = [];
  gates = new Map();
  const disk = createDiskStore(world.dir);
  media = world.mediaWith(
    {
      async get(key) {
        const name = nameOf.get(key)!;
        begun.push(name);
        await gates.get(name)?.promise;
        return disk.get(key);
      },
    },
    queues,
  );
  worker = workJobs(address, mediaJobs({ queues, feed: { media } }), silent);
});
afterEach(async () => {
  for (const gate of gates?.values() ?? []) gate.resolve();
  await worker?.close();
  await queues?.close();
  await Promise.all([world?.close(), redis?.stop()]);
});

const nameOf = new Map<string, string>();
/** Uploads something whose processing is held where `name` is a video's. */
async function upload(owner: string, name: string, bytes: Buffer, into = media): Promise<string> {
  if (name.startsWith('video')) gates.set(name, Promise.withResolvers());
  const disk = createDiskStore(world.dir);
  const naming = world.mediaWith(
    {
      put(key, ...rest) {
        nameOf.set(key, name);
        return disk.put(key, ...rest);
      },
    },
    into === media ? queues : undefined,
  );
  const result = await naming.upload(callerOf(owner), from(bytes));
  if (!result.ok) throw new Error(result.errors[0]!.code);
  return result.value.mediaId;
}
const finish = (name: string): void => gates.get(name)!.resolve();
const stateOf = async (owner: string, mediaId: string) =>
  (await media.findVisible(viewerOf(owner), [mediaId])).get(mediaId)?.state;
const eventually = { timeout: 20_000 };
const untilBegun = (names: readonly string[]) => vi.waitFor(() => expect(begun).toEqual(names), eventually);
const image = () => picture(20, 20).png().toBuffer();

it('a picture does not wait for videos, however many are being processed and wait', async () => {
  for (const owner of ['ann', 'ben', 'cy', 'dee']) await upload(owner, `video of ${owner}`, hollowVideo());
  await vi.waitFor(() => expect(begun).toHaveLength(2), eventually);
  const mediaId = await upload('eve', 'picture', await image());
  await vi.waitFor(async () => expect(await stateOf('eve', mediaId)).toBe('ready'), eventually);
  expect(begun.slice(2)).toEqual(['picture']);
});

it('the videos of one person are processed one at a time, and after each of them others have their turn', async () => {
  const first = await upload('ann', 'video 1 of ann', hollowVideo());
  await untilBegun(['video 1 of ann']);
  for (const name of ['video 2 of ann', 'video 3 of ann']) await upload('ann', name, hollowVideo());
  await upload('ben', 'video of ben', hollowVideo());
  await untilBegun(['video 1 of ann', 'video of ben']);
  await upload('cy', 'video of cy', hollowVideo());
  finish('video 1 of ann');
  await untilBegun(['video 1 of ann', 'video of ben', 'video of cy']);
  await vi.waitFor(async () => expect(await stateOf('ann', first)).toBe('failed'), eventually);
  finish('video of ben');
  await untilBegun(['video 1 of ann', 'video of ben', 'video of cy', 'video 2 of ann']);
  finish('video 2 of ann');
  await vi.waitFor(() => expect(begun.at(-1)).toBe('video 3 of ann'), eventually);
});

it('everything that one person uploads at once is processed', async () => {
  const bytes = await image();
  const mediaIds = await Promise.all(
    Array.from({ length: 8 }, (_, n) => upload('ann', `picture ${n}`, bytes)),
  );
  for (const mediaId of mediaIds)
    await vi.waitFor(async () => expect(await stateOf('ann', mediaId)).toBe('ready'), eventually);
});

it('a job of the former version, which names an upload, leads to its processing', async () => {
  const mediaId = await upload('ann', 'picture', await image(), world.media);
  await queues.enqueue(processMediaTask, { mediaId }, { correlationId: 'former', deduplicationId: mediaId });
  await vi.waitFor(async () => expect(await stateOf('ann', mediaId)).toBe('ready'), eventually);
});
