import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { createEventLog } from '../../src/platform/event-log/index.js';
import { sealEventPartitions } from '../../src/platform/event-log/partitions.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres, type Queryable } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { partition, write } from './log-partitions.js';

const ids = uuidV7Ids(systemClock);
let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'lone', onError: () => undefined });
  // Some streams end in a partition that is sealed.
  await partition(postgres, [4, 1_000_000]);
  const log = createEventLog({ postgres, ids });
  for (const stream of ['A-1', 'A-2', 'A-1', 'B-1']) await write(log, [stream]);
  await sealEventPartitions(postgres, new AbortController().signal);
  const { rows } = await postgres.query('SELECT stream_id FROM stream_partitions ORDER BY stream_id');
  expect(rows).toEqual([{ stream_id: 'A-1' }, { stream_id: 'A-2' }]);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

/** What one call of either function is given. */
interface Asked {
  readonly life: string | null;
  readonly id: string;
  readonly hash: string;
  readonly stream: string;
  readonly expected: number | null;
  readonly events: readonly { readonly type: string; readonly data: string }[];
}

const META = '{"correlationId":"story"}';
const VALUE = '{"of":"the result"}';

const alone = (tx: Queryable, { life, id, hash, stream, expected, events }: Asked) =>
  tx.query('SELECT outcome, result FROM append_command($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
    ...[life, id, Buffer.from(hash), META, VALUE, stream, expected],
    events.map(({ type }) => type),
    events.map(({ data }) => data),
  ]);

const inBatch = (tx: Queryable, { life, id, hash, stream, expected, events }: Asked) =>
  tx.query(
    `SELECT outcome, result FROM append_commands_in($1, ARRAY[$2::text], ARRAY[$3::bytea], ARRAY[$4::jsonb], ARRAY[$5::jsonb],
       ARRAY[NULL], ARRAY[NULL]::jsonb[], ARRAY[$6::text], '{1}', '{1}', ARRAY[$7::int], $8, $8, $9, $10)`,
    [
      ...[life, id, Buffer.from(hash), META, VALUE, stream, expected],
      events.map(() => 1),
      events.map(({ type }) => type),
      events.map(({ data }) => data),
    ],
  );

/** What is stored, but for when. */
async function stored(tx: Queryable) {
  const events = await tx.query(
    `SELECT global_position, stream_id, stream_position, event_type, data, metadata FROM events ORDER BY global_position`,
  );
  const commands = await tx.query('SELECT command_id, body_hash, result FROM commands ORDER BY command_id');
  return { events: events.rows, commands: commands.rows };
}

const asked = fc.record({
  life: fc.constantFrom(null, null, 'this', 'another'),
  id: fc.integer({ min: 1, max: 9 }),
  hash: fc.constantFrom('body', 'body', 'another body'),
  stream: fc.constantFrom('A-1', 'A-2', 'A-"{,}'),
  expected: fc.option(fc.integer({ min: -1, max: 5 })),
  events: fc.array(
    fc.record({
      type: fc.constantFrom('Noted', 'Note "d",'),
      data: fc.json({ maxDepth: 1, stringUnit: 'grapheme' }),
    }),
    { maxLength: 3 },
  ),
});

it('a command that comes alone comes to what it comes to in a batch, whatever it is and whatever came before', async () => {
  const { rows } = await postgres.query<{ life: string }>('SELECT server_life() AS life');
  const outcomes = new Set<string | null>();
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 25 }), async (commands) => {
      await postgres
        .transaction(async (tx) => {
          for (const command of commands) {
            const life = command.life === 'this' ? rows[0]!.life : command.life;
            const one = { ...command, id: `command ${command.id}`, life };
            await tx.query('SAVEPOINT here');
            const here = { answers: (await alone(tx, one)).rows, ...(await stored(tx)) };
            await tx.query('ROLLBACK TO SAVEPOINT here');
            const there = { answers: (await inBatch(tx, one)).rows, ...(await stored(tx)) };
            expect(here).toEqual(there);
            outcomes.add(here.answers[0]!.outcome as string | null);
          }
          throw new Undone();
        })
        .catch((error: unknown) => {
          if (!(error instanceof Undone)) throw error;
        });
    }),
    { numRuns: 60 },
  );
  expect(outcomes).toEqual(new Set(['accepted', 'repeated', 'reused', 'conflict', null]));
});

class Undone extends Error {}

it('appends that come one by one have the places and moments that those of a batch would have', async () => {
  const log = createEventLog({ postgres, ids });
  const metadata = { correlationId: 'story', causationId: 'test' };
  const append = (streamId: string, texts: readonly string[]) =>
    log.append({
      metadata,
      appends: [
        { streamId, expected: 'any', events: texts.map((text) => ({ type: 'Noted', data: { text } })) },
      ],
    });
  const before = await log.head();
  const alone = [];
  for (const stream of ['S-1', 'S-2', 'S-1']) alone.push(await append(stream, ['one', 'two']));
  const together = await Promise.all(['S-1', 'S-2', 'S-3'].map((stream) => append(stream, ['three'])));
  expect(
    [...alone, ...together].map((one) =>
      one.kind === 'accepted' ? [one.position - before, one.versions] : one,
    ),
  ).toEqual([
    [2, { 'S-1': 1 }],
    [4, { 'S-2': 1 }],
    [6, { 'S-1': 3 }],
    [7, { 'S-1': 4 }],
    [8, { 'S-2': 2 }],
    [9, { 'S-3': 0 }],
  ]);
  const { events } = await log.readAll(before, 100);
  expect(events.map(({ globalPosition }) => globalPosition - before)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const moments = events.map(({ createdAt }) => createdAt.getTime());
  expect(moments).toEqual([...moments].sort((one, other) => one - other));
});

it('a command that comes alone waits for one that has not committed yet', async () => {
  const log = createEventLog({ postgres, ids });
  const metadata = { correlationId: 'story', causationId: 'test' };
  const head = await log.head();
  const later = await postgres.transaction(async (tx) => {
    const one: Asked = {
      life: null,
      id: ids.next(),
      hash: 'x',
      stream: 'W-1',
      expected: -1,
      events: [{ type: 'Noted', data: '{}' }],
    };
    await alone(tx, one);
    const waiting = log.append({
      metadata,
      appends: [{ streamId: 'W-1', expected: 'any', events: [{ type: 'Noted', data: {} }] }],
    });
    await expect
      .poll(
        async () =>
          (
            await postgres.query(
              `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
            )
          ).rowCount,
      )
      .toBe(1);
    return () => waiting;
  });
  expect(await later()).toMatchObject({ kind: 'accepted', position: head + 2, versions: { 'W-1': 1 } });
});

it.each([
  ['alone', alone],
  ['in a batch', inBatch],
])(
  'a command %s is refused in a transaction whose snapshot may be older than the lock',
  async (_, append) => {
    const one: Asked = { life: null, id: ids.next(), hash: 'x', stream: 'R-1', expected: null, events: [] };
    const appending = postgres.transaction(async (tx) => {
      await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
      await append(tx, one);
    });
    await expect(appending).rejects.toThrow(/READ COMMITTED/);
  },
);

it('what appends nothing answers where its stream is, and a repeat the same, wherever it is by then', async () => {
  const log = createEventLog({ postgres, ids });
  const metadata = { correlationId: 'none', causationId: 'none' };
  const event = { type: 'Noted', data: {} };
  await log.append({ appends: [{ streamId: 'N-1', expected: 'none', events: [event] }], metadata });
  const lone = {
    appends: [{ streamId: 'N-1', expected: 'any' as const, events: [] }],
    metadata,
    commandId: 'nothing',
  };
  const some = {
    appends: [...lone.appends, { streamId: 'N-2', expected: 'any' as const, events: [event] }],
    metadata,
    commandId: 'some',
  };
  const first = await Promise.all([log.append(lone), log.append(some)]);
  expect(first).toMatchObject([{ versions: { 'N-1': 0 } }, { versions: { 'N-1': 0, 'N-2': 0 } }]);
  for (const streamId of ['N-1', 'N-2'])
    await log.append({ appends: [{ streamId, expected: 'any', events: [event] }], metadata });
  for (const [index, command] of [lone, some].entries())
    expect(await log.append(command)).toEqual({ ...first[index], repeated: true });
});
