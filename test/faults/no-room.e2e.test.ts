import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { type Client, signIn } from '../support/client.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, type TestProcess } from '../support/processes.js';
import { type RedisProcess, startRedisProcess } from '../support/redis-process.js';

let database: TestDatabase;
let redis: RedisProcess;
let postgres: Postgres;
let api: TestProcess;
let user: Client;
let number = 0;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startRedisProcess()]);
  postgres = openPostgres(database.url, { max: 2, applicationName: 'admin', onError: () => undefined });
  api = await startApi({
    databaseUrl: database.url,
    redisUrl: redis.url,
    env: { DATABASE_POOL_MAX: '2' },
  });
  user = await signIn(api.url, 'alice', ['user', 'producer', 'admin']);
  // Their profile is made by their first request.
  expect((await overGraphQL({ query: publish() })).code).toBeUndefined();
  await postgres.query(
    `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = TG_ARGV[0]; END $$`,
  );
});
afterAll(async () => {
  await api?.kill('SIGKILL');
  await Promise.all([postgres?.close(), redis?.stop()]);
  await database?.drop();
});

const publish = () => {
  number += 1;
  return `mutation { publishPost(input: { content: "post ${number}" }) { post { postId } userErrors { code } } }`;
};
const post = (path: string, body: object): Promise<Response> =>
  fetch(`${api.url}${path}`, {
    method: 'POST',
    headers: { authorization: user.authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

interface Seen {
  readonly status: number;
  readonly code: unknown;
  readonly retryAfter: unknown;
  readonly header: number;
}

async function overGraphQL(body: object): Promise<Seen> {
  const answer = await post('/graphql', body);
  const { errors } = (await answer.json()) as { errors?: { extensions: Record<string, unknown> }[] };
  const { code, retryAfter } = errors?.[0]?.extensions ?? {};
  return { status: answer.status, code, retryAfter, header: Number(answer.headers.get('retry-after')) };
}

async function overRest(path: string, body: object): Promise<Seen> {
  const answer = await post(path, body);
  const { error } = (await answer.json()) as { error?: { code: string } };
  const header = Number(answer.headers.get('retry-after'));
  return { status: answer.status, code: error?.code, retryAfter: header, header };
}

async function overSocket(query: string): Promise<Pick<Seen, 'code' | 'retryAfter'>> {
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  try {
    return await new Promise((resolve, reject) => {
      socket.on('error', reject).on('close', reject);
      socket.on('open', () =>
        socket.send(
          JSON.stringify({ type: 'connection_init', payload: { authorization: user.authorization } }),
        ),
      );
      socket.on('message', (data) => {
        const { type, payload } = JSON.parse(String(data));
        if (type === 'connection_ack')
          socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
        if (type === 'next' || type === 'error')
          resolve((type === 'next' ? payload.errors : payload)[0].extensions);
      });
    });
  } finally {
    socket.terminate();
  }
}

const publishByRest = () => {
  number += 1;
  return overRest('/api/v1/posts', { user_id: 'alice', content: `post ${number}` });
};

/** Every way in, while nothing can be written. */
async function askEveryWay(): Promise<void> {
  const [plain, apollo, socket, rest] = await Promise.all([
    overGraphQL({ query: publish() }),
    overGraphQL({ query: publish(), extensions: {} }),
    overSocket(publish()),
    publishByRest(),
  ]);
  for (const seen of [plain, apollo]) {
    expect(seen).toEqual({
      status: 200,
      code: 'SERVICE_UNAVAILABLE',
      retryAfter: expect.any(Number),
      header: seen.retryAfter,
    });
    expect(seen.header).toBeGreaterThanOrEqual(1);
  }
  expect(socket).toEqual({
    code: 'SERVICE_UNAVAILABLE',
    retryAfter: plain.retryAfter,
  });
  expect(rest).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
  expect(rest.header).toBeGreaterThanOrEqual(1);
}

describe('a write for which Postgres or Redis has no space is refused as SERVICE_UNAVAILABLE over every protocol', () => {
  it.each([
    ['full disk', '53100'],
    ['out of memory', '53200'],
  ])('Postgres: %s', async (_, code) => {
    await postgres.query(
      `CREATE TRIGGER no_room BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION no_room('${code}')`,
    );
    await askEveryWay().finally(() => postgres.query('DROP TRIGGER no_room ON events'));
    expect((await overGraphQL({ query: publish() })).code).toBeUndefined();
  });

  it('Postgres: read-only', async () => {
    const name = new URL(database.url).pathname.slice(1);
    const cut = () =>
      postgres.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND application_name LIKE 'tidings%'`,
      );
    await postgres.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    await cut();
    await askEveryWay();
    await postgres.transaction(async (tx) => {
      await tx.query('SET TRANSACTION READ WRITE');
      await tx.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    });
    await cut();
    await expect.poll(async () => (await overGraphQL({ query: publish() })).code).toBeUndefined();
  });

  it('Postgres: no free connection, within seconds', async () => {
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const holding = postgres.transaction(async (tx) => {
      await tx.query('LOCK TABLE users, posts, notification_templates, orders IN ACCESS EXCLUSIVE MODE');
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    const query = '{ templates(first: 5) { edges { node { templateId } } } }';
    // As many as the pool has connections wait for the lock; the rest for one of these connections.
    const waiting = Array.from({ length: 8 }, () => overGraphQL({ query }));
    const first = await Promise.race(waiting);
    expect(first).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 2, header: 2 });
    held.resolve();
    await holding;
    const seen = await Promise.all(waiting);
    expect(seen.some(({ code }) => code === undefined)).toBe(true);
    expect(seen.filter(({ code }) => code === 'INTERNAL_ERROR')).toEqual([]);
  });
});
