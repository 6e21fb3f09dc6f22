import { once } from 'node:events';
import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createAuthenticator } from '../../../src/platform/auth/auth.js';
import { systemClock } from '../../../src/platform/clock.js';
import { upgrade } from '../../support/upgrade.js';
import { startToy, type Toy } from '../toy-edge.js';

let toy: Toy;
const clients: Client[] = [];
beforeAll(async () => {
  toy = await startToy();
});
afterAll(async () => {
  for (const { socket } of clients) socket.terminate();
  await toy.edge.close();
});

interface Message {
  readonly id?: string;
  readonly type: string;
  readonly payload?: unknown;
}

/** A client that shows what goes over the wire. */
interface Client {
  readonly socket: WebSocket;
  readonly messages: Message[];
  readonly closed: Promise<{ code: number; reason: string }>;
  send(message: Message): void;
  /** Subscribes, and resolves with the messages under its id up to the last. */
  run(query: string, variables?: object): Promise<Message[]>;
}

async function connect(options: { headers?: Record<string, string>; to?: Toy } = {}): Promise<Client> {
  const { headers = {}, to = toy } = options;
  const socket = new WebSocket(to.socketUrl, 'graphql-transport-ws', { headers });
  const messages: Message[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const closed = once(socket, 'close').then(([code, reason]) => ({ code, reason: String(reason) }));
  await once(socket, 'open');
  const send = (message: Message) => socket.send(JSON.stringify(message));
  let runs = 0;
  const client: Client = {
    socket,
    messages,
    closed,
    send,
    async run(query, variables) {
      const id = `run-${++runs}`;
      send({ id, type: 'subscribe', payload: { query, variables } });
      const mine = () => messages.filter((message) => message.id === id);
      await vi.waitFor(() => expect(['complete', 'error']).toContain(mine().at(-1)?.type), 15_000);
      return mine();
    },
  };
  clients.push(client);
  return client;
}

async function acknowledged(
  params?: object,
  to: Toy = toy,
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = await connect({ to, headers });
  client.send({ type: 'connection_init', payload: params });
  await vi.waitFor(() => expect(client.messages).toContainEqual({ type: 'connection_ack' }), 15_000);
  return client;
}

const upgradeStatus = async (headers: Record<string, string>, path = '') =>
  (await upgrade(`${toy.socketUrl}${path}`, headers)).status;

describe('GraphQL over WebSocket', () => {
  test('queries, mutations and subscriptions are answered', async () => {
    const client = await acknowledged();
    const [hello] = await client.run('query ($name: String) { hello(name: $name) }', { name: 'Ann' });
    expect(hello?.payload).toEqual({ data: { hello: 'Hello Ann' } });
    const [step] = await client.run('mutation { step(name: "a") }');
    expect(step?.payload).toEqual({ data: { step: 'a' } });
    const counted = await client.run('subscription ($to: Int!) { number: count(to: $to) }', { to: 3 });
    expect(counted.map(({ payload }) => payload)).toEqual([
      ...[1, 2, 3].map((number) => ({ data: { number } })),
      undefined,
    ]);
  });

  test.each([
    ['{ hello', undefined, 'GRAPHQL_PARSE_FAILED'],
    ['{ hello goodbye farewell }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
    ['{ __schema { types { name } } }', undefined, 'GRAPHQL_VALIDATION_FAILED'],
    ['query ($v: Even) { even(value: $v) }', { v: 3 }, 'BAD_USER_INPUT'],
    ['subscription ($to: Int!) { count(to: $to) }', {}, 'BAD_USER_INPUT'],
    [`{ node { ${'self { '.repeat(11)} name ${'}'.repeat(13)}`, undefined, 'QUERY_TOO_DEEP'],
    [`{ node { ${'name '.repeat(51)} } }`, undefined, 'TOO_MANY_REPEATED_FIELDS'],
    ['query ($n: Int) { items(first: $n) { edges { node { name } } } }', { n: 3000 }, 'QUERY_TOO_COSTLY'],
  ])(
    'a bad document or variable is refused with one error, as on HTTP (%#)',
    async (query, variables, code) => {
      const client = await acknowledged();
      const messages = await client.run(query, variables);
      expect(messages).toMatchObject([{ type: 'error', payload: [{ extensions: { code } }] }]);
    },
  );

  test('unexpected errors are masked and logged, wherever they arise', async () => {
    const client = await acknowledged();
    const masked = { message: 'Internal error', extensions: { code: 'INTERNAL_ERROR' } };
    const [secret] = await client.run('{ secret }');
    expect(secret?.payload).toMatchObject({ data: { secret: null }, errors: [masked] });
    const failing = await client.run('subscription { fails }');
    expect(failing).toMatchObject([
      { payload: { data: { fails: 1 } } },
      { payload: { errors: [masked] } },
      {},
    ]);
    expect(JSON.stringify(client.messages)).not.toContain('hunter2');
    const [expired] = await client.run('subscription { expired }');
    expect(expired?.payload).toMatchObject({
      errors: [{ message: 'Start again', extensions: { code: 'CURSOR_EXPIRED' } }],
    });
  });

  test('each event of a subscription has a context of its own', async () => {
    const client = await acknowledged();
    const before = toy.requests.length;
    await client.run('subscription { count(to: 3) }');
    expect(toy.requests.length - before).toBe(4);
    expect(toy.requests.at(-1)?.transport).toBe('websocket');
  });

  test('ending a subscription, or leaving, aborts its request', async () => {
    for (const end of ['complete', 'leave'] as const) {
      toy.journal.length = 0;
      const client = await acknowledged();
      client.send({ id: 'a', type: 'subscribe', payload: { query: 'subscription { forever }' } });
      await vi.waitFor(() => expect(client.messages).toMatchObject([{}, { id: 'a', type: 'next' }]), 15_000);
      if (end === 'complete') client.send({ id: 'a', type: 'complete' });
      else client.socket.terminate();
      await vi.waitFor(() => expect(toy.journal).toEqual(['forever ended']), 15_000);
    }
  });

  test('the token comes in the connection parameters or the upgrade', async () => {
    const authorization = `Bearer ${await toy.token()}`;
    const byParameter = await acknowledged({ authorization });
    expect((await byParameter.run('{ viewer }'))[0]?.payload).toEqual({ data: { viewer: 'alice' } });
    const byHeader = await acknowledged(undefined, toy, { authorization });
    expect((await byHeader.run('{ viewer }'))[0]?.payload).toEqual({ data: { viewer: 'alice' } });
  });

  test('a wrong token closes the socket with 4403, and so does expiry', async () => {
    const wrong = await connect();
    wrong.send({ type: 'connection_init', payload: { authorization: 'Bearer nonsense' } });
    expect(await wrong.closed).toEqual({ code: 4403, reason: 'Forbidden' });
    const expiring = await acknowledged({ authorization: `Bearer ${await toy.token(2)}` });
    expect((await expiring.run('{ viewer }'))[0]?.payload).toEqual({ data: { viewer: 'alice' } });
    expect(await expiring.closed).toEqual({ code: 4403, reason: 'Forbidden' });
  });

  test('a token that cannot be judged for now closes the socket with a code after which clients come again', async () => {
    const unreachable = createAuthenticator({ jwksUrl: 'http://127.0.0.1:1/jwks' }, systemClock);
    const keyless = await startToy({ authenticator: unreachable });
    const { privateKey } = await generateKeyPair('ES256');
    const token = await new SignJWT({ sub: 'eve', exp: Date.now() / 1000 + 60 })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
    const client = await connect({ to: keyless });
    client.send({ type: 'connection_init', payload: { authorization: `Bearer ${token}` } });
    expect(await client.closed).toEqual({ code: 1013, reason: 'Try again later' });
    await keyless.edge.close();
  });

  test('each operation has a correlation id of its own, which continues the client’s', async () => {
    const idsOf = async (client: Client) => {
      const before = toy.requests.length;
      await client.run('{ hello }');
      await client.run('{ hello }');
      return toy.requests.slice(before).map(({ correlationId }) => correlationId);
    };
    const [first, second] = await idsOf(await acknowledged());
    expect(first).not.toBe(second);
    const byHeader = await acknowledged(undefined, toy, { 'x-correlation-id': 'tab-1' });
    expect(await idsOf(byHeader)).toEqual(['tab-1/run-1', 'tab-1/run-2']);
    const byParameter = await acknowledged({ 'x-correlation-id': 'tab-2' });
    expect(await idsOf(byParameter)).toEqual(['tab-2/run-1', 'tab-2/run-2']);
    await byHeader.run('{ secret }');
    expect(toy.logLines).toContainEqual(
      expect.objectContaining({ level: 50, socketId: 'tab-1', correlationId: 'tab-1/run-3' }),
    );
  });

  test('a socket that says nothing is closed', async () => {
    const silent = await connect();
    expect(await silent.closed).toMatchObject({ code: 4408 });
  });

  test('pages of other sites may not connect', async () => {
    expect(await upgradeStatus({})).toBe(101);
    expect(await upgradeStatus({ origin: toy.url })).toBe(101);
    expect(await upgradeStatus({ origin: 'https://app.example' })).toBe(101);
    expect(await upgradeStatus({ origin: 'https://evil.example' })).toBe(403);
    expect(await upgradeStatus({ origin: 'null' })).toBe(403);
    expect(await upgradeStatus({}, '/elsewhere')).toBe(404);
  });

  test('messages and operations at once are bounded', async () => {
    const many = await acknowledged();
    for (let id = 0; id <= 100; id += 1) {
      many.send({ id: `s${id}`, type: 'subscribe', payload: { query: 'subscription { forever }' } });
    }
    await vi.waitFor(
      () =>
        expect(many.messages.filter(({ type }) => type === 'error')).toMatchObject([
          { id: 's100', payload: [{ extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } }] },
        ]),
      15_000,
    );
    many.send({ id: 'big', type: 'subscribe', payload: { query: `{ hello } #${'x'.repeat(1_100_000)}` } });
    expect(await many.closed).toMatchObject({ code: 1009 });
  });

  test('a client that does not read is closed as a slow consumer', async () => {
    const slow = await acknowledged();
    slow.send({ id: 'f', type: 'subscribe', payload: { query: 'subscription { flood }' } });
    await vi.waitFor(() => expect(slow.messages.length).toBeGreaterThan(1), 15_000);
    slow.socket.pause();
    await vi.waitFor(
      () => expect(toy.logLines).toContainEqual(expect.objectContaining({ closeCode: 4429 })),
      10_000,
    );
    slow.socket.resume();
    expect(await slow.closed).toEqual({ code: 4429, reason: 'Slow consumer' });
  });

  test('closing closes every socket, and cuts those that do not answer', async () => {
    const closing = await startToy();
    const polite = await acknowledged(undefined, closing);
    const deaf = await acknowledged(undefined, closing);
    deaf.socket.pause();
    await closing.edge.close();
    expect(await polite.closed).toEqual({ code: 1001, reason: 'Going away' });
    expect(await closing.metrics.getSingleMetricAsString('websocket_connections')).toContain(
      'websocket_connections 0',
    );
    deaf.socket.resume();
  });
});
