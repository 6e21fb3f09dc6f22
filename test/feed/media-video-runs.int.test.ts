import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createDiskStore } from '../../src/domains/feed/media/store.js';
import { viewerOf } from './feed-callers.js';
import { type MediaWorld, openMediaWorld } from './media-world.js';

let world: MediaWorld;
let tools: string;
beforeAll(async () => {
  [world, tools] = await Promise.all([openMediaWorld(), mkdtemp(path.join(tmpdir(), 'tidings-tools-'))]);
  // They stand for the real ones: what they make of a video is the video.
  const probed = `{"streams":[{"width":320,"height":240}]}`;
  await tool('ffprobe', `echo '${probed}'`);
  await tool(
    'ffmpeg',
    'while [ "$1" != "-i" ]; do shift; done; in="$(echo "$2" | cut -c6-)"; for out; do :; done; cp "$in" "$out"',
  );
  vi.stubEnv('PATH', `${tools}:${process.env.PATH}`);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await world?.close();
  await rm(tools, { recursive: true, force: true });
});

async function tool(name: string, script: string): Promise<void> {
  await writeFile(path.join(tools, name), `#!/bin/sh\n${script}\n`);
  await chmod(path.join(tools, name), 0o755);
}

/** What is an MP4 by its first bytes. */
function video(): Buffer {
  const bytes = Buffer.alloc(9_000, 'nothing');
  bytes.writeUInt32BE(24, 0);
  bytes.write('ftypisom\0\0\x02\0isomiso2', 4, 'latin1');
  return bytes;
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
  const mediaId = await world.upload('ann', video());
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
