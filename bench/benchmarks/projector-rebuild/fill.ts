import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import type { StreamAppend } from '../../../src/platform/event-log/index.js';
import { loadPackageOfProduct } from '../../harness/product.ts';

const { from } = loadPackageOfProduct<typeof import('pg-copy-streams')>('pg-copy-streams');

const copyEvents = `COPY events (global_position, stream_id, stream_position, event_type, data, metadata, created_at) FROM STDIN`;
const aCopy = 200_000;
const aChunk = 500;

/**
 * Copies the events of appends into an empty log, one after the other: tens of millions would take an hour by appends.
 * What the log keeps of commands is left out; no projector reads it.
 *
 * @param makeRoom makes the next partition where the last is half full
 */
export async function fillLog(
  databaseUrl: string,
  appends: Iterable<StreamAppend>,
  makeRoom: () => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const rows = rowsOf(appends);
    for (let row = rows.next(); !row.done; row = rows.next()) {
      await makeRoom();
      await pipeline(Readable.from(chunksOf(row.value, rows)), client.query(from(copyEvents)));
    }
  } finally {
    await client.end();
  }
}

/** The first row and those after it, up to the rows of one COPY. */
function* chunksOf(first: string, rows: Iterator<string, void>): Iterable<string> {
  let chunk = [first];
  for (let taken = 1; taken < aCopy; taken += 1) {
    const row = rows.next();
    if (row.done) break;
    if (chunk.length === aChunk) {
      yield chunk.join('');
      chunk = [];
    }
    chunk.push(row.value);
  }
  yield chunk.join('');
}

function* rowsOf(appends: Iterable<StreamAppend>): Generator<string, void> {
  const metadata = JSON.stringify({ correlationId: 'filling', causationId: 'filling' });
  const createdAt = '2026-05-04T10:20:30.000Z';
  const versions = new Map<string, number>();
  let position = 0;
  for (const { streamId, events } of appends) {
    for (const { type, data } of events) {
      position += 1;
      const version = (versions.get(streamId) ?? -1) + 1;
      versions.set(streamId, version);
      const json = JSON.stringify(data).replaceAll('\\', '\\\\');
      yield `${position}\t${streamId}\t${version}\t${type}\t${json}\t${metadata}\t${createdAt}\n`;
    }
  }
}
