import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { ok, refused } from '../../src/platform/errors.js';
import { type Aggregate, load } from '../../src/platform/event-log/aggregate.js';
import { type CommandRequest, executeOn } from '../../src/platform/event-log/execute.js';
import { createEventLog, type EventLog, type Upcasters } from '../../src/platform/event-log/index.js';
import { createKeptStates, type KeptStates } from '../../src/platform/event-log/kept-states.js';
import { createTurns } from '../../src/platform/event-log/turns.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

interface Counter {
  readonly total: number;
}
interface Counted {
  readonly type: 'Counted';
  readonly data: { readonly by: number };
}
interface Count {
  readonly times: number;
  readonly atMost?: number;
}

/** Counts; each `times` is that many events. */
const counter = (stateVersion = 1): Aggregate<Counter, Count, Counted> => ({
  initial: { total: 0 },
  decide: ({ times, atMost = Number.POSITIVE_INFINITY }, { total }) =>
    total + times > atMost
      ? refused('TOO_MANY', 'It would count too far')
      : ok(Array.from({ length: times }, () => ({ type: 'Counted', data: { by: 1 } }))),
  evolve: ({ total }, { data }) => ({ total: total + data.by }),
  read: ({ type, data }) => ({ type, data }) as unknown as Counted,
  snapshot: {
    version: stateVersion,
    encode: ({ total }) => ({ total }),
    decode: ({ total }) => ({ total: total as number }),
  },
});

/** The first schema version called it an amount. */
const lift: Upcasters[string] = (data) => ('by' in data ? data : { by: data.amount ?? 0 });

const ids = uuidV7Ids(systemClock);
let database: TestDatabase;
let postgres: Postgres;
let log: EventLog;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'test', onError: () => undefined });
  log = createEventLog({ postgres, ids });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

function count(
  streamId: string,
  command: Count,
  more: Partial<CommandRequest<Count, Counted, Counter>> & {
    on?: EventLog;
    aggregate?: Aggregate<Counter, Count, Counted>;
    kept?: KeptStates;
  } = {},
) {
  const { on = log, aggregate = counter(), kept = createKeptStates(), ...rest } = more;
  const commandId = ids.next();
  return executeOn({ log: on, inTurn: createTurns(), kept }, aggregate, {
    streamId,
    command,
    commandId,
    body: { commandId },
    value: {},
    metadata: { correlationId: 'story', causationId: commandId },
    ...rest,
  });
}

async function snapshotOf(streamId: string) {
  const { rows } = await postgres.query(
    'SELECT stream_position, data, state_version FROM snapshots WHERE stream_id = $1',
    [streamId],
  );
  return rows[0];
}

/** A log that says how many events it had to read. */
function countingReads() {
  const read = { events: 0 };
  const counting: EventLog = {
    ...log,
    async readFromSnapshot(streamId, stateVersion) {
      const found = await log.readFromSnapshot(streamId, stateVersion);
      read.events += found.events.length;
      return found;
    },
  };
  return { read, log: counting };
}

describe('a snapshot', () => {
  it('is kept at every multiple of 100 that the stream passes, never at 0, and spares what came before', async () => {
    const streamId = `Counter-${ids.next()}`;
    await count(streamId, { times: 1 });
    expect(await snapshotOf(streamId)).toBeUndefined();
    await count(streamId, { times: 99 });
    expect(await snapshotOf(streamId)).toBeUndefined();
    await count(streamId, { times: 1 });
    expect(await snapshotOf(streamId)).toEqual({
      stream_position: 100,
      data: { total: 101 },
      state_version: 1,
    });
    // From 101 to 322 at once: what is kept is the state at 300.
    await count(streamId, { times: 222 });
    expect(await snapshotOf(streamId)).toMatchObject({ stream_position: 300, data: { total: 301 } });

    const { read, log: counting } = countingReads();
    expect(await load(counting, counter(), streamId)).toMatchObject({ state: { total: 323 }, version: 322 });
    expect(read.events).toBe(22);
  });

  it('that a crash left out is made up for by the next command', async () => {
    const streamId = `Counter-${ids.next()}`;
    const crashing: EventLog = {
      ...log,
      saveSnapshot: () => Promise.reject(new Error('the process is gone')),
    };
    expect(await count(streamId, { times: 150 }, { on: crashing })).toMatchObject({ ok: true });
    expect(await snapshotOf(streamId)).toBeUndefined();
    await count(streamId, { times: 1 });
    expect(await snapshotOf(streamId)).toMatchObject({ stream_position: 100, data: { total: 101 } });
  });

  it('never gives way to an older one', async () => {
    const streamId = `Counter-${ids.next()}`;
    await count(streamId, { times: 301 });
    await log.saveSnapshot(streamId, 1, { streamPosition: 200, data: { total: 201 } });
    expect(await snapshotOf(streamId)).toMatchObject({ stream_position: 300 });
  });

  it('of an older state version is ignored and replaced, and an older process leaves the new one alone', async () => {
    const streamId = `Counter-${ids.next()}`;
    await count(streamId, { times: 201 });
    await postgres.query(`UPDATE snapshots SET data = '{"total": -1}' WHERE stream_id = $1`, [streamId]);
    expect((await load(log, counter(2), streamId)).state).toEqual({ total: 201 });

    await count(streamId, { times: 1 }, { aggregate: counter(2) });
    expect(await snapshotOf(streamId)).toEqual({
      stream_position: 200,
      data: { total: 201 },
      state_version: 2,
    });
    await count(streamId, { times: 100 }, { aggregate: counter(1) });
    expect(await snapshotOf(streamId)).toMatchObject({ stream_position: 200, state_version: 2 });
    expect((await load(log, counter(1), streamId)).state).toEqual({ total: 302 });
  });

  it('that cannot be decoded costs only time, and the next command replaces it', async () => {
    const strict = (): Aggregate<Counter, Count, Counted> => ({
      ...counter(),
      snapshot: {
        ...counter().snapshot,
        decode({ total }) {
          if (typeof total !== 'number') throw new Error('a total is a number');
          return { total };
        },
      },
    });
    const streamId = `Counter-${ids.next()}`;
    await count(streamId, { times: 201 }, { aggregate: strict() });
    await postgres.query(`UPDATE snapshots SET data = '{"total": "many"}' WHERE stream_id = $1`, [streamId]);
    expect(await load(log, strict(), streamId)).toMatchObject({ state: { total: 201 }, version: 200 });

    expect(await count(streamId, { times: 1 }, { aggregate: strict() })).toMatchObject({ ok: true });
    expect(await snapshotOf(streamId)).toMatchObject({ stream_position: 200, data: { total: 201 } });
    const { read, log: counting } = countingReads();
    expect((await load(counting, strict(), streamId)).state).toEqual({ total: 202 });
    expect(read.events).toBe(1);
  });

  it('and a tail of many pages add up', async () => {
    const streamId = `Counter-${ids.next()}`;
    const forgetful: EventLog = { ...log, saveSnapshot: async () => undefined };
    await count(streamId, { times: 2_300 }, { on: forgetful });
    expect(await load(log, counter(), streamId)).toMatchObject({ state: { total: 2_300 }, version: 2_299 });
  });
});

describe('a command', () => {
  it('that is refused by now answers its first result when it is repeated', async () => {
    const streamId = `Counter-${ids.next()}`;
    const named = { commandId: ids.next(), body: { count: 'to five' } };
    const first = await count(streamId, { times: 5, atMost: 5 }, named);
    expect(first).toMatchObject({ ok: true, value: { version: 4 } });
    expect(await count(streamId, { times: 5, atMost: 5 }, named)).toEqual(first);
    expect(
      await count(streamId, { times: 5, atMost: 5 }, { ...named, body: { count: 'else' } }),
    ).toMatchObject({
      errors: [{ code: 'COMMAND_ID_REUSED' }],
    });
    expect(await count(streamId, { times: 5, atMost: 5 })).toMatchObject({ errors: [{ code: 'TOO_MANY' }] });
  });

  it('writes beside its own stream all or nothing, and what an inline projection refuses is explained', async () => {
    const streamId = `Counter-${ids.next()}`;
    const other = `Counter-${ids.next()}`;
    const beside = () => ({
      appends: [
        { streamId: other, expected: 'any' as const, events: [{ type: 'Counted', data: { by: 7 } }] },
      ],
      inlineProjection: { name: 'publish_post', args: { authorId: 'nobody', postId: ids.next() } },
    });
    const refusedBy = await count(
      streamId,
      { times: 1 },
      { beside, explain: ({ code }) => refused('NO_SUCH_AUTHOR', `The guard said ${code}`) },
    );
    expect(refusedBy).toEqual({
      ok: false,
      errors: [{ code: 'NO_SUCH_AUTHOR', message: 'The guard said AUTHOR_NOT_FOUND' }],
    });
    expect(await log.readStream(streamId)).toEqual([]);
    expect(await log.readStream(other)).toEqual([]);

    const accepted = await count(streamId, { times: 1 }, { beside: () => ({ appends: beside().appends }) });
    expect(accepted).toMatchObject({ ok: true, value: { version: 0 } });
    const [one] = await log.readStream(streamId);
    const [two] = await log.readStream(other);
    expect(two!.globalPosition).toBe(one!.globalPosition + 1);
    expect(two!.createdAt).toEqual(one!.createdAt);
  });

  it('without events is accepted and changes nothing', async () => {
    const streamId = `Counter-${ids.next()}`;
    await count(streamId, { times: 3 });
    const head = await log.head();
    expect(await count(streamId, { times: 0 })).toMatchObject({ ok: true, value: { version: 2 } });
    expect(await log.head()).toBe(head);
  });

  it('with an expected version is refused when the stream is elsewhere', async () => {
    const streamId = `Counter-${ids.next()}`;
    await count(streamId, { times: 3 });
    expect(await count(streamId, { times: 1 }, { expectedVersion: 1 })).toMatchObject({
      errors: [{ code: 'VERSION_CONFLICT', path: ['input', 'expectedVersion'] }],
    });
    expect(await count(streamId, { times: 1 }, { expectedVersion: 2 })).toMatchObject({
      value: { version: 3 },
    });
  });
});

describe('an event of an older schema version', () => {
  it('is lifted on every read, and stays as it is in the log', async () => {
    const lifting = createEventLog({ postgres, ids, upcasters: { Counted: lift } });
    const streamId = `Counter-${ids.next()}`;
    const before = await log.head();
    await log.append({
      metadata: { correlationId: 'story', causationId: 'test' },
      appends: [{ streamId, expected: 'none', events: [{ type: 'Counted', data: { amount: 5 } }] }],
    });
    expect((await lifting.readStream(streamId))[0]!.data).toEqual({ by: 5 });
    expect((await load(lifting, counter(), streamId)).state).toEqual({ total: 5 });
    const { events } = await lifting.readAll(before, 10, { types: ['Counted'] });
    expect(events.map((event) => event.data)).toEqual([{ amount: 5 }]);
    expect(events.map((event) => lifting.upcast(event).data)).toEqual([{ by: 5 }]);
  });
});

describe('a window of the log', () => {
  it('names the last position that it looked at, whether or not anything in it was wanted', async () => {
    const streamId = `Counter-${ids.next()}`;
    const before = await log.head();
    await count(streamId, { times: 10 });
    expect(await log.readAll(before, 4, { types: ['Nothing'] })).toEqual({
      events: [],
      through: before + 4,
      isLast: false,
    });
    expect(await log.readAll(before + 4, 100, { types: ['Nothing'] })).toEqual({
      events: [],
      through: before + 10,
      isLast: true,
    });
    expect(await log.readAll(before + 10, 100)).toEqual({ events: [], through: before + 10, isLast: true });
    const { events, through } = await log.readAll(before, 3, { types: ['Counted', 'Nothing'] });
    expect(events.map(({ streamPosition }) => streamPosition)).toEqual([0, 1, 2]);
    expect(through).toBe(before + 3);
  });
});
