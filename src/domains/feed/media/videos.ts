import { createReadStream } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { type Keep, MAX_PIXELS, Underivable } from './derive.js';
import { VIDEO_SIDES } from './keys.js';
import { runTool, ToolFailed, ToolMissing, ToolTimedOut } from './run-tool.js';

const PROBE_MS = 30_000;
const ENCODE_MS = 20 * 60_000;
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
      side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
    }),
  ]),
});

interface Source {
  readonly file: string;
  readonly contentType: string;
}
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Makes of a video its renditions as MP4 (H.264, AAC), never enlarged and without metadata, and one picture of it, by
 * the `ffmpeg` and `ffprobe` of the PATH. `240p` is what has at most 240 pixels on its shorter side, upright videos too.
 *
 * @param folder for files meanwhile
 * @throws Underivable FFMPEG_MISSING, VIDEO_UNREADABLE, VIDEO_TOO_LARGE, VIDEO_TIMED_OUT
 */
export async function deriveVideo(
  source: Source,
  folder: string,
  keep: Keep,
  signal: AbortSignal,
): Promise<void> {
  const size = await measure(source, signal);
  if (size.width * size.height > MAX_PIXELS) throw new Underivable('VIDEO_TOO_LARGE');
  const thumbnail = scaleTo(size, Math.min(size.width, THUMBNAIL_WIDTH) / size.width);
  const thumbnailFile = path.join(folder, 'thumbnail.jpg');
  await ffmpeg(source, [...pictureOf(thumbnail), thumbnailFile], PROBE_MS, signal);
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
    await ffmpeg(source, [...videoOf(scaled), file], ENCODE_MS, signal);
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

/** As it is shown: phones store video sideways, with a rotation. */
async function measure(source: Source, signal: AbortSignal): Promise<Size> {
  const entries = 'stream=width,height:stream_side_data=rotation';
  const args = ['-v', 'error', ...inputOf(source), '-select_streams', 'v:0', '-show_entries', entries];
  const report = await explained(
    runTool('ffprobe', [...args, '-of', 'json'], { timeoutMs: PROBE_MS, signal }),
  );
  const read = probed.safeParse(JSON.parse(report));
  if (!read.success) throw new Underivable('VIDEO_UNREADABLE', { cause: read.error });
  const [{ width, height, side_data_list: sides = [] }] = read.data.streams;
  const turn = sides.find((side) => side.rotation !== undefined)?.rotation ?? 0;
  return turn % 180 === 0 ? { width, height } : { width: height, height: width };
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

function ffmpeg(
  source: Source,
  output: readonly string[],
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  // The size in a file's header need not hold for all of its frames.
  const input = ['-max_pixels', String(MAX_PIXELS), ...inputOf(source)];
  const args = ['-nostdin', '-hide_banner', '-v', 'error', '-y', ...input, ...output];
  return explained(runTool('ffmpeg', args, { timeoutMs, signal }));
}

/** The failure reason for a tool's error. */
const explained = <T>(running: Promise<T>): Promise<T> =>
  running.catch((cause: unknown) => {
    if (cause instanceof ToolMissing) throw new Underivable('FFMPEG_MISSING', { cause });
    if (cause instanceof ToolTimedOut) throw new Underivable('VIDEO_TIMED_OUT', { cause });
    // A full disk is not the video's fault.
    if (cause instanceof ToolFailed && !/No space left/.test(cause.message))
      throw new Underivable('VIDEO_UNREADABLE', { cause });
    throw cause;
  });
