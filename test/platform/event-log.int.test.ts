import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import {
  type AppendCommand,
  type AppendResult,
  createEventLog,
  type EventLog,
  type ExpectedVersion,
} from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const ids = uuidV7Ids(systemClock);
const metadata = { correlationId: 'story', causationId: 'test', userId: 'alice' };
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
});
afterAll(async () => {
  await Promise.all(pools.map((postgres) => postgres.close()));
  await database.drop();
});

/** A command that adds one event to one stream. */
const adding = (
  streamId: string,
  expected: ExpectedVersion,
  more: Partial<AppendCommand> & { readonly text?: string } = {},
): AppendCommand => {
  const { text = '', ...rest } = more;
  return {
    metadata,
    appends: [{ streamId, expected, events: [{ type: 'Noted', data: { text } }] }],
    ...rest,
  };
};

describe('many writers', () => {
  it('leave no gap, and everything acknowledged is stored where it was said to be', async () => {
    const before = await logs[0]!.head();
    const acknowledged: { streamId: string; version: number; position: number }[] = [];
    async function write(writer: number): Promise<void> {
      const log = logs[writer % 2]!;
      for (let turn = 0; turn < 25; turn += 1) {
        const streamId = turn % 3 === 0 ? `Own-${writer}` : `Hot-${(writer + turn) % 4}`;
        const known = await log.readStream(streamId);
        const expected = turn % 2 === 0 ? 'any' : (known.at(-1)?.streamPosition ?? 'none');
        const result = await log.append(adding(streamId, expected));
        if (result.kind === 'accepted') {
          acknowledged.push({ streamId, version: result.versions[streamId]!, position: result.position });
        } else {
          expect(result).toMatchObject({ kind: 'conflict', streamId });
        }
      }
    }
    await Promise.all(Array.from({ length: 64 }, (_, writer) => write(writer)));

    const { events: stored } = await logs[1]!.readAll(before, 10_000);
    expect(stored.map(({ globalPosition }) => globalPosition)).toEqual(
      stored.map((_, index) => before + index + 1),
    );
    const told = acknowledged.sort((one, other) => one.position - other.position);
    expect(
      stored.map(({ streamId, streamPosition, globalPosition }) => ({
        streamId,
        version: streamPosition,
        position: globalPosition,
      })),
    ).toEqual(told);
    expect(told.length).toBeGreaterThan(64 * 13);

    const next = new Map<string, number>();
    for (const { streamId, streamPosition } of stored) {
      expect(streamPosition).toBe(next.get(streamId) ?? 0);
      next.set(streamId, streamPosition + 1);
    }
    const times = stored.map(({ createdAt }) => createdAt.getTime());
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  it('of one stream’s next place: exactly one gets it', async () => {
    const streamId = `Race-${ids.next()}`;
    const results = await Promise.all(
      Array.from({ length: 64 }, (_, writer) => logs[writer % 2]!.append(adding(streamId, 'none'))),
    );
    expect(results.filter(({ kind }) => kind === 'accepted')).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === 'conflict')).toHaveLength(63);
    expect(await logs[0]!.readStream(streamId)).toHaveLength(1);
  });
});

describe('an append', () => {
  it('to a stream that is elsewhere says where it is, and writes nothing', async () => {
    const [streamId, other] = [`Stream-${ids.next()}`, `Stream-${ids.next()}`];
    await logs[0]!.append(adding(streamId, 'none'));
    const events = [{ type: 'Noted', data: {} }];
    const result = await logs[0]!.append({
      metadata,
      appends: [
        { streamId: other, expected: 'none', events },
        { streamId, expected: 7, events },
      ],
    });
    expect(result).toEqual({ kind: 'conflict', streamId, expected: 7, actual: 0 });
    expect(await logs[0]!.readStream(other)).toEqual([]);
  });

  it('carries its metadata to every event', async () => {
    const streamId = `Stream-${ids.next()}`;
    await logs[0]!.append(adding(streamId, 'none', { text: 'hello' }));
    expect(await logs[1]!.readStream(streamId)).toMatchObject([
      { streamPosition: 0, type: 'Noted', data: { text: 'hello' }, metadata },
    ]);
  });

  it('that Postgres cannot take spoils none of its neighbours', async () => {
    const streamId = `Stream-${ids.next()}`;
    const poison = { inlineProjection: { name: 'no_such_function', args: {} } };
    const settled = await Promise.allSettled([
      logs[0]!.append(adding(streamId, 'any')),
      logs[0]!.append(adding(streamId, 'any', poison)),
      logs[0]!.append(adding(streamId, 'any', { text: 'half a pair \ud800' })),
      logs[0]!.append(adding(streamId, 'any', { text: 'NUL \0' })),
      logs[0]!.append(adding('x'.repeat(256), 'any')),
      logs[0]!.append(adding(streamId, 'any')),
    ]);
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(await logs[0]!.readStream(streamId)).toHaveLength(2);
  });
});

describe('a command id', () => {
  const body = { deposit: '1.00' };

  it('answers its first result again, whatever has happened since, from every process', async () => {
    const [streamId, commandId] = [`Stream-${ids.next()}`, ids.next()];
    const first = await logs[0]!.append(adding(streamId, 'none', { commandId, body, value: { told: 1 } }));
    await logs[0]!.append(adding(streamId, 0));
    const again = await logs[1]!.append(adding(streamId, 'none', { commandId, body, value: { told: 2 } }));
    expect(first).toMatchObject({
      kind: 'accepted',
      repeated: false,
      versions: { [streamId]: 0 },
      value: { told: 1 },
    });
    expect(again).toEqual({ ...first, repeated: true });
    expect(await logs[0]!.findCommandResult(commandId, body)).toEqual(again);
    expect(await logs[0]!.readStream(streamId)).toHaveLength(2);
  });

  it('used twice at the same moment takes effect once', async () => {
    const [streamId, commandId] = [`Stream-${ids.next()}`, ids.next()];
    const send = (n: number): Promise<AppendResult> =>
      logs[n % 2]!.append(adding(streamId, 'any', { commandId, body }));
    const results = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(send));
    expect(results.map((result) => result.kind === 'accepted' && result.versions[streamId])).toEqual(
      Array(8).fill(0),
    );
    expect(results.filter((result) => result.kind === 'accepted' && !result.repeated)).toHaveLength(1);
    expect(await logs[0]!.readStream(streamId)).toHaveLength(1);
  });

  it('is refused for another body', async () => {
    const [streamId, commandId] = [`Stream-${ids.next()}`, ids.next()];
    await logs[0]!.append(adding(streamId, 'any', { commandId, body }));
    const other = { deposit: '2.00' };
    expect(await logs[1]!.append(adding(streamId, 'any', { commandId, body: other }))).toEqual({
      kind: 'command-id-reused',
    });
    expect(await logs[1]!.findCommandResult(commandId, other)).toEqual({ kind: 'command-id-reused' });
    expect(await logs[0]!.readStream(streamId)).toHaveLength(1);
  });

  it('of a command that was not accepted is free again', async () => {
    const [streamId, commandId] = [`Stream-${ids.next()}`, ids.next()];
    expect(await logs[0]!.append(adding(streamId, 5, { commandId, body }))).toMatchObject({
      kind: 'conflict',
    });
    expect(await logs[0]!.findCommandResult(commandId, body)).toBeNull();
    expect(await logs[0]!.append(adding(streamId, 'none', { commandId, body }))).toMatchObject({
      kind: 'accepted',
    });
  });
});

describe('the database itself', () => {
  it.each(["UPDATE events SET event_type = 'X'", 'DELETE FROM events', 'TRUNCATE events'])(
    'refuses %s',
    async (statement) => {
      await expect(pools[0]!.query(statement)).rejects.toThrow(/append-only/);
    },
  );
});

describe('the position at a moment', () => {
  it('is the last one of that millisecond or before, and 0 before the first event', async () => {
    const [log] = logs as [EventLog, EventLog];
    for (let n = 0; n < 40; n += 1) await log.append(adding('Dated-1', 'any'));
    const { events } = await log.readAll(0, 10_000);
    const times = [...new Set(events.map(({ createdAt }) => createdAt.getTime()))];
    expect(times.length).toBeGreaterThan(20);
    const moments = [times[0]! - 1, ...times.slice(-20), times.at(-1)! + 1, times.at(-1)! + 60_000];
    for (const moment of moments) {
      const expected = events.findLast(({ createdAt }) => createdAt.getTime() <= moment)?.globalPosition ?? 0;
      expect(await log.positionAt(new Date(moment))).toBe(expected);
    }
  });
});
