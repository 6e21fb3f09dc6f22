import { describe, expect, it } from 'vitest';
import { browseEvents } from '../../src/platform/event-log/browse.js';
import type { EventLog } from '../../src/platform/event-log/index.js';
import { sealEventPartitions } from '../../src/platform/event-log/partitions.js';
import type { Postgres } from '../../src/platform/postgres/postgres.js';
import { openPartitionedLog, randomFrom, readWhole, write } from './log-partitions.js';

const never = new AbortController().signal;
const FAR = 1_000_000;

/** One step. */
const seal = async (postgres: Postgres, entries: number): Promise<boolean> =>
  (await postgres.query<{ more: boolean }>('SELECT seal_event_partition($1) AS more', [entries])).rows[0]!
    .more;
const sealed = async (postgres: Postgres): Promise<number[]> =>
  (
    await postgres.query<{ until: number }>(
      'SELECT until_position AS until FROM event_partitions WHERE sealed_at IS NOT NULL ORDER BY 1',
    )
  ).rows.map(({ until }) => until);

/** Every look-up by stream, held against the whole log as it is read by position. */
async function expectLookUpsRight(
  { postgres, log }: { postgres: Postgres; log: EventLog },
  random: () => number,
): Promise<void> {
  const { byStream } = await readWhole(log);
  for (const [streamId, events] of byStream) {
    expect(await log.readStream(streamId)).toEqual(events);
    expect(await log.lastPlace(streamId)).toBe(events.length - 1);
    const after = Math.floor(random() * (events.length + 2)) - 1;
    const limit = 1 + Math.floor(random() * 5);
    expect(await log.readStream(streamId, after, limit)).toEqual(events.slice(after + 1, after + 1 + limit));
    expect((await log.readFromSnapshot(streamId, 1)).events).toEqual(events);
    const { edges } = await browseEvents(
      { postgres, log },
      { streamId, fromPosition: String(events[0]!.globalPosition + 1) },
      { limit: 3, direction: 'forward', cursor: null },
    );
    expect(edges.map(({ node }) => node)).toEqual(events.slice(1, 4));
    const newest = await browseEvents(
      { postgres, log },
      { streamId },
      { limit: 3, direction: 'backward', cursor: null },
    );
    expect(newest.edges.map(({ node }) => node)).toEqual(events.slice(-3));
  }
  const known = [...byStream.keys()];
  const { rows } = await postgres.query('SELECT stream FROM known_streams($1) AS stream', [
    [...known, 'Nobody-1'],
  ]);
  expect(rows.map(({ stream }) => stream).sort()).toEqual(known.sort());
  expect(await log.readStream('Nobody-1')).toEqual([]);
  expect(await log.lastPlace('Nobody-1')).toBe(-1);
}

describe('sealing partitions of the log', () => {
  it('leaves the last partition alone that has an event, and seals it once the next has one', async () => {
    const { postgres, log } = await openPartitionedLog([11, FAR]);
    await write(
      log,
      Array.from({ length: 9 }, (_, n) => `S-${n}`),
    );
    expect(await seal(postgres, 100)).toBe(false);
    expect((await postgres.query('SELECT FROM event_partitions')).rowCount).toBe(0);
    await write(log, ['S-0']);
    expect(await seal(postgres, 100)).toBe(false);
    await write(log, ['S-0']);
    expect(await seal(postgres, 100)).toBe(true);
    expect(await sealed(postgres)).toEqual([11]);
    expect(await seal(postgres, 100)).toBe(false);
  });

  it('waits for an append that has not committed yet', async () => {
    const { postgres, log } = await openPartitionedLog([3, FAR]);
    await write(log, ['S-1', 'S-2']);
    await postgres.transaction(async (tx) => {
      await tx.query(
        `SELECT append_commands('{c}', '{x}', '{"{}"}', '{"{}"}', '{NULL}', '{NULL}', '{S-3}', '{1}', '{1}', '{NULL}',
           '{1}', '{1}', '{Noted}', '{"{}"}')`,
      );
      expect(await seal(postgres, 100)).toBe(false);
    });
    expect(await seal(postgres, 100)).toBe(true);
    expect(await sealed(postgres)).toEqual([3]);
    expect(await log.lastPlace('S-3')).toBe(0);
  });

  it.each([1, 2, 3, 7, 19, 100])(
    'in steps of %i entries: look-ups by stream are right after each of them',
    async (entries) => {
      const on = await openPartitionedLog([21, 22, 61, FAR]);
      const random = randomFrom(entries);
      await write(
        on.log,
        Array.from({ length: 75 }, () => `S-${Math.floor(random() ** 2 * 12)}`),
      );
      let steps = 0;
      while (await seal(on.postgres, entries)) {
        steps += 1;
        if (entries > 2 || steps % 5 === 0) await expectLookUpsRight(on, random);
      }
      expect(await sealed(on.postgres)).toEqual([21, 22, 61]);
      await expectLookUpsRight(on, random);
    },
  );

  it('beside 16 writers: no version is given twice, and none is left out', async () => {
    const on = await openPartitionedLog([101, 201, 301, 401, 501, 601, 701, FAR]);
    let writing = true;
    const sealing = (async () => {
      while (writing) await seal(on.postgres, 13);
    })();
    const conflicts = { wrong: 0 };
    await Promise.all(
      Array.from({ length: 16 }, async (_, writer) => {
        for (let turn = 0; turn < 50; turn += 1) {
          const streamId = `Hot-${(writer + turn) % 5}`;
          const seen = await on.log.lastPlace(streamId);
          const result = await on.log.append({
            metadata: { correlationId: 'story', causationId: 'test' },
            appends: [
              { streamId, expected: seen === -1 ? 'none' : seen, events: [{ type: 'Noted', data: {} }] },
              { streamId: `Own-${writer}`, expected: 'any', events: [{ type: 'Noted', data: {} }] },
            ],
          });
          if (result.kind === 'conflict' && result.actual <= seen) conflicts.wrong += 1;
        }
      }),
    );
    writing = false;
    await sealing;
    expect(conflicts.wrong).toBe(0);
    await sealEventPartitions(on.postgres, never);
    const { events, byStream } = await readWhole(on.log);
    expect(events.map(({ globalPosition }) => globalPosition)).toEqual(events.map((_, n) => n + 1));
    for (const ofOne of byStream.values())
      expect(ofOne.map(({ streamPosition }) => streamPosition)).toEqual(ofOne.map((_, n) => n));
    await expectLookUpsRight(on, randomFrom(1));
  });

  it('refuses a partition whose places have a gap: it stays one that is looked into', async () => {
    const { postgres, log } = await openPartitionedLog([4, FAR]);
    await postgres.query(
      `INSERT INTO events (global_position, stream_id, stream_position, event_type, data)
       VALUES (1, 'S-1', 0, 'Noted', '{}'), (2, 'S-1', 2, 'Noted', '{}'), (3, 'S-2', 0, 'Noted', '{}'), (4, 'S-2', 1, 'Noted', '{}')`,
    );
    await expect(seal(postgres, 100)).rejects.toThrow('has 4 events of its streams, and 3 positions');
    expect(await log.lastPlace('S-1')).toBe(2);
    expect(await log.lastPlace('S-2')).toBe(1);
  });

  it('is done by one session at a time', async () => {
    const { postgres, log } = await openPartitionedLog([3, FAR]);
    await write(log, ['S-1', 'S-2', 'S-3']);
    await postgres.transaction(async (tx) => {
      await tx.query('SELECT seal_event_partition(1)');
      expect(await seal(postgres, 1)).toBe(false);
    });
    await sealEventPartitions(postgres, never);
    expect(await sealed(postgres)).toEqual([3]);
  });
});

describe('a look-up by stream', () => {
  /** Of 100 events of 25 streams in each partition; the stream that is looked for is in the first and the last. */
  async function blocksOver(partitions: number): Promise<Record<string, number>> {
    const ends = Array.from({ length: partitions - 1 }, (_, n) => (n + 1) * 100 + 1);
    const { postgres, log } = await openPartitionedLog([...ends, FAR]);
    const streams = (partition: number) =>
      Array.from({ length: 100 }, (_, n) =>
        n === 0 && (partition === 0 || partition === partitions - 1)
          ? 'Old-1'
          : `S-${partition}-${Math.floor(n / 4)}`,
      );
    for (let partition = 0; partition < partitions; partition += 1) await write(log, streams(partition));
    await sealEventPartitions(postgres, never);
    await postgres.query('VACUUM ANALYZE');
    const lookUps: Record<string, string> = {
      append: `SELECT append_commands('{c}', '{x}', '{"{}"}', '{"{}"}', '{NULL}', '{NULL}', '{Old-1}', '{1}', '{1}', '{5}',
        '{1}', '{1}', '{Noted}', '{"{}"}')`,
      stream: `SELECT * FROM events_of_stream('S-0-7', -1, 999) ORDER BY stream_position`,
      unknown: `SELECT * FROM events_of_stream('Nobody-1', -1, 999) ORDER BY stream_position`,
      known: `SELECT * FROM known_streams('{S-0-7}')`,
    };
    const blocks: Record<string, number> = {};
    await postgres.transaction(async (tx) => {
      // As for tables that are worth an index.
      for (const way of ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'])
        await tx.query(`SET LOCAL enable_${way} = off`);
      for (const [name, lookUp] of Object.entries(lookUps)) {
        const seen: number[] = [];
        // What is planned, and what of the catalogues is read, is kept after the first of them.
        for (let n = 0; n < 4; n += 1) {
          const { rows } = await tx.query<{ 'QUERY PLAN': string }>(
            `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) ${lookUp}`,
          );
          const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
          seen.push(Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1] ?? 0));
        }
        blocks[name] = Math.min(...seen);
      }
    });
    return blocks;
  }

  it('reads as many blocks in 16 partitions as in 3', async () => {
    const [one, three, sixteen] = [await blocksOver(1), await blocksOver(3), await blocksOver(16)];
    for (const name of Object.keys(one!)) {
      // The directory's own index has a level more.
      const measured = `${name}: ${[one, three, sixteen].map((blocks) => blocks![name]).join(', ')}`;
      expect(sixteen![name], measured).toBeLessThanOrEqual(three![name]! + 3);
    }
  });
});
