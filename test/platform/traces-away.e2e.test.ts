import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../src/local/free-port.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { startCollector, type TraceCollector } from '../support/trace-collector.js';

let database: TestDatabase;
let redis: TestRedis;
const processes: TestProcess[] = [];
const collectors: TraceCollector[] = [];

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
});
afterAll(async () => {
  await Promise.all(processes.map((process) => process.kill('SIGKILL')));
  await Promise.all(collectors.map((collector) => collector.close()));
  await Promise.all([database?.drop(), redis?.stop()]);
});

async function start(command: typeof startApi, env: Readonly<Record<string, string>>): Promise<TestProcess> {
  const process = await command({ databaseUrl: database.url, redisUrl: redis.url, env });
  processes.push(process);
  return process;
}

/** Has a process write a line for each module of OpenTelemetry that it loads, but for the API, which prom-client loads. */
const SAY_WHAT_IS_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      if (/@opentelemetry.(?!api.)/.test(url)) process.stdout.write('LOADED ' + url + '\\n');
      return next(url, context);
    },
  });
`)}`;
const watched = { NODE_OPTIONS: `--import=${SAY_WHAT_IS_LOADED}` };

const ask = async (url: string): Promise<number> => {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  expect([...response.headers.keys()].filter((name) => name.startsWith('trace'))).toEqual([]);
  return response.status;
};

async function spansOf(url: string, outcome: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(
    new RegExp(`^trace_spans_total\\{.*outcome="${outcome}".*\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0,
  );
}

it('without an endpoint no process loads OpenTelemetry’s SDK, and nothing is measured', async () => {
  const [api, worker] = await Promise.all([start(startApi, watched), start(startWorker, watched)]);
  expect(await ask(api.url)).toBe(200);
  expect(api.output()).not.toContain('LOADED');
  expect(worker.output()).not.toContain('LOADED');
  expect(await (await fetch(`${api.url}/metrics`)).text()).not.toContain('trace_spans');
});

it('with one, they are loaded', async () => {
  const collector = await startCollector();
  collectors.push(collector);
  const api = await start(startApi, { ...watched, ...collector.environment });
  expect(api.output()).toContain('LOADED');
  expect(await ask(api.url)).toBe(200);
  await expect.poll(() => spansOf(api.url, 'exported')).toBeGreaterThan(0);
});

it('a collector that is away costs its spans and nothing else, and a line says so', async () => {
  const api = await start(startApi, {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  });
  expect(await ask(api.url)).toBe(200);
  await expect.poll(() => spansOf(api.url, 'failed')).toBeGreaterThan(0);
  expect(api.output()).toContain('spans could not be exported: they are dropped');
  expect(await ask(api.url)).toBe(200);
  expect(await api.kill('SIGTERM')).toBe(0);
});

it('spans that wait for a collector which never answers are few: others are dropped and counted', async () => {
  const silent = await startCollector({ answers: false });
  collectors.push(silent);
  const api = await start(startApi, {
    ...silent.environment,
    OTEL_EXPORTER_OTLP_TIMEOUT: '60000',
    OTEL_BSP_EXPORT_TIMEOUT: '60000',
    OTEL_BSP_MAX_QUEUE_SIZE: '10',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '5',
  });
  for (let asked = 0; asked < 30; asked += 1) expect(await ask(api.url)).toBe(200);
  await expect.poll(() => spansOf(api.url, 'dropped')).toBeGreaterThan(0);
  expect(await api.kill('SIGTERM')).toBe(0);
});
