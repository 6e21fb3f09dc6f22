import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { openPostgres, type Postgres } from '../../../src/platform/postgres/postgres.js';
import { signIn } from '../../support/client.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { startApi, type TestProcess } from '../../support/processes.js';
import { startTestRedis, type TestRedis } from '../../support/redis.js';

const READ = '{ mutedKeywords }';
const WRITE = `mutation { setMutedKeywords(input: { keywords: ["spoilers"] }) { userErrors { code } } }`;
const WAITS = { timeout: 60_000, interval: 50 };

let database: TestDatabase;
let redis: TestRedis;
let api: TestProcess;
let postgres: Postgres;
let authorization: string;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  api = await startApi({ databaseUrl: database.url, redisUrl: redis.url });
  postgres = openPostgres(database.url, { max: 2, applicationName: 'holder', onError: () => undefined });
  ({ authorization } = await signIn(api.url, 'reader'));
  expect(await keywords()).toEqual([]);
});
afterAll(async () => {
  await api?.kill('SIGKILL');
  await postgres?.close();
  await redis?.stop();
  await database?.drop();
});

async function ask(query: string, signal?: AbortSignal): Promise<{ data: { mutedKeywords: string[] } }> {
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ query }),
    ...(signal && { signal }),
  });
  return (await response.json()) as never;
}
const keywords = async (): Promise<string[]> => (await ask(READ)).data.mutedKeywords;

/** Statements of the api that wait for the table: those that read it, and those that write it. */
async function waiting(): Promise<{ reads: number; writes: number }> {
  const { rows } = await postgres.query<{ reads: number; writes: number }>(
    `SELECT count(*) FILTER (WHERE query LIKE '%SELECT muted_keywords AS%') AS reads,
       count(*) FILTER (WHERE query LIKE '%append_commands%') AS writes
     FROM pg_stat_activity
     WHERE application_name = 'tidings api' AND state = 'active' AND wait_event_type = 'Lock' AND datname = current_database()`,
  );
  return rows[0]!;
}
const expectWaiting = (expected: { reads: number; writes: number }) =>
  vi.waitFor(async () => expect(await waiting()).toEqual(expected), WAITS);

/** Nobody reads or writes keywords while `work` is done. */
const whileLocked = (work: () => Promise<void>): Promise<void> =>
  postgres.transaction(async (tx) => {
    await tx.query('LOCK TABLE feed_settings IN ACCESS EXCLUSIVE MODE');
    await work();
  });

it('a query ends on the server when its client goes away; a mutation that began does not', async () => {
  await whileLocked(async () => {
    const client = new AbortController();
    const asked = [READ, WRITE].map((query) => ask(query, client.signal).catch(() => undefined));
    await expectWaiting({ reads: 1, writes: 1 });
    client.abort();
    await Promise.all(asked);
    await expectWaiting({ reads: 0, writes: 1 });
  });
  await vi.waitFor(async () => expect(await keywords()).toEqual(['spoilers']), WAITS);
});

it('a query over WebSocket ends on the server when it is completed, and when the socket closes', async () => {
  const open = () =>
    createClient({
      url: `${api.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization },
      retryAttempts: 0,
    });
  const ignore = { next: () => undefined, error: () => undefined, complete: () => undefined };
  await whileLocked(async () => {
    const [kept, closed] = [open(), open()];
    const complete = kept.subscribe({ query: READ }, ignore);
    kept.subscribe({ query: READ }, ignore);
    closed.subscribe({ query: READ }, ignore);
    await expectWaiting({ reads: 3, writes: 0 });
    complete();
    await expectWaiting({ reads: 2, writes: 0 });
    closed.terminate();
    await expectWaiting({ reads: 1, writes: 0 });
    kept.terminate();
    await expectWaiting({ reads: 0, writes: 0 });
  });
});
