import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../src/local/free-port.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { compileCache, testAuthSecret } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const flooding = new URL('../support/flood-log.mjs', import.meta.url).href;
/** What `flood-log.mjs` writes for one signal. */
const FLOOD = 60_000;
/** What draining and the wait for a reader take is a few seconds; the rest is for a crowded machine. */
const ENDED_MS = 30_000;

let database: TestDatabase;
let redis: TestRedis;
let child: ChildProcessByStdio<null, Readable, null>;

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
});
afterEach(() => child?.kill('SIGKILL'));
afterAll(async () => {
  await redis?.stop();
  await database?.drop();
});

/** Starts a process whose standard output nobody reads. */
async function run(command: string) {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  child = spawn(process.execPath, ['--import', flooding, main, command], {
    env: {
      PATH: process.env.PATH ?? '',
      AUTH_SECRET: testAuthSecret,
      NODE_ENV: 'test',
      NODE_COMPILE_CACHE: compileCache,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      PORT: port,
      WORKER_PORT: port,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const statusOf = async (path: string) => (await fetch(`${url}${path}`).catch(() => undefined))?.status;
  await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(200), 60_000);
  return {
    exited: once(child, 'exit').then(([code]) => code as number | null),
    statusOf,
    async dropped(): Promise<number> {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      return Number(/^log_lines_dropped_total\{.*\} (\d+)$/m.exec(metrics)![1]);
    },
  };
}

interface Line {
  readonly name: string;
  readonly msg: string;
  readonly dropped?: number;
}

/** Reads the log from now on; each line must be whole. */
function read() {
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return (): Line[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
}

const sumOf = (lines: readonly Line[]) => lines.reduce((sum, { dropped = 0 }) => sum + dropped, 0);

describe.each(['api', 'worker'])('%s, whose log nobody reads', (command) => {
  it('goes on answering, keeps what it can, and says how much is missing once it is read', async () => {
    const { statusOf, dropped } = await run(command);
    child.kill('SIGUSR2');
    await vi.waitFor(async () => expect(await dropped()).toBeGreaterThan(0), 60_000);
    expect(await statusOf('/healthz')).toBe(200);
    const lines = read();
    const flood = () => lines().filter(({ name }) => name === 'flood');
    await vi.waitFor(() => {
      const kept = flood().filter(({ msg }) => msg === 'flood' || msg === 'flooded').length;
      // The last line of the flood may be among those that were dropped.
      expect(kept + sumOf(lines())).toBe(FLOOD + 1);
    }, 60_000);
    expect(sumOf(lines())).toBe(await dropped());
    expect(lines().find(({ dropped }) => dropped)).toMatchObject({ level: 40, name: 'flood' });
  });

  it('ends when it is stopped', async () => {
    const { dropped, exited } = await run(command);
    child.kill('SIGUSR2');
    await vi.waitFor(async () => expect(await dropped()).toBeGreaterThan(0), 60_000);
    const told = performance.now();
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
    expect(performance.now() - told).toBeLessThan(ENDED_MS);
  });

  it('goes on when its reader is gone', async () => {
    const { statusOf, dropped, exited } = await run(command);
    child.stdout.destroy();
    child.kill('SIGUSR2');
    await vi.waitFor(async () => expect(await dropped()).toBeGreaterThan(0), 60_000);
    expect(await statusOf('/healthz')).toBe(200);
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});
