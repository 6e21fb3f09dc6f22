import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { ok, refused } from '../../src/platform/errors.js';
import type { Aggregate } from '../../src/platform/event-log/aggregate.js';
import { executeOn } from '../../src/platform/event-log/execute.js';
import { createEventLog, type EventLog } from '../../src/platform/event-log/index.js';
import { createKeptStates, type KeptStates } from '../../src/platform/event-log/kept-states.js';
import { createTurns } from '../../src/platform/event-log/turns.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startReplicatedPostgres } from '../support/replicated-postgres.js';

type Moved = { readonly type: 'Moved'; readonly data: { readonly by: number } };

/** Money that may not fall below nothing. */
const purse: Aggregate<number, number, Moved> = {
  initial: 0,
  decide: (by, total) =>
    total + by < 0 ? refused('TOO_LITTLE', 'There is too little') : ok([{ type: 'Moved', data: { by } }]),
  evolve: (total, { data }) => total + data.by,
  read: (event) => event as unknown as Moved,
  snapshot: { version: 1, encode: (total) => ({ total }), decode: ({ total }) => total as number },
};

const ids = uuidV7Ids(systemClock);
let database: TestDatabase;
let postgres: Postgres;
let log: EventLog;
let loads: number;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'test', onError: () => undefined });
  const opened = createEventLog({ postgres, ids });
  log = {
    ...opened,
    readFromSnapshot(...of) {
      loads += 1;
      return opened.readFromSnapshot(...of);
    },
  };
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});
beforeEach(() => {
  loads = 0;
});

/** A process: it moves money, and keeps states. */
function process(on: EventLog = log, kept: KeptStates = createKeptStates()) {
  const inTurn = createTurns();
  return async (streamId: string, by: number): Promise<unknown> => {
    const commandId = ids.next();
    const result = await executeOn({ log: on, inTurn, kept, random: () => 0 }, purse, {
      streamId,
      command: by,
      commandId,
      body: { commandId },
      value: {},
      metadata: { correlationId: 'test', causationId: commandId },
    });
    return result.ok ? result.value.version : result.errors[0]!.code;
  };
}

/** A purse with 10 in it, which the process has just read. */
async function knownPurse(move: ReturnType<typeof process>, elsewhere = process()): Promise<string> {
  const streamId = `Purse-${ids.next()}`;
  await elsewhere(streamId, 9);
  expect(await move(streamId, 1)).toBe(1);
  loads = 0;
  return streamId;
}

const totalOf = async (streamId: string, on = log): Promise<number> =>
  (await on.readStream(streamId)).reduce((total, { data }) => total + (data.by as number), 0);

it('commands that come one after the other read what they are about once', async () => {
  const move = process();
  const streamId = await knownPurse(move);
  for (let n = 0; n < 250; n += 1) expect(await move(streamId, 1)).toBe(n + 2);
  expect(loads).toBe(0);
  expect(await totalOf(streamId)).toBe(260);
});

it('snapshots are kept at the same places as of states that are read', async () => {
  const move = process();
  const streamId = await knownPurse(move);
  for (let n = 0; n < 100; n += 1) await move(streamId, 1);
  const { snapshot } = await log.readFromSnapshot(streamId, 1);
  expect(snapshot).toEqual({ streamPosition: 100, data: { total: 109 } });
});

it('what another process has changed is read again, and the command decided on that', async () => {
  const [move, elsewhere] = [process(), process()];
  const streamId = await knownPurse(move);
  expect(await elsewhere(streamId, -10)).toBe(2);
  expect(await move(streamId, -1)).toBe('TOO_LITTLE');
  expect(await totalOf(streamId)).toBe(0);
});

it('nothing is refused by a kept state: what another process has added counts', async () => {
  const [move, elsewhere] = [process(), process()];
  const streamId = await knownPurse(move);
  expect(await elsewhere(streamId, 90)).toBe(2);
  expect(await move(streamId, -100)).toBe(3);
  expect(await totalOf(streamId)).toBe(0);
});

it('a refused command does not change what is known', async () => {
  const move = process();
  const streamId = await knownPurse(move);
  expect(await move(streamId, -11)).toBe('TOO_LITTLE');
  expect(await move(streamId, -10)).toBe(2);
  expect(await move(streamId, -1)).toBe('TOO_LITTLE');
});

it('connections that come and go cost no kept state', async () => {
  const move = process();
  const streamId = await knownPurse(move);
  const clients = await Promise.all([postgres.pool.connect(), postgres.pool.connect()]);
  for (const client of clients) client.release(true);
  expect(await move(streamId, 1)).toBe(2);
  expect(loads).toBe(0);
});

it('after a failover that lost events nothing is decided on them, though others have taken their places', async () => {
  const servers = await startReplicatedPostgres();
  const opened: Postgres[] = [];
  const logOn = (url: string): EventLog => {
    const server = openPostgres(url, { max: 2, applicationName: 'test', onError: () => undefined });
    opened.push(server);
    return createEventLog({ postgres: server, ids });
  };
  try {
    const kept = createKeptStates();
    const before = process(logOn(servers.primaryUrl), kept);
    const [gone, there] = [await knownPurse(before, before), await knownPurse(before, before)];
    await servers.caughtUp();
    await servers.replica.query("ALTER SYSTEM SET primary_conninfo = ''");
    await servers.replica.query('SELECT pg_reload_conf()');
    const followed = 'SELECT count(*)::int AS receivers FROM pg_stat_wal_receiver';
    await vi.waitFor(
      async () => expect((await servers.replica.query(followed)).rows).toEqual([{ receivers: 0 }]),
      20_000,
    );
    expect(await before(gone, 90)).toBe(2);

    await servers.replica.query('SELECT pg_promote()');
    const log = logOn(servers.replicaUrl);
    expect(await process(log)(gone, -9)).toBe(2);
    const after = process(log, kept);
    const fresh = `Purse-${ids.next()}`;
    // All in one batch: what rests on nothing, or on what is there, is appended.
    expect(await Promise.all([after(gone, -50), after(there, -10), after(fresh, 3)])).toEqual([
      'TOO_LITTLE',
      2,
      0,
    ]);
    expect(await Promise.all([gone, there, fresh].map((id) => totalOf(id, log)))).toEqual([1, 0, 3]);
  } finally {
    for (const server of opened) await server.close();
    await servers.close();
  }
}, 60_000);
