import { spawnSync } from 'node:child_process';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { viewerOf } from './feed-callers.js';
import { CDN, hollowVideo, MAX_VIDEO_SECONDS, type MediaWorld, openMediaWorld, run } from './media-world.js';

const hasFfmpeg = ['ffmpeg', 'ffprobe'].every((tool) => spawnSync(tool, ['-version']).status === 0);

let world: MediaWorld;
let folder: string;
beforeAll(async () => {
  [world, folder] = await Promise.all([openMediaWorld(), mkdtemp(path.join(tmpdir(), 'tidings-video-'))]);
});
afterAll(async () => {
  await world?.close();
  await rm(folder, { recursive: true, force: true });
});

const find = async (mediaId: string) =>
  (await world.media.findVisible(viewerOf('ann'), [mediaId])).get(mediaId)!;

it('a video without ffmpeg on the PATH fails and says so', async () => {
  vi.stubEnv('PATH', folder);
  const mediaId = await world.upload('ann', hollowVideo());
  await world.process(mediaId);
  vi.unstubAllEnvs();
  expect(await find(mediaId)).toMatchObject({
    kind: 'video',
    state: 'failed',
    failureReason: 'FFMPEG_MISSING',
    url: null,
    renditions: [],
  });
  expect(await world.files()).toEqual([]);
});

// With `ffmpeg` and `ffprobe` on the PATH these run too.
describe.skipIf(!hasFfmpeg)('with ffmpeg', () => {
  /** A second of pictures and sound, filmed somewhere. */
  async function film(name: string, size: string, ...more: string[]): Promise<Buffer> {
    const file = path.join(folder, name);
    const sources = [
      '-f',
      'lavfi',
      '-i',
      `testsrc=size=${size}:rate=10`,
      '-f',
      'lavfi',
      '-i',
      'sine=frequency=440',
    ];
    const args = [
      '-v',
      'error',
      '-y',
      ...sources,
      '-t',
      '1',
      '-metadata',
      'location=+51.5-0.1/',
      ...more,
      file,
    ];
    const { status, stderr } = spawnSync('ffmpeg', args);
    if (status !== 0) throw new Error(String(stderr));
    return readFile(file);
  }

  /** Options that copy a video with a rotation: before its input since ffmpeg 6, behind it until 5. */
  function turnedBy90(input: readonly string[]): string[] {
    const knowsRotation = String(spawnSync('ffmpeg', ['-h', 'full']).stdout).includes('-display_rotation');
    const copied = ['-c', 'copy'];
    return knowsRotation
      ? ['-display_rotation', '90', ...input, ...copied]
      : [...input, ...copied, '-metadata:s:v', 'rotate=90'];
  }

  function probe(file: string) {
    const args = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', file];
    return JSON.parse(String(spawnSync('ffprobe', args).stdout)) as {
      streams: { codec_name: string; width?: number; height?: number }[];
      format: { tags?: Record<string, string> };
    };
  }

  const fileOf = (url: string) => path.join(world.dir, url.slice(CDN.length + 1));

  it('a video comes in 240p to its own height, never enlarged, with a picture', async () => {
    const mediaId = await world.upload('ann', await film('wide.mp4', '1280x720', '-pix_fmt', 'yuv420p'));
    await world.process(mediaId);
    const media = await find(mediaId);
    expect(media).toMatchObject({ kind: 'video', state: 'ready' });
    expect(media.renditions.map(({ name, width, height }) => [name, width, height])).toEqual([
      ['thumbnail', 600, 338],
      ['240p', 426, 240],
      ['480p', 854, 480],
      ['720p', 1_280, 720],
    ]);
    const [thumbnail, ...videos] = media.renditions;
    expect(await sharp(fileOf(thumbnail!.url)).metadata()).toMatchObject({ format: 'jpeg', width: 600 });
    for (const video of videos) {
      const { streams, format } = probe(fileOf(video.url));
      expect(streams.map((stream) => stream.codec_name)).toEqual(['h264', 'aac']);
      expect(streams[0]).toMatchObject({ width: video.width, height: video.height });
      expect(format.tags).not.toHaveProperty('location');
      expect((await readFile(fileOf(video.url))).includes('+51.5')).toBe(false);
    }
    expect(media.url).toBe(videos.at(-1)!.url);
    expect(await world.files()).toHaveLength(4);
  });

  it('a small, upright WebM has one rendition of its own size', async () => {
    const webm = await film('upright.webm', '90x160', '-c:v', 'libvpx', '-c:a', 'libvorbis');
    const mediaId = await world.upload('ann', webm);
    await world.process(mediaId);
    expect((await find(mediaId)).renditions).toMatchObject([
      { name: 'thumbnail', width: 90, height: 160 },
      { name: '240p', width: 90, height: 160 },
    ]);
  });

  it.each([
    ['wide pixels', '360x288', '64/45', [512, 288]],
    ['narrow pixels', '360x240', '8/9', [320, 240]],
    ['pixels of which nobody knows', '320x240', '0', [320, 240]],
  ] as const)('a video of %s is as wide as it is shown', async (_, stored, ratio, [width, height]) => {
    const options = ['-vf', `setsar=${ratio}`, '-pix_fmt', 'yuv420p'];
    const mediaId = await world.upload('ann', await film(`pixels-${width}.mp4`, stored, ...options));
    await world.process(mediaId);
    const media = await find(mediaId);
    expect(media.renditions.at(-1)).toMatchObject({ width, height });
    expect(probe(fileOf(media.url!)).streams[0]).toMatchObject({ width, height, sample_aspect_ratio: '1:1' });
    const { width: wide, height: high } = media.renditions[0]!;
    expect(await sharp(fileOf(media.renditions[0]!.url)).metadata()).toMatchObject({
      width: wide,
      height: high,
    });
    expect(wide! / high!).toBeCloseTo(width / height, 2);
  });

  it('a video of wide pixels that is stored sideways is shown upright', async () => {
    await film('lying.mp4', '360x288', '-vf', 'setsar=64/45', '-pix_fmt', 'yuv420p');
    const turned = path.join(folder, 'turned.mp4');
    const lying = ['-i', path.join(folder, 'lying.mp4')];
    const { status } = spawnSync('ffmpeg', ['-y', ...turnedBy90(lying), turned]);
    expect(status).toBe(0);
    const mediaId = await world.upload('ann', await readFile(turned));
    await world.process(mediaId);
    const media = await find(mediaId);
    expect(media.renditions.at(-1)).toMatchObject({ width: 288, height: 512 });
    expect(probe(fileOf(media.url!)).streams[0]).toMatchObject({ width: 288, height: 512 });
  });

  it('between two sizes is not enlarged, and loses nothing', async () => {
    const mediaId = await world.upload('ann', await film('between.mp4', '640x360', '-pix_fmt', 'yuv420p'));
    await world.process(mediaId);
    expect((await find(mediaId)).renditions.map(({ name, height }) => [name, height])).toEqual([
      ['thumbnail', 338],
      ['240p', 240],
      ['480p', 360],
    ]);
  });

  it.each([
    ['an MP4', 'mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'],
    ['a WebM whose header has no duration', 'webm', '-c:v', 'libvpx', '-c:a', 'libvorbis', '-live', '1'],
  ])('%s of more seconds than are allowed is refused', async (_, type, ...options) => {
    const [tooLong, allowed] = [String(MAX_VIDEO_SECONDS + 1), String(MAX_VIDEO_SECONDS)];
    const refused = await world.upload('ann', await film(`6.${type}`, '64x48', ...options, '-t', tooLong));
    await world.process(refused);
    expect(await find(refused)).toMatchObject({ state: 'failed', failureReason: 'VIDEO_TOO_LONG' });
    const taken = await world.upload('ann', await film(`5.${type}`, '64x48', ...options, '-t', allowed));
    await world.process(taken);
    expect(await find(taken)).toMatchObject({ state: 'ready' });
  });

  it('what only begins like a video is unreadable', async () => {
    const mediaId = await world.upload('ann', hollowVideo());
    await world.process(mediaId);
    expect(await find(mediaId)).toMatchObject({ state: 'failed', failureReason: 'VIDEO_UNREADABLE' });
  });

  it('a worker that stops kills its ffmpeg and gives the video back', async () => {
    const mediaId = await world.upload('ann', await film('long.mp4', '1280x720', '-pix_fmt', 'yuv420p'));
    const stopping = new AbortController();
    const stopped = world.media.process(mediaId, run(stopping.signal));
    await vi.waitFor(() => access(path.join(tmpdir(), `tidings-media-${mediaId}-1`, '240p.mp4')), 10_000);
    stopping.abort();
    await stopped;
    await expect(access(path.join(tmpdir(), `tidings-media-${mediaId}-1`))).rejects.toThrow('ENOENT');
    expect(await find(mediaId)).toMatchObject({ state: 'uploaded' });
    await world.process(mediaId);
    expect(await find(mediaId)).toMatchObject({ state: 'ready' });
  });
});
