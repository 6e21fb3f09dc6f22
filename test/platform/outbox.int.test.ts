import { pino } from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import {
  createOutbox,
  defineOutboxKind,
  type Outbox,
  type OutboxEntry,
  sweepOutbox,
} from '../../src/platform/outbox/index.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { keysOf, makeDue } from '../support/outbox.js';

const silent = pino({ level: 'silent' });
const forever = new AbortController().signal;

interface Parcel {
  readonly id: string;
}

let database: TestDatabase;
let postgres: Postgres;
let outbox: Outbox;
let metrics: Registry;
/** Entries whose jobs were enqueued, in order. */
let enqueued: OutboxEntry<Parcel>[];

const parcels = defineOutboxKind({
  name: 'test.parcel',
  payload: { id: z.string() },
  keyOf: ({ id }) => id,
  enqueue: async (_, entries) => void enqueued.push(...entries),
});
const others = { ...parcels, name: 'test.other' };
/** The same kind as a later version has it. */
const laterParcels = defineOutboxKind({
  ...parcels,
  payload: { id: z.string(), isReturned: z.literal(true).exactOptional() },
});

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'test', onError: () => undefined });
});
beforeEach(async () => {
  await postgres.query('TRUNCATE outbox');
  enqueued = [];
  metrics = new Registry();
  outbox = createOutbox({
    postgres,
    queues: { enqueueMany: async () => undefined },
    logger: silent,
    metrics,
  });
});
afterAll(async () => {
  await postgres?.close();
  await database?.drop();
});

const parcel = (id: string): OutboxEntry<Parcel> => ({ payload: { id }, correlationId: `story of ${id}` });
const add = (...ids: string[]) => outbox.add(postgres, parcels, ids.map(parcel));
const idsOf = (entries: readonly OutboxEntry<Parcel>[]) => entries.map(({ payload }) => payload.id).sort();
const sweep = () =>
  sweepOutbox(outbox, parcels).run({ correlationId: 'sweep', logger: silent, signal: forever });
/** In seconds, how far off an entry is due. */
async function dueIn(id: string): Promise<number> {
  const { rows } = await postgres.query<{ seconds: number }>(
    'SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM outbox WHERE key = $1',
    [`test.parcel:${id}`],
  );
  return Math.ceil(rows[0]!.seconds);
}

it('what is added goes with its transaction, and is enqueued once that has committed', async () => {
  await expect(
    postgres.transaction(async (tx) => {
      await outbox.add(tx, parcels, [parcel('lost')]);
      throw new Error('rolled back');
    }),
  ).rejects.toThrow('rolled back');
  const enqueue = await postgres.transaction((tx) => outbox.add(tx, parcels, [parcel('a'), parcel('b')]));
  expect(await keysOf(postgres, parcels)).toEqual(['a', 'b']);
  expect(enqueued).toEqual([]);
  await enqueue();
  expect(enqueued).toEqual([parcel('a'), parcel('b')]);
});

it('what is added again stays as it was, until it is completed', async () => {
  await add('a');
  await makeDue(postgres, parcels);
  await outbox.add(postgres, parcels, [{ ...parcel('a'), correlationId: 'another' }]);
  expect(await outbox.claim(parcels, 10)).toEqual([parcel('a')]);
  await outbox.complete(parcels, [{ id: 'a' }]);
  expect(await keysOf(postgres, parcels)).toEqual([]);
});

it('a payload that does not fit its kind is not added', async () => {
  await expect(
    outbox.add(postgres, parcels, [{ payload: { id: 1 as unknown as string }, correlationId: 'c' }]),
  ).rejects.toThrow();
  expect(await keysOf(postgres, parcels)).toEqual([]);
});

it('what a later version added, with more than this one knows, is left to that version', async () => {
  const returned = { payload: { id: 'back', isReturned: true as const }, correlationId: 'c' };
  await outbox.add(postgres, laterParcels, [returned, parcel('a')]);
  await makeDue(postgres, parcels);
  const work = async (entries: readonly OutboxEntry<Parcel>[]) => entries;
  expect(await outbox.drain(parcels, { atOnce: 10, signal: forever, work })).toBe(1);
  expect(await keysOf(postgres, parcels)).toEqual(['back']);
  await makeDue(postgres, parcels);
  expect(await outbox.claim(laterParcels, 10)).toEqual([returned]);
});

it('what is not due yet is left to its job; what is due is taken up by one of many', async () => {
  await add(...Array.from({ length: 100 }, (_, n) => `p${n}`));
  expect(await outbox.claim(parcels, 1_000)).toEqual([]);
  await makeDue(postgres, parcels);
  const claims = await Promise.all([1, 2, 3, 4].map(() => outbox.claim(parcels, 40)));
  const ids = claims.flatMap(idsOf);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids, ...idsOf(await outbox.claim(parcels, 1_000))]).toHaveLength(100);
});

it('what fails again and again is taken up after 10 s, 20 s, 40 s, … and every hour at last', async () => {
  await add('a');
  const intervals = [await dueIn('a')];
  for (let time = 0; time < 12; time += 1) {
    await makeDue(postgres, parcels);
    await sweep();
    intervals.push(await dueIn('a'));
  }
  expect(intervals.slice(0, 5)).toEqual([10, 10, 20, 40, 80]);
  expect(intervals.at(-1)).toBe(3_600);
  expect(await metrics.metrics()).toContain('outbox_attempts_count{kind="test.parcel"} 12');
});

it('the sweeper enqueues what is due under its own correlation id, and nothing of other kinds', async () => {
  await add('a', 'fresh');
  await outbox.add(postgres, others, [parcel('other')]);
  await makeDue(postgres, parcels, 'a');
  await makeDue(postgres, others);
  await postgres.query(
    `INSERT INTO outbox (key, kind, payload, due_at) VALUES ('test.parcel:by-sql', 'test.parcel', '{"id": "by-sql"}', now())`,
  );
  await sweep();
  expect(enqueued.toSorted((one, other) => one.payload.id.localeCompare(other.payload.id))).toEqual([
    parcel('a'),
    { payload: { id: 'by-sql' }, correlationId: 'sweep' },
  ]);
});

it('what cannot be enqueued is due at once, and counts as not taken up', async () => {
  await add('a');
  await makeDue(postgres, parcels);
  const away = { ...parcels, enqueue: () => Promise.reject(new Error('Redis is away')) };
  for (let time = 0; time < 5; time += 1) {
    await expect(
      sweepOutbox(outbox, away).run({ correlationId: 'sweep', logger: silent, signal: forever }),
    ).rejects.toThrow('Redis is away');
  }
  await sweep();
  expect(enqueued).toEqual([parcel('a')]);
  expect(await dueIn('a')).toBe(10);
});

it('an entry that was added by SQL gets the correlation id with which it is added again, and keeps one that it has', async () => {
  await postgres.query(
    `INSERT INTO outbox (key, kind, payload, due_at) VALUES ('test.parcel:a', 'test.parcel', '{"id": "a"}', now())`,
  );
  await add('a');
  await outbox.add(postgres, parcels, [{ ...parcel('a'), correlationId: 'another' }]);
  expect(await outbox.claim(parcels, 10)).toEqual([parcel('a')]);
});

it('an entry goes on with the trace of what caused it when it is taken up again', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  await outbox.add(postgres, parcels, [{ ...parcel('traced'), traceparent }, parcel('untraced')]);
  await makeDue(postgres, parcels);
  await sweep();
  const traces = Object.fromEntries(enqueued.map(({ payload, traceparent }) => [payload.id, traceparent]));
  expect(traces).toEqual({ traced: traceparent, untraced: undefined });
});

it('an entry that cannot be read keeps nobody from the others', async () => {
  await add('a');
  await postgres.query(
    `INSERT INTO outbox (key, kind, payload, due_at) VALUES ('test.parcel:odd', 'test.parcel', '{"later": true}', now())`,
  );
  await makeDue(postgres, parcels);
  expect(await outbox.claim(parcels, 10)).toEqual([parcel('a')]);
  expect(await keysOf(postgres, parcels)).toEqual(['a', 'odd']);
});

it('draining works off everything that is due, and leaves what fails for later', async () => {
  await add(...Array.from({ length: 25 }, (_, n) => `p${n}`));
  await makeDue(postgres, parcels);
  const batches: number[] = [];
  const drain = () =>
    outbox.drain(parcels, {
      atOnce: 10,
      signal: forever,
      async work(entries) {
        batches.push(entries.length);
        return entries.filter(({ payload }) => payload.id !== 'p7');
      },
    });
  expect(await drain()).toBe(24);
  expect(batches).toEqual([10, 10, 5]);
  expect(await keysOf(postgres, parcels)).toEqual(['p7']);
  expect(await drain()).toBe(0);
});

it('draining ends when its process does', async () => {
  await add('a', 'b', 'c');
  await makeDue(postgres, parcels);
  const stopping = new AbortController();
  const completed = await outbox.drain(parcels, {
    atOnce: 1,
    signal: stopping.signal,
    async work(entries) {
      stopping.abort();
      return entries;
    },
  });
  expect(completed).toBe(1);
  expect(await keysOf(postgres, parcels)).toHaveLength(2);
});
