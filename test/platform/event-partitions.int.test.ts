import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { browseEvents } from '../../src/platform/event-log/browse.js';
import { createEventLog, type EventLog, type ExpectedVersion } from '../../src/platform/event-log/index.js';
import { ensureEventPartitions } from '../../src/platform/event-log/partitions.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { unavailability } from '../../src/platform/unavailable.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const ids = uuidV7Ids(systemClock);
let database: TestDatabase;
let pools: Postgres[];
/** Two writers that know nothing of each other, as in two processes. */
let logs: EventLog[];

beforeAll(async () => {
  database = await createTestDatabase();
  pools = [1, 2].map((n) =>
    openPostgres(database.url, { max: 4, applicationName: `log ${n}`, onError: () => undefined }),
  );
  logs = pools.map((postgres) => createEventLog({ postgres, ids }));
  await pools[0]!.query('ALTER TABLE events DETACH PARTITION events_from_1');
  await pools[0]!.query('ALTER TABLE events ATTACH PARTITION events_from_1 FOR VALUES FROM (1) TO (201)');
  // To 800, 2,500 and 8,500.
  for (const size of [600, 1_700, 6_000]) expect(await ensure(size)).toBe(1);
});
afterAll(async () => {
  await Promise.all(pools.map((postgres) => postgres.close()));
  await database.drop();
});

const ensure = async (size: number): Promise<number> =>
  (await pools[0]!.query<{ made: number }>('SELECT ensure_event_partitions($1) AS made', [size])).rows[0]!
    .made;
const partitions = async (): Promise<{ name: string; bound: string }[]> =>
  (
    await pools[0]!.query<{ name: string; bound: string }>(
      `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'events'::regclass ORDER BY c.oid`,
    )
  ).rows;
const add = (log: EventLog, streamId: string, expected: ExpectedVersion, correlationId = 'story') =>
  log.append({
    metadata: { correlationId, causationId: 'test' },
    appends: [{ streamId, expected, events: [{ type: 'Noted', data: {} }] }],
  });

describe('64 writers across the borders of partitions', () => {
  it('leave no gap and no double in the log or a stream, while further partitions are made', async () => {
    const acknowledged: string[] = [];
    async function write(writer: number): Promise<void> {
      const log = logs[writer % 2]!;
      for (let turn = 0; turn < 25; turn += 1) {
        const streamId = turn % 3 === 0 ? `Own-${writer}` : `Hot-${(writer + turn) % 4}`;
        const known = turn % 2 === 0 ? undefined : await log.readStream(streamId);
        const result = await add(log, streamId, known ? (known.at(-1)?.streamPosition ?? 'none') : 'any');
        if (result.kind === 'accepted')
          acknowledged.push(`${result.position} ${streamId} ${result.versions[streamId]}`);
        else expect(result).toMatchObject({ kind: 'conflict', streamId });
      }
    }
    const writing = Promise.all(Array.from({ length: 64 }, (_, writer) => write(writer)));
    for (const size of [20_000, 60_000, 200_000, 600_000]) expect(await ensure(size)).toBe(1);
    await writing;

    const { events } = await logs[1]!.readAll(0, 10_000);
    const stored = events.map((event) => `${event.globalPosition} ${event.streamId} ${event.streamPosition}`);
    expect(new Set(stored)).toEqual(new Set(acknowledged));
    expect(events.map(({ globalPosition }) => globalPosition)).toEqual(events.map((_, index) => index + 1));
    const next = new Map<string, number>();
    for (const { streamId, streamPosition } of events) {
      expect(streamPosition).toBe(next.get(streamId) ?? 0);
      next.set(streamId, streamPosition + 1);
    }
    const [counted] = (await pools[0]!.query('SELECT count(DISTINCT tableoid)::int AS used FROM events'))
      .rows;
    expect(counted).toEqual({ used: 3 });
  });

  it('for one next place of a stream that began in an earlier partition: exactly one gets it', async () => {
    const [last] = await logs[0]!.readStream('Own-7').then((events) => events.slice(-1));
    const results = await Promise.all(
      Array.from({ length: 64 }, (_, writer) => add(logs[writer % 2]!, 'Own-7', last!.streamPosition)),
    );
    expect(results.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
  });

  it('find that a stream of an earlier partition is there already', async () => {
    const { rows } = await pools[0]!.query('SELECT stream_id FROM events_from_1 LIMIT 1');
    expect(await add(logs[0]!, rows[0]!.stream_id, 'none')).toMatchObject({ kind: 'conflict', expected: -1 });
  });
});

describe('reading across partitions', () => {
  it('a stream, in pages and from a snapshot, gives each event once and in order', async () => {
    const whole = await logs[0]!.readStream('Hot-1');
    expect(whole.map(({ streamPosition }) => streamPosition)).toEqual(whole.map((_, index) => index));
    expect(new Set(whole.map(({ globalPosition }) => partitionOf(globalPosition))).size).toBe(3);
    expect(await logs[0]!.readStream('Hot-1', 4, 3)).toEqual(whole.slice(5, 8));
    await logs[0]!.saveSnapshot('Hot-1', 1, { streamPosition: 9, data: {} });
    expect((await logs[0]!.readFromSnapshot('Hot-1', 1)).events).toEqual(whole.slice(10));
  });

  it.each([
    {},
    { streamId: 'Hot-2' },
    { correlationId: 'story' },
    { correlationId: 'story', streamId: 'Hot-2' },
  ])('the pages of %j go both ways over the borders', async (filter) => {
    const deps = { postgres: pools[0]!, log: logs[0]! };
    const read = async (direction: 'forward' | 'backward') => {
      const seen: number[] = [];
      for (let cursor: string | null = null; ; ) {
        const page = await browseEvents(deps, filter, { limit: 100, direction, cursor });
        const positions = page.edges.map(({ node }) => node.globalPosition);
        if (direction === 'forward') seen.push(...positions);
        else seen.unshift(...positions);
        const more = direction === 'forward' ? page.pageInfo.hasNextPage : page.pageInfo.hasPreviousPage;
        if (!more) return seen;
        cursor = direction === 'forward' ? page.pageInfo.endCursor! : page.pageInfo.startCursor!;
      }
    };
    const forward = await read('forward');
    const { events } = await logs[0]!.readAll(0, 10_000);
    const { streamId } = filter as { streamId?: string };
    expect(forward).toEqual(
      events.flatMap((event) => (!streamId || event.streamId === streamId ? event.globalPosition : [])),
    );
    expect(await read('backward')).toEqual(forward);
  });

  it('a moment finds its position in whichever partition it lies', async () => {
    const { events } = await logs[0]!.readAll(0, 10_000);
    for (const index of [0, 199, 200, 799, 800, events.length - 1]) {
      const { createdAt } = events[index]!;
      const last = events.findLast((event) => event.createdAt.getTime() <= createdAt.getTime());
      expect(await logs[0]!.positionAt(createdAt)).toBe(last!.globalPosition);
    }
  });
});

const partitionOf = (position: number): number => [200, 800].filter((border) => position > border).length;

describe('partitions of the log', () => {
  it('are made only where the last one is half full, each beginning where the one before ends', async () => {
    const before = await partitions();
    expect(await ensureEventPartitions(pools[0]!)).toBe(1);
    expect(await ensureEventPartitions(pools[0]!)).toBe(0);
    const bounds = (await partitions()).map(({ bound }) => bound.match(/\d+/g)!.map(Number));
    expect(bounds).toHaveLength(before.length + 1);
    for (const [index, [from]] of bounds.entries()) expect(from).toBe(bounds[index - 1]?.[1] ?? 1);
  });

  it('are made once where two processes see to it at the same moment', async () => {
    const before = (await partitions()).length;
    const made = await Promise.all(
      pools.map((postgres) =>
        postgres.query<{ made: number }>('SELECT ensure_event_partitions(200000000) AS made'),
      ),
    );
    expect(made.map(({ rows }) => rows[0]!.made).sort()).toEqual([0, 1]);
    expect(await partitions()).toHaveLength(before + 1);
  });

  it('have the same indexes, and each refuses to be changed, by its own name too', async () => {
    const names = (await partitions()).map(({ name }) => name);
    for (const name of names) {
      const { rows } = await pools[0]!.query(
        `SELECT replace(pg_get_indexdef(indexrelid), relname, '') AS definition FROM pg_index JOIN pg_class c ON c.oid = indexrelid
         WHERE indrelid = $1::regclass`,
        [name],
      );
      const shapes = rows.map(({ definition }) => definition.replace(/ ON public\.\w+/, ''));
      expect(shapes.sort()).toEqual([
        "CREATE INDEX  USING btree (((metadata ->> 'correlationId'::text)), global_position)",
        'CREATE UNIQUE INDEX  USING btree (global_position)',
        'CREATE UNIQUE INDEX  USING btree (stream_id, stream_position)',
      ]);
      for (const change of [`UPDATE ${name} SET data = '1'`, `DELETE FROM ${name}`, `TRUNCATE ${name}`]) {
        await expect(pools[0]!.query(change)).rejects.toThrow('is append-only');
      }
    }
    for (const change of ["UPDATE events SET data = '1'", 'DELETE FROM events', 'TRUNCATE events']) {
      await expect(pools[0]!.query(change)).rejects.toThrow('is append-only');
    }
  });
});

describe('a log whose partitions nobody made in time', () => {
  async function openFull(giveUpAfterMs?: number) {
    const full = await createTestDatabase();
    onTestFinished(() => full.drop());
    const opened = [1, 2].map((n) =>
      openPostgres(full.url, { max: 4, applicationName: `full ${n}`, onError: () => undefined }),
    );
    onTestFinished(() => Promise.all(opened.map((postgres) => postgres.close())).then(() => undefined));
    await opened[0]!.query('ALTER TABLE events DETACH PARTITION events_from_1');
    await opened[0]!.query('ALTER TABLE events ATTACH PARTITION events_from_1 FOR VALUES FROM (1) TO (3)');
    const options = giveUpAfterMs === undefined ? {} : { giveUpAfterMs };
    return {
      postgres: opened[0]!,
      logs: opened.map((postgres) => createEventLog({ postgres, ids, ...options })),
    };
  }

  it('takes what comes all the same: the process that appends makes the next one', async () => {
    const { logs: writers } = await openFull();
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) => add(writers[n % 2]!, `Own-${n}`, 'none')),
    );
    expect(results.map(({ kind }) => kind)).toEqual(results.map(() => 'accepted'));
    const { events } = await writers[0]!.readAll(0, 100);
    expect(events.map(({ globalPosition }) => globalPosition)).toEqual(results.map((_, n) => n + 1));
  });

  it('is unavailable where none can be made, and takes what comes once it can', async () => {
    const { postgres, logs: writers } = await openFull(200);
    await postgres.query('CREATE TABLE events_from_3 ()');
    for (const n of [1, 2])
      expect(await add(writers[0]!, `Own-${n}`, 'none')).toMatchObject({ kind: 'accepted' });
    const refused = await add(writers[0]!, 'Own-3', 'none').catch((error: unknown) => error);
    expect(unavailability(refused)).toEqual({ retryAfterSeconds: 30 });
    await postgres.query('DROP TABLE events_from_3');
    expect(await add(writers[0]!, 'Own-3', 'none')).toMatchObject({ kind: 'accepted', position: 3 });
  });
});
