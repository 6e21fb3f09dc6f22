import { Underivable } from './derive.js';
import { runTool, ToolFailed, ToolMissing, ToolTimedOut } from './run-tool.js';

/** Runs a tool for so many milliseconds at most, and never for longer than the file has left. */
export type RunVideoTool = (
  name: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  mostMs?: number,
) => Promise<string>;

/**
 * The tools for one video. A video that takes them longer than expected holds its place for so long and no longer.
 *
 * @param seconds that all runs together may take
 * @throws Underivable by what it returns: FFMPEG_MISSING, VIDEO_UNREADABLE, VIDEO_TIMED_OUT
 */
export function openVideoTools(seconds: number, signal: AbortSignal): RunVideoTool {
  let leftMs = seconds * 1_000;
  return async (name, args, mostMs = leftMs) => {
    const began = performance.now();
    const timeoutMs = Math.max(1, Math.round(Math.min(mostMs, leftMs)));
    try {
      return await explained(runTool(name, args, { timeoutMs, signal }));
    } finally {
      leftMs -= performance.now() - began;
    }
  };
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
