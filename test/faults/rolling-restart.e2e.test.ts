import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, type TestProcess } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const CLIENTS = 40;
/** How long the api that ends serves on. Its balancer asks ten times as often. */
const DELAY_MS = 2_000;
const PROBE_MS = 200;

let database: TestDatabase;
let redis: TestRedis;
let apis: TestProcess[];

beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const options = {
    databaseUrl: database.url,
    redisUrl: redis.url,
    env: { SHUTDOWN_DELAY_MS: String(DELAY_MS) },
  };
  apis = await Promise.all([startApi(options), startApi(options)]);
});
afterAll(async () => {
  await Promise.all((apis ?? []).map((api) => api.kill('SIGKILL')));
  await redis?.stop();
  await database?.drop();
});

const read = (url: string, agent?: Agent): Promise<IncomingMessage & { readonly text: string }> =>
  new Promise((resolve, reject) => {
    // Without the header Apollo takes a GET for one that another site forged.
    const headers = { 'apollo-require-preflight': 'true' };
    const request = get(url, { headers, ...(agent && { agent }) }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.on('error', reject).on('end', () => resolve(Object.assign(answer, { text })));
    });
    request.on('error', reject);
  });

/** Which apis `/readyz` says are ready; asked for again and again. */
function balance() {
  const ready = new Set(apis);
  let isOver = false;
  const probing = Promise.all(
    apis.map(async (api) => {
      while (!isOver) {
        const status = await read(`${api.url}/readyz`).then(
          ({ statusCode }) => statusCode,
          () => 0,
        );
        if (status === 200) ready.add(api);
        else ready.delete(api);
        await pause(PROBE_MS);
      }
    }),
  );
  return {
    ready,
    async close() {
      isOver = true;
      await probing;
    },
  };
}

it('busy clients on kept connections lose no request while an api is replaced', async () => {
  const balancer = balance();
  const agent = new Agent({ keepAlive: true });
  const failures: string[] = [];
  const answered = new Map(apis.map((api) => [api, 0]));
  let closedByServer = 0;
  let isOver = false;
  const query = `/graphql?query=${encodeURIComponent('{ __typename }')}`;
  const clients = Array.from({ length: CLIENTS }, async (_, n) => {
    for (let turn = n; !isOver; turn += 1) {
      const candidates = [...balancer.ready];
      const api = candidates[turn % candidates.length];
      if (!api) {
        failures.push('no api is ready');
        await pause(PROBE_MS);
        continue;
      }
      try {
        const url = `${api.url}${query}`;
        const answer = await read(url, agent);
        if (answer.statusCode !== 200) failures.push(`${answer.statusCode} ${answer.text}`);
        if (answer.headers.connection === 'close') closedByServer += 1;
        answered.set(api, answered.get(api)! + 1);
      } catch (error) {
        failures.push(String(error));
      }
      await pause(turn % 7);
    }
  });
  const [leaving] = apis as [TestProcess];
  await vi.waitFor(() => expect(Math.min(...answered.values())).toBeGreaterThan(CLIENTS), 30_000);
  const ended = await leaving.kill('SIGTERM');
  await leaving.restart();
  const before = answered.get(leaving)!;
  await vi.waitFor(() => expect(answered.get(leaving)).toBeGreaterThan(before + CLIENTS), 30_000);
  isOver = true;
  await Promise.all(clients);
  await balancer.close();
  agent.destroy();
  expect(failures.slice(0, 10)).toEqual([]);
  expect(ended).toBe(0);
  expect(closedByServer).toBeGreaterThan(0);
});

it('an api that ends says so, serves on, keeps idle connections meanwhile, and sends its sockets elsewhere', async () => {
  const [, api] = apis as [TestProcess, TestProcess];
  const idle = new Agent({ keepAlive: true });
  expect((await read(`${api.url}/healthz`, idle)).headers.connection).toBe('keep-alive');
  const socket = new WebSocket(`${api.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const closed = new Promise((resolve) => socket.on('close', (code) => resolve(code)));
  await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
  socket.send('{"type":"connection_init"}');
  const ended = api.kill('SIGTERM');
  const probe = await vi.waitFor(
    async () => {
      const answer = await read(`${api.url}/readyz`);
      expect(answer.statusCode).toBe(503);
      return answer;
    },
    { timeout: DELAY_MS, interval: 20 },
  );
  expect(JSON.parse(probe.text)).toMatchObject({ status: 'draining' });
  const kept = await read(`${api.url}/healthz`, idle);
  expect([kept.statusCode, kept.headers.connection]).toEqual([200, 'close']);
  expect(await closed).toBe(1001);
  expect(await ended).toBe(0);
  idle.destroy();
  await api.restart();
});
