import { createReadStream } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Keep, MAX_PIXELS, Underivable } from './derive.js';
import { VIDEO_SIDES } from './keys.js';
import { openVideoTools, type RunVideoTool } from './video-tools.js';

const PROBE_MS = 30_000;
/** What a slow machine needs besides: encoding all renditions may take as long as the longest video that is taken, and so much more. */
const SLACK_SECONDS = 600;
const THUMBNAIL_WIDTH = 600;

/** The demuxer of exactly the type that was found: a file cannot name other files, addresses or lists. */
const demuxers: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
};

const probed = z.object({
  streams: z.tuple([
    z.object({
      width: z.int().positive(),
      height: z.int().positive(),
      /** How wide a stored pixel is by how high, as `64:45`; absent, `N/A` or with a 0 where nobody knows. */
      sample_aspect_ratio: z.string().optional(),
      side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
    }),
  ]),
  /** None where a recorder did not go back to write it. */
  format: z.object({ duration: z.coerce.number().optional().catch(undefined) }).optional(),
});

interface Source {
  readonly file: string;
  readonly contentType: string;
}
interface Place {
  /** For files meanwhile. */
  readonly folder: string;
  /** Of a video, at most. */
  readonly maxSeconds: number;
}
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Makes of a video its renditions as MP4 (H.264, AAC), never enlarged and without metadata, and one picture of it, by
 * the `ffmpeg` and `ffprobe` of the PATH. `240p` is what has at most 240 pixels on its shorter side, upright videos too.
 *
 * @throws Underivable FFMPEG_MISSING, VIDEO_UNREADABLE, VIDEO_TOO_LARGE, VIDEO_TOO_LONG, VIDEO_TIMED_OUT
 */
export async function deriveVideo(
  source: Source,
  { folder, maxSeconds }: Place,
  keep: Keep,
  signal: AbortSignal,
): Promise<void> {
  const run = openVideoTools(maxSeconds + SLACK_SECONDS, signal);
  const { size, seconds } = await measure(source, run);
  if (seconds > maxSeconds || (await lengthOf(source, run)) > maxSeconds)
    throw new Underivable('VIDEO_TOO_LONG');
  const thumbnail = scaleTo(size, Math.min(size.width, THUMBNAIL_WIDTH) / size.width);
  const thumbnailFile = path.join(folder, 'thumbnail.jpg');
  await run('ffmpeg', encoding(source, [...pictureOf(thumbnail), thumbnailFile]), PROBE_MS);
  await keep({
    name: 'thumbnail',
    extension: 'jpg',
    contentType: 'image/jpeg',
    ...thumbnail,
    open: () => createReadStream(thumbnailFile),
  });
  const shorter = Math.min(size.width, size.height);
  for (const side of sidesOf(shorter)) {
    const scaled = scaleTo(size, Math.min(1, side / shorter));
    const name = `${side}p`;
    const file = path.join(folder, `${name}.mp4`);
    await run('ffmpeg', encoding(source, [...videoOf(scaled), file]));
    await keep({
      name,
      extension: 'mp4',
      contentType: 'video/mp4',
      ...scaled,
      open: () => createReadStream(file),
    });
  }
}

/** Up to the one that its own size fits in, which keeps that size: nothing is enlarged, and no detail is lost. */
const sidesOf = (shorter: number): readonly number[] =>
  VIDEO_SIDES.filter((_, index) => index === 0 || VIDEO_SIDES[index - 1]! < shorter);

/**
 * Its size as it is shown: cameras and discs store pixels that are not square, and phones store video sideways, with a rotation.
 * And how long it says that it is.
 *
 * @throws Underivable VIDEO_TOO_LARGE
 */
async function measure(source: Source, run: RunVideoTool): Promise<{ size: Size; seconds: number }> {
  const entries = 'format=duration:stream=width,height,sample_aspect_ratio:stream_side_data=rotation';
  const args = ['-v', 'error', ...inputOf(source), '-select_streams', 'v:0', '-show_entries', entries];
  const read = probed.safeParse(JSON.parse(await run('ffprobe', [...args, '-of', 'json'], PROBE_MS)));
  if (!read.success) throw new Underivable('VIDEO_UNREADABLE', { cause: read.error });
  const [{ width: stored, height, sample_aspect_ratio: ratio, side_data_list: sides = [] }] =
    read.data.streams;
  const width = Math.max(1, Math.round(stored * widthOfPixels(ratio)));
  // Each is decoded as it is stored, and scaled from what is shown.
  if (Math.max(stored, width) * height > MAX_PIXELS) throw new Underivable('VIDEO_TOO_LARGE');
  const turn = sides.find((side) => side.rotation !== undefined)?.rotation ?? 0;
  return {
    size: turn % 180 === 0 ? { width, height } : { width: height, height: width },
    seconds: read.data.format?.duration ?? 0,
  };
}

function widthOfPixels(ratio = ''): number {
  const [, wide = 0, high = 0] = (/^(\d+):(\d+)$/.exec(ratio) ?? []).map(Number);
  return wide > 0 && high > 0 ? wide / high : 1;
}

/** The seconds of the pictures that are in a file, whatever its header says: they are read, not decoded. 0 where they have no times. */
async function lengthOf(source: Source, run: RunVideoTool): Promise<number> {
  const reading = ['-nostats', '-progress', 'pipe:1', ...inputOf(source)];
  const output = ['-map', '0:v:0', '-c', 'copy', '-f', 'null', '-'];
  const report = await run('ffmpeg', [...QUIET, ...reading, ...output]);
  const [, microseconds = '0'] = [...report.matchAll(/^out_time_us=(\d+)$/gm)].at(-1) ?? [];
  return Number(microseconds) / 1_000_000;
}

const inputOf = ({ file, contentType }: Source): string[] => [
  '-protocol_whitelist',
  'file',
  '-f',
  demuxers[contentType] ?? 'mov',
  '-i',
  `file:${file}`,
];

/** Even: H.264 halves the resolution of colours. */
const scaleTo = (size: Size, factor: number): Size => ({
  width: even(size.width * factor),
  height: even(size.height * factor),
});
const even = (pixels: number): number => Math.max(2, 2 * Math.round(pixels / 2));

const scale = ({ width, height }: Size): string => `scale=${width}:${height},setsar=1`;

const pictureOf = (size: Size): string[] => [
  // Scaled first: `thumbnail` holds a hundred pictures at once, which of a large video are gigabytes.
  ...['-map', '0:v:0', '-map_metadata', '-1', '-vf', `${scale(size)},thumbnail`],
  ...['-frames:v', '1', '-q:v', '3', '-f', 'image2', '-update', '1'],
];

const videoOf = (size: Size): string[] => [
  ...['-map', '0:v:0', '-map', '0:a:0?', '-map_metadata', '-1', '-map_chapters', '-1'],
  ...['-vf', scale(size), '-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '24'],
  ...['-c:a', 'aac', '-ac', '2', '-b:a', '128k', '-movflags', '+faststart', '-f', 'mp4'],
];

const QUIET = ['-nostdin', '-hide_banner', '-v', 'error'];

/** The size in a file's header need not hold for all of its frames. */
const encoding = (source: Source, output: readonly string[]): string[] => [
  ...[...QUIET, '-y', '-max_pixels', String(MAX_PIXELS)],
  ...[...inputOf(source), ...output],
];
