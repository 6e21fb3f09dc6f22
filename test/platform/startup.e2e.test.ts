import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/local/free-port.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { compileCache, testAuthSecret } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** A start takes 2 s of a processor, and a crowded machine has none to spare. */
const STARTED = { timeout: 150_000 };

let database: TestDatabase;
let redis: TestRedis;
const children: ChildProcess[] = [];

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await redis?.stop();
  await database?.drop();
});

/** Starts a command with what it needs, but for what the test says otherwise. */
async function run(command: string, env: Readonly<Record<string, string>>) {
  const port = String(await freePort());
  const child = spawn(process.execPath, [main, command], {
    env: {
      PATH: process.env.PATH ?? '',
      AUTH_SECRET: testAuthSecret,
      NODE_ENV: 'test',
      NODE_COMPILE_CACHE: compileCache,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      PORT: port,
      WORKER_PORT: port,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  let complaint = '';
  child.stdout.on('data', (text) => (output += String(text)));
  child.stderr.on('data', (text) => (complaint += String(text)));
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    child,
    exited,
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    complaint: () => complaint,
  };
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows;
}

const elsewhere = (url: string, port: number): string => {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
};

/** Passes on to `url`, once it listens. */
async function forward(port: number, url: string): Promise<net.Server> {
  const target = Number(new URL(url).port);
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe.each(['api', 'worker'])('%s, started while something is away', STARTED, (command) => {
  it.each(['DATABASE_URL', 'REDIS_URL'])(
    'waits for %s, says so in one line, and starts when it is there',
    async (name) => {
      const url = name === 'DATABASE_URL' ? database.url : redis.url;
      const port = await freePort();
      const started = await run(command, { [name]: elsewhere(url, port) });
      await vi.waitFor(() => expect(started.output()).toContain('waiting for'), 60_000);
      const server = await forward(port, url);
      await vi.waitFor(async () => expect((await fetch(`${started.url}/readyz`)).status).toBe(200), 60_000);
      expect(started.output().match(/waiting for/g)).toHaveLength(1);
      expect(started.child.exitCode).toBeNull();
      started.child.kill('SIGKILL');
      await started.exited;
      server.close();
    },
  );

  it.each(['DATABASE_URL', 'REDIS_URL'])('ends with 1 and one line where %s does not come', async (name) => {
    const url = elsewhere(name === 'DATABASE_URL' ? database.url : redis.url, await freePort());
    const started = await run(command, { [name]: url, STARTUP_TIMEOUT_MS: '1000' });
    expect(await started.exited).toBe(1);
    expect(started.complaint().trim().split('\n')).toEqual([
      expect.stringMatching(
        /^(postgres|the Redis of REDIS_URL) cannot be used: .*ECONNREFUSED.*\(waited 1000 ms\)$/,
      ),
    ]);
  });

  it('ends at once where waiting is no use: another database, no schema', async () => {
    const unknown = await run(command, { DATABASE_URL: `${database.url}_unknown` });
    const empty = await run(command, { DATABASE_URL: database.url.replace(/\/[^/]+$/, '/postgres') });
    expect(await Promise.all([unknown.exited, empty.exited])).toEqual([1, 1]);
    expect(unknown.complaint().trim()).toMatch(/^postgres cannot be used: database ".*" does not exist$/);
    expect(empty.complaint().trim()).toMatch(/^the schema \(run `tidings migrate`\) cannot be used: .*$/);
  });

  it('ends at once where the schema is older than the program', async () => {
    const older = await createTestDatabase();
    const [newest] = await query(
      older.url,
      `DELETE FROM _prisma_migrations
       WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations) RETURNING migration_name AS name`,
    );
    const started = await run(command, { DATABASE_URL: older.url });
    expect(await started.exited).toBe(1);
    expect(started.complaint().trim()).toBe(
      `the schema (run \`tidings migrate\`) cannot be used: migration ${newest?.name} is missing`,
    );
    await older.drop();
  });
});

describe('migrate, started while Postgres is away', STARTED, () => {
  it('waits, and ends with one line where it does not come', async () => {
    const port = await freePort();
    const waiting = await run('migrate', { DATABASE_URL: elsewhere(database.url, port) });
    await vi.waitFor(() => expect(waiting.complaint()).toContain('waiting for postgres'), 60_000);
    const server = await forward(port, database.url);
    expect(await waiting.exited).toBe(0);
    server.close();

    const url = elsewhere(database.url, await freePort());
    const late = await run('migrate', { DATABASE_URL: url, STARTUP_TIMEOUT_MS: '0' });
    expect(await late.exited).toBe(1);
    expect(late.complaint().trim()).toMatch(/^postgres cannot be used: [^\n]*$/);
  });
});
