import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { type AppendCommand, createEventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.js';

const CONNECTIONS = 4;
let database: TestDatabase;
let proxy: FaultyProxy;
let postgres: Postgres;
let direct: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  direct = openPostgres(database.url, { max: 1, applicationName: 'direct', onError: () => undefined });
});
afterAll(async () => {
  await direct.close();
  await database.drop();
});
beforeEach(async () => {
  proxy = await startFaultyProxy(database.url);
  postgres = openPostgres(proxy.url, {
    max: CONNECTIONS,
    applicationName: 'outage',
    onError: () => undefined,
  });
  await Promise.all(Array.from({ length: CONNECTIONS }, () => postgres.query('SELECT pg_sleep(0.05)')));
  expect(postgres.pool.idleCount).toBe(CONNECTIONS);
});
afterEach(async () => {
  await proxy.close();
  await postgres.close();
});

const openLog = (timeouts: { callTimeoutMs?: number; giveUpAfterMs?: number } = {}) =>
  createEventLog({ postgres, ids: uuidV7Ids(systemClock), ...timeouts });

const addingTo = (streamId: string): AppendCommand => ({
  metadata: { correlationId: 'story', causationId: 'test', userId: 'alice' },
  appends: [{ streamId, expected: 'any', events: [{ type: 'Noted', data: {} }] }],
});

it('an append whose connections have all gone silent is made again on a new one, and stored once', async () => {
  const log = openLog({ callTimeoutMs: 300 });
  proxy.silence();
  const first = log.append(addingTo('Silent-1'));
  const second = log.append(addingTo('Silent-2'));
  await expect(first).resolves.toMatchObject({ kind: 'accepted' });
  await expect(second).resolves.toMatchObject({ kind: 'accepted' });
  expect(postgres.pool.totalCount).toBeLessThan(CONNECTIONS);
  const { rows } = await direct.query(
    `SELECT stream_id, count(*) AS stored FROM events WHERE stream_id LIKE 'Silent-%' GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { stream_id: 'Silent-1', stored: 1 },
    { stream_id: 'Silent-2', stored: 1 },
  ]);
});

it('an append outlasts a restart of the database, and is stored once though its first answer was lost', async () => {
  const log = openLog();
  const again = vi.spyOn(postgres, 'queryAfresh');
  await proxy.refuse();
  const appended = log.append(addingTo('Restarted'));
  // The pauses double from 50 ms: the fifth try comes after 750 ms.
  await vi.waitFor(() => expect(again).toHaveBeenCalledTimes(5), { timeout: 20_000 });
  await proxy.accept();
  await expect(appended).resolves.toMatchObject({ kind: 'accepted' });
  await expect(log.readStream('Restarted')).resolves.toHaveLength(1);
});

it('when the database stays away, all waiting appends fail, and the next append works once it is back', async () => {
  const log = openLog({ giveUpAfterMs: 300 });
  const again = vi.spyOn(postgres, 'queryAfresh');
  await proxy.refuse();
  const sent = log.append(addingTo('Away'));
  sent.catch(() => undefined);
  await vi.waitFor(() => expect(again).toHaveBeenCalled(), 15_000);
  const gathered = log.append(addingTo('Away'));
  await expect(sent).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expect(gathered).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await proxy.accept();
  await expect(log.append(addingTo('Back'))).resolves.toMatchObject({ kind: 'accepted' });
});

it('closes though a call still waits on a silent connection', async () => {
  const client = await postgres.pool.connect();
  client.on('error', () => undefined);
  proxy.silence();
  const stuck = expect(client.query('SELECT 1')).rejects.toThrow('Connection terminated');
  await expect(postgres.close()).resolves.toBeUndefined();
  proxy.cut();
  await stuck;
  client.release(true);
  postgres = openPostgres(database.url, { max: 1, applicationName: 'last', onError: () => undefined });
});

it('a crowd is appended also where each call takes nearly as long as it may, and no call waits behind another', async () => {
  await direct.query(`
    CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.9); RETURN NULL; END $$;
    CREATE TRIGGER take_long AFTER INSERT ON commands FOR EACH STATEMENT EXECUTE FUNCTION take_long()`);
  onTestFinished(async () => {
    await direct.query('DROP FUNCTION take_long CASCADE');
  });
  const log = openLog({ callTimeoutMs: 1_500 });
  let inUse = 0;
  let mostInUse = 0;
  postgres.pool.on('acquire', () => {
    inUse += 1;
    mostInUse = Math.max(mostInUse, inUse);
  });
  postgres.pool.on('release', () => {
    inUse -= 1;
  });
  const asked = new Set<Promise<unknown>>();
  const results: unknown[] = [];
  // A crowd of 60 waits at any time: enough for two calls at once.
  for (let n = 0; n < 360; n += 1) {
    const one = log.append(addingTo(`Slow-${n}`)).then((result) => {
      results.push(result.kind);
      asked.delete(one);
    });
    asked.add(one);
    if (asked.size >= 60) await Promise.race(asked);
  }
  await Promise.all(asked);
  expect(results.filter((kind) => kind === 'accepted')).toHaveLength(360);
  expect(mostInUse).toBe(1);
});
