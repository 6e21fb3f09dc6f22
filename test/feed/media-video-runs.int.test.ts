import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createDiskStore } from '../../src/domains/feed/media/store.js';
import { openVideoTools } from '../../src/domains/feed/media/video-tools.js';
import { viewerOf } from './feed-callers.js';
import { hollowVideo, MAX_VIDEO_SECONDS, type MediaWorld, openMediaWorld } from './media-world.js';

let world: MediaWorld;
let tools: string;
beforeAll(async () => {
  [world, tools] = await Promise.all([openMediaWorld(), mkdtemp(path.join(tmpdir(), 'tidings-tools-'))]);
  vi.stubEnv('PATH', `${tools}:${process.env.PATH}`);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world?.close();
  await rm(tools, { recursive: true, force: true });
});

beforeEach(() => useTools());

/** They stand for the real ones: what they make of a video is the video. */
async function useTools({ shown = {}, header = {}, readSeconds = 1 } = {}): Promise<void> {
  const stream = { width: 320, height: 240, ...shown };
  await tool('ffprobe', `echo '${JSON.stringify({ streams: [stream], ...header })}'`);
  const named = 'while [ "$1" != "-i" ]; do shift; done; in="$(echo "$2" | cut -c6-)"; for out; do :; done';
  const reported = `out_time_us=200000\nout_time_us=${readSeconds * 1_000_000}\n`;
  await tool('ffmpeg', `${named}\n[ "$out" = - ] && printf '${reported}' || cp "$in" "$out"`);
}

async function tool(name: string, script: string): Promise<void> {
  await writeFile(path.join(tools, name), `#!/bin/sh\n${script}\n`);
  await chmod(path.join(tools, name), 0o755);
}

/** A worker whose first call of one of the store's operations waits until it is let go. */
function heldAt(operation: 'get' | 'put') {
  const disk = createDiskStore(world.dir);
  const [arrived, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hold = async (): Promise<void> => {
    arrived.resolve();
    await go.promise;
  };
  const room = world.mediaWith(
    operation === 'get'
      ? { get: (key) => hold().then(() => disk.get(key)) }
      : { put: (...args) => hold().then(() => disk.put(...args)) },
  );
  return { room, arrived: arrived.promise, go: () => go.resolve() };
}

it('a run that was thought dead takes nothing from the one on the same machine that took over', async () => {
  const mediaId = await world.upload('ann', hollowVideo());
  const [dead, next] = [heldAt('get'), heldAt('put')];
  const late = world.process(mediaId, dead.room);
  await dead.arrived;
  await world.age(mediaId, 31);
  const taken = world.process(mediaId, next.room);
  await next.arrived;
  dead.go();
  await late.catch(() => undefined);
  next.go();
  await taken;
  const found = (await world.media.findVisible(viewerOf('ann'), [mediaId])).get(mediaId);
  expect(found).toMatchObject({ state: 'ready', failureReason: null });
  expect((await readdir(tmpdir())).filter((name) => name.includes(mediaId))).toEqual([]);
});

const afterProcessing = async () => {
  const mediaId = await world.upload('ann', hollowVideo());
  await world.process(mediaId);
  return (await world.media.findVisible(viewerOf('ann'), [mediaId])).get(mediaId);
};
const tooLong = { state: 'failed', failureReason: 'VIDEO_TOO_LONG', renditions: [] };

it('a video that says that it is too long is refused before anything is made of it', async () => {
  const duration = (seconds: number) => ({ header: { format: { duration: `${seconds}.000000` } } });
  await useTools(duration(MAX_VIDEO_SECONDS));
  expect(await afterProcessing()).toMatchObject({ state: 'ready' });
  await useTools(duration(MAX_VIDEO_SECONDS + 1));
  await tool('ffmpeg', 'exit 1');
  expect(await afterProcessing()).toMatchObject(tooLong);
});

it.each([{}, { format: {} }, { format: { duration: 'N/A' } }, { format: { duration: '1.000000' } }])(
  'a video that is longer than its header says is refused, too: %j',
  async (header) => {
    await useTools({ header, readSeconds: MAX_VIDEO_SECONDS });
    expect(await afterProcessing()).toMatchObject({ state: 'ready' });
    await useTools({ header, readSeconds: MAX_VIDEO_SECONDS + 1 });
    expect(await afterProcessing()).toMatchObject(tooLong);
  },
);

it.each([
  ['64:45', 0, [455, 240]],
  ['64:45', -90, [240, 455]],
  ['3:4', 180, [240, 240]],
  ['1:1', 90, [240, 320]],
  ['0:1', 0, [320, 240]],
  ['N/A', 0, [320, 240]],
  [undefined, 0, [320, 240]],
] as const)(
  'pixels of %s, turned by %i degrees, have their size as it is shown',
  async (ratio, rotation, size) => {
    await useTools({ shown: { sample_aspect_ratio: ratio, side_data_list: [{}, { rotation }] } });
    const [width, height] = size.map((pixels) => 2 * Math.round(pixels / 2));
    expect((await afterProcessing())!.renditions.at(-1)).toMatchObject({ width, height });
  },
);

it('a video whose pixels make it too wide to be scaled is refused', async () => {
  await useTools({ shown: { sample_aspect_ratio: '9000:1' } });
  expect(await afterProcessing()).toMatchObject({ state: 'failed', failureReason: 'VIDEO_TOO_LARGE' });
});

it('what a video takes is bounded for all its renditions together', async () => {
  const run = openVideoTools(3, new AbortController().signal);
  await run('ffprobe', []);
  await tool('ffmpeg', 'exec tail -f /dev/null');
  await expect(run('ffmpeg', [])).rejects.toMatchObject({ reason: 'VIDEO_TIMED_OUT' });
  const began = performance.now();
  await expect(run('ffmpeg', [])).rejects.toMatchObject({ reason: 'VIDEO_TIMED_OUT' });
  expect(performance.now() - began).toBeLessThan(2_000);
});
