import type { ExecutionResult, GraphQLError } from 'graphql';
import { PublicError } from '../../platform/errors.js';

/** Text that is shorter counts as its characters; from this length on it is counted to the byte, escapes included. */
export const LONG_TEXT = 1_000;
/** Bytes that what was counted as one takes in JSON at most: `\u0001` is one character. */
const BYTES_A_COUNT = 6;
/** A whole number of 21 digits stays below `BYTES_A_COUNT` times this. */
export const COUNT_OF_AN_INTEGER = 4;
/** What an error takes besides what is counted of it: names, and the code and id that presenting it adds. */
const BYTES_AN_ERROR = 120;
const BYTES_A_LOCATION = 32;

/** What an answer shows of an error. */
export type ShownError = Pick<GraphQLError, 'message' | 'locations' | 'path' | 'extensions'>;

/** Counts what an answer will take in JSON while its values come, so that one past the limit ends before it is built. */
export class AnswerSize {
  private bytes = 0;
  private excess: PublicError | undefined;

  constructor(private readonly limit: number) {}

  /** Whether this is what ends the operation. It passes every place, whether or not null is allowed there. */
  isExcess(error: unknown): boolean {
    return this.excess !== undefined && error === this.excess;
  }

  /** @throws PublicError RESPONSE_TOO_LARGE once the limit was passed: what has not begun need not begin */
  mayGoOn(): void {
    if (this.excess) throw this.excess;
  }

  /** @throws PublicError RESPONSE_TOO_LARGE, at every call once it did */
  add(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.limit) this.stop();
  }

  /** @param value of a scalar or an enum, serialized */
  addLeaf(value: unknown): void {
    if (typeof value === 'string') this.add(value.length < LONG_TEXT ? value.length : bytesOf(value));
    else if (typeof value === 'number')
      this.add(Number.isInteger(value) ? COUNT_OF_AN_INTEGER : String(value).length);
    else if (typeof value === 'object') this.add(bytesOf(value));
  }

  /** Counts all that an error shows. Its path repeats every response key above it. */
  addError({ message, locations, path, extensions }: ShownError): void {
    let bytes = BYTES_AN_ERROR + bytesOf(message) + BYTES_A_LOCATION * (locations?.length ?? 0);
    for (const key of path ?? []) bytes += String(key).length + 3;
    if (Object.keys(extensions ?? {}).length > 0) bytes += bytesOf(extensions);
    this.add(bytes);
  }

  /**
   * Holds a finished answer against the limit. It is written once more for that where escapes and characters beyond ASCII could
   * make it too large.
   *
   * @throws PublicError RESPONSE_TOO_LARGE
   */
  check(answer: ExecutionResult): void {
    this.mayGoOn();
    if (this.bytes * BYTES_A_COUNT > this.limit && bytesOf(answer) > this.limit) this.stop();
  }

  private stop(): never {
    this.excess ??= new PublicError(
      'RESPONSE_TOO_LARGE',
      `The answer would have more than ${this.limit} bytes: ask for smaller pages or fewer fields`,
    );
    throw this.excess;
  }
}

/** 0 of what cannot be written. */
function bytesOf(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '');
  } catch {
    return 0;
  }
}
