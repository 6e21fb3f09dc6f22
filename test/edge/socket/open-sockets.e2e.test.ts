import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { signToken } from '../../../src/platform/auth/auth.js';
import { upgrade } from '../../support/upgrade.js';
import { SECRET, startToy, type Toy } from '../toy-edge.js';

const PER_PROCESS = 6;

let toy: Toy;
let sockets: WebSocket[];
beforeAll(async () => {
  toy = await startToy({
    sockets: { maxSockets: PER_PROCESS, maxSocketsPerUser: 2, maxSocketsPerNetwork: 3 },
    proxies: { trustedProxies: ['127.0.0.1/32'] },
  });
});
beforeEach(() => {
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await untilOpen(0);
});
afterAll(() => toy.edge.close());

const metric = async (name: string) => (await toy.metrics.getSingleMetricAsString(name)).split('\n');
const untilOpen = (count: number) =>
  vi.waitFor(
    async () => expect(await metric('websocket_connections')).toContain(`websocket_connections ${count}`),
    10_000,
  );

const from = (network: number) => ({ 'x-forwarded-for': `198.51.100.${network}` });
const bearer = async (userId: string) =>
  `Bearer ${await signToken(SECRET, { userId, roles: ['user'], plan: 'pro', expiresInSeconds: 60 })}`;

async function open(headers: Record<string, string>): Promise<WebSocket> {
  const socket = new WebSocket(toy.socketUrl, 'graphql-transport-ws', { headers });
  sockets.push(socket);
  await once(socket, 'open');
  return socket;
}

/** @returns `connection_ack`, or the code with which the socket was closed */
async function initialise(socket: WebSocket, authorization?: string): Promise<unknown> {
  const answered = once(socket, 'message').then(([data]) => JSON.parse(String(data)).type);
  const closed = once(socket, 'close').then(([code]) => code);
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } }));
  return Promise.race([answered, closed]);
}

async function openAnonymous(network: number): Promise<WebSocket> {
  const socket = await open(from(network));
  expect(await initialise(socket)).toBe('connection_ack');
  return socket;
}

async function refusalOf(headers: Record<string, string>) {
  const { status, headers: answered, body } = await upgrade(toy.socketUrl, headers);
  return { status, retryAfter: answered['retry-after'], code: body && JSON.parse(body).error.code };
}

const full = (status: number) => ({ status, retryAfter: '2', code: 'TOO_MANY_SOCKETS' });

it('a network has so many sockets that have not signed in, and another one has its own', async () => {
  const [first] = await Promise.all([openAnonymous(1), openAnonymous(1), openAnonymous(1)]);
  expect(await refusalOf(from(1))).toEqual(full(429));
  expect((await upgrade(toy.socketUrl, from(2))).status).toBe(101);
  await untilOpen(3);
  first.terminate();
  await untilOpen(2);
  expect((await upgrade(toy.socketUrl, from(1))).status).toBe(101);
});

it('many users behind one address have sockets of their own, however they sign in', async () => {
  for (const user of ['ann', 'ben', 'cat'])
    expect(await initialise(await open(from(1)), await bearer(user))).toBe('connection_ack');
  const authorization = await bearer('dan');
  expect(await initialise(await open({ ...from(1), authorization }))).toBe('connection_ack');
  expect((await upgrade(toy.socketUrl, from(1))).status).toBe(101);
  await untilOpen(4);
});

it('a user has so many sockets, wherever they come from: one more is not opened, or closed as it signs in', async () => {
  const authorization = await bearer('ann');
  expect(await initialise(await open({ ...from(1), authorization }))).toBe('connection_ack');
  expect(await initialise(await open(from(2)), authorization)).toBe('connection_ack');
  expect(await refusalOf({ ...from(3), authorization })).toEqual(full(429));
  expect(await initialise(await open(from(3)), authorization)).toBe(1013);
  await untilOpen(2);
  sockets[0]!.terminate();
  await untilOpen(1);
  expect(await initialise(await open(from(3)), authorization)).toBe('connection_ack');
});

it('a process has so many sockets, and answers 503 then, which sends clients to another one', async () => {
  for (let network = 1; network <= PER_PROCESS; network += 1) await openAnonymous(network);
  expect(await refusalOf(from(99))).toEqual(full(503));
  expect(await refusalOf({ ...from(99), authorization: await bearer('ann') })).toEqual(full(503));
});

it('what is refused is counted by what was full', async () => {
  const before = await metric('websocket_refused_total');
  await Promise.all([openAnonymous(1), openAnonymous(1), openAnonymous(1)]);
  await refusalOf(from(1));
  const after = await metric('websocket_refused_total');
  expect(after.filter((line) => !before.includes(line))).toEqual([
    expect.stringMatching(/^websocket_refused_total\{by="network"\} \d+$/),
  ]);
});
