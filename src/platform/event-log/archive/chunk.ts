import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { RecordedEvent } from '../types.js';
import { EventArchiveError } from './error.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Of objects by stream: the bytes of the streams' ids, as Postgres' collation of this name. */
export const STREAM_ORDER = 'C';

/** An object of the archive, as the database knows it. */
export interface Chunk {
  readonly key: string;
  readonly sha256: Buffer;
  readonly events: number;
}

/** A line of the archive. `createdAt` has microseconds; numbers are as Postgres writes them. */
interface Line {
  readonly position: number;
  readonly stream: string;
  readonly place: number;
  readonly type: string;
  readonly data: RecordedEvent['data'];
  readonly metadata: RecordedEvent['metadata'];
  readonly createdAt: string;
}

/** Lines of JSON, compressed with gzip: what reads it needs nothing of ours. */
export async function encodeChunk(lines: readonly string[]): Promise<{ body: Buffer; sha256: Buffer }> {
  const body = await compress(`${lines.join('\n')}\n`);
  return { body, sha256: hashOf(body) };
}

/** @throws EventArchiveError EVENT_ARCHIVE_CORRUPT where the object is not what was archived */
export async function decodeLines(body: Buffer, { key, sha256, events }: Chunk): Promise<string[]> {
  const found = hashOf(body);
  if (!found.equals(sha256)) {
    const [is, was] = [found.toString('hex'), sha256.toString('hex')];
    throw new EventArchiveError('EVENT_ARCHIVE_CORRUPT', `${key} has SHA-256 ${is}, and ${was} was archived`);
  }
  const lines = (await decompress(body)).toString('utf8').split('\n').slice(0, -1);
  if (lines.length !== events)
    throw new EventArchiveError(
      'EVENT_ARCHIVE_CORRUPT',
      `${key} has ${lines.length} events, and ${events} were archived`,
    );
  return lines;
}

export function toEvent(text: string): RecordedEvent {
  const line = JSON.parse(text) as Line;
  return {
    globalPosition: line.position,
    streamId: line.stream,
    streamPosition: line.place,
    type: line.type,
    data: line.data,
    metadata: line.metadata,
    createdAt: new Date(line.createdAt),
  };
}

const hashOf = (body: Buffer): Buffer => createHash('sha256').update(body).digest();
