import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../../src/local/free-port.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { startApi, startWorker, type TestProcess } from '../../support/processes.js';
import { startTestRedis, type TestRedis } from '../../support/redis.js';

let database: TestDatabase;
let redis: TestRedis;
beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
});
afterAll(() => Promise.all([database.drop(), redis.stop()]));

async function start(env: Record<string, string> = {}): Promise<TestProcess> {
  const api = await startApi({ databaseUrl: database.url, redisUrl: redis.url, env });
  onTestFinished(() => void api.kill('SIGKILL'));
  return api;
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

it.each([
  ['lists', '{ node(id: ', '[', 1_990],
  ['objects', '{ node(id: ', '{a:', 660],
  ['selections', '{ node(id: "x") ', '{a', 990],
  ['types of variables', 'query ($a: ', '[', 1_990],
])(
  'the very first request of a process may nest %s as deep as it likes, and is told 400',
  async (_, begin, bracket, times) => {
    const { url } = await start();
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: begin + bracket.repeat(times) }),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ errors: [{ extensions: { code: 'QUERY_TOO_DEEP' } }] });
  },
);

it('metrics and the details of readiness have a port of their own where there is one, and are not on the public one', async () => {
  const port = await freePort();
  const { url } = await start({ METRICS_PORT: String(port) });
  const own = `http://127.0.0.1:${port}`;
  expect(await (await fetch(`${own}/metrics`)).text()).toContain('graphql_requests_total');
  expect(await (await fetch(`${own}/readyz`)).json()).toMatchObject({
    status: 'ready',
    checks: { postgres: { status: 'ok' } },
  });
  expect(await statusOf(`${own}/graphql`)).toBe(404);
  expect(await statusOf(`${url}/metrics`)).toBe(404);
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' });
  expect(await statusOf(`${url}/healthz`)).toBe(200);
});

it('that port is reached from this machine alone, whatever the public host is, unless it has a host of its own', async () => {
  // Of this machine as well, though another interface's address.
  const at = async (env: Record<string, string>) => {
    const port = await freePort();
    await start({ HOST: '0.0.0.0', METRICS_PORT: String(port), ...env });
    expect(await statusOf(`http://127.0.0.1:${port}/metrics`)).toBe(200);
    return statusOf(`http://127.0.0.2:${port}/metrics`).catch(() => 'refused');
  };
  expect(await at({})).toBe('refused');
  expect(await at({ METRICS_HOST: '0.0.0.0' })).toBe(200);
});

it('a worker answers on the interface of HOST, or on one of its own', async () => {
  const at = async (env: Record<string, string>) => {
    const worker = await startWorker({ databaseUrl: database.url, redisUrl: redis.url, env });
    onTestFinished(() => void worker.kill('SIGKILL'));
    expect(await statusOf(`${worker.url}/healthz`)).toBe(200);
    return statusOf(worker.url.replace('127.0.0.1', '127.0.0.2').concat('/healthz')).catch(() => 'refused');
  };
  expect(await at({ HOST: '0.0.0.0' })).toBe(200);
  expect(await at({ HOST: '0.0.0.0', WORKER_HOST: '127.0.0.1' })).toBe('refused');
});

it('in production they have one unless it is switched off', async () => {
  const { url } = await start({ NODE_ENV: 'production', SHUTDOWN_DELAY_MS: '0' });
  expect(await statusOf(`${url}/metrics`)).toBe(404);
  const port = Number(new URL(url).port);
  const own = port + 1_000 > 65_535 ? port - 1_000 : port + 1_000;
  expect(await statusOf(`http://127.0.0.1:${own}/metrics`)).toBe(200);
});
