import type { Readable } from 'node:stream';

/** Why nothing can be made of an upload: the values of `failureReason`. */
export type FailureReason =
  | 'IMAGE_TOO_LARGE'
  | 'IMAGE_UNREADABLE'
  | 'VIDEO_TOO_LARGE'
  | 'VIDEO_TOO_LONG'
  | 'VIDEO_UNREADABLE'
  | 'VIDEO_TIMED_OUT'
  | 'FFMPEG_MISSING'
  | 'PROCESSING_FAILED';

/** A retry would fail the same way. */
export class Underivable extends Error {
  constructor(
    readonly reason: FailureReason,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }
}

/** One file that is made of an upload. */
export interface DerivedFile {
  /** Of the rendition; `full` is the upload itself, without metadata. */
  readonly name: string;
  readonly extension: string;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** Reads it; to be called before `keep` resolves. */
  open(): Readable;
}

/** Stores one derived file; the next is made after it. */
export type Keep = (file: DerivedFile) => Promise<void>;

/** Pixels of one picture, or of all frames of an animation: what decoding it may take of the memory. */
export const MAX_PIXELS = 50_000_000;
