import { once } from 'node:events';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { RateLimitDecision } from '../../../src/platform/gate.js';
import { upgrade } from '../../support/upgrade.js';
import { admitOperations, gatedToy, NULLED, NULLED_ANSWER, refuseOperations } from '../gated-toy.js';
import { decision, rejected } from '../hand-made-gate.js';

const toy = gatedToy();
const sockets: WebSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

function dial(): WebSocket {
  const socket = new WebSocket(toy.socketUrl, 'graphql-transport-ws', { headers: toy.somebody });
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

interface Message {
  readonly id?: string;
  readonly type: string;
  readonly payload?: unknown;
}

async function acknowledged(params: object = {}) {
  const socket = dial();
  const messages: Message[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  await once(socket, 'open');
  const send = (message: Message) => socket.send(JSON.stringify(message));
  send({ type: 'connection_init', payload: params });
  await vi.waitFor(() => expect(messages).toContainEqual({ type: 'connection_ack' }), 10_000);
  toy.gate.decide.mockClear();
  let runs = 0;
  return {
    socket,
    messages,
    send,
    /** Subscribes; resolves with the first message under its id. */
    async first(query: string, variables?: object): Promise<Message> {
      const id = `run-${++runs}`;
      send({ id, type: 'subscribe', payload: { query, variables } });
      return vi.waitFor(() => {
        const message = messages.find((one) => one.id === id);
        expect(message).toBeDefined();
        return message!;
      }, 15_000);
    },
  };
}

describe('an upgrade', () => {
  it.each([
    ['that opens a socket', '', {}, 101],
    ['of another path', '/elsewhere', {}, 404],
    ['by a page of another site', '', { origin: 'https://evil.example' }, 403],
  ])('%s passes the gate, and is told of its limits', async (_, path, headers, status) => {
    const answer = await upgrade(`${toy.socketUrl}${path}`, { ...toy.somebody, ...headers });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': '200',
      'x-ratelimit-remaining': '120',
      'x-ratelimit-policy': '200;w=60',
      'ratelimit-policy': '"per_minute user_id";q=200;w=60',
    });
    const [{ endpoints }] = toy.gate.decide.mock.calls[0]!;
    expect([...endpoints.keys()]).toEqual([`GET /graphql${path}`]);
  });

  it('is refused by its rate limits before its path or origin is looked at', async () => {
    toy.decide = () => rejected();
    const answer = await upgrade(`${toy.socketUrl}/elsewhere`, toy.somebody);
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('5');
  });
});

describe('an operation on a socket', () => {
  it('that is refused says what it would have cost', async () => {
    const { first } = await acknowledged();
    toy.decide = refuseOperations;
    expect(await first('{ hello }')).toMatchObject({
      type: 'error',
      payload: [
        {
          extensions: {
            code: 'RATE_LIMIT_EXCEEDED',
            cost: { requestedQueryCost: 1, actualQueryCost: null, throttleStatus: { currentlyAvailable: 4 } },
          },
        },
      ],
    });
  });

  it('that read much before a field failed gets nothing back of what was read', async () => {
    const { first } = await acknowledged();
    toy.decide = admitOperations;
    expect(await first(NULLED)).toMatchObject({ payload: NULLED_ANSWER });
  });

  it('above a soft limit says so in its answer and in each event of a subscription', async () => {
    const { first } = await acknowledged();
    toy.decide = () => decision({ outcome: 'DEGRADE' });
    expect(await first('{ hello }')).toMatchObject({ payload: { extensions: { degraded: true } } });
    expect(await first('subscription { count(to: 1) }')).toMatchObject({
      payload: { data: { count: 1 }, extensions: { degraded: true } },
    });
  });

  it('that its client completes while it waits in a queue leaves the queue and gets no answer', async () => {
    const { send, first, messages } = await acknowledged();
    const left = Promise.withResolvers<RateLimitDecision>();
    toy.gate.decide.mockImplementationOnce((_request, waiter) => {
      waiter?.().addEventListener('abort', () =>
        left.resolve(decision({ outcome: 'CANCELLED', readings: [] })),
      );
      return left.promise;
    });
    send({ id: 'left', type: 'subscribe', payload: { query: '{ hello }' } });
    await vi.waitFor(() => expect(toy.gate.decide).toHaveBeenCalledOnce(), 15_000);
    send({ id: 'left', type: 'complete' });
    await left.promise;
    expect(await first('{ hello }')).toMatchObject({ type: 'next' });
    expect(messages.filter(({ id }) => id === 'left')).toEqual([]);
  });

  it('that its client completes while it is checked is charged, and never runs', async () => {
    const { send, first, messages } = await acknowledged();
    const admitted = decision({ receipt: [] });
    const checked = Promise.withResolvers<RateLimitDecision>();
    await first('{ hello }');
    toy.gate.decide.mockClear();
    toy.gate.refund.mockClear();
    toy.gate.decide.mockImplementationOnce(() => checked.promise);
    send({ id: 'left', type: 'subscribe', payload: { query: '{ hello }' } });
    await vi.waitFor(() => expect(toy.gate.decide).toHaveBeenCalledOnce(), 15_000);
    send({ id: 'left', type: 'complete' });
    await first('{ hello }');
    checked.resolve(admitted);
    await first('{ hello }');
    expect(toy.gate.refund).not.toHaveBeenCalled();
    expect(messages.filter(({ id }) => id === 'left')).toEqual([]);
  });

  it('whose new document was read before its client completed it in a queue stays charged for its request', async () => {
    const { send, first } = await acknowledged();
    toy.gate.refund.mockClear();
    const cancelled = decision({ outcome: 'CANCELLED', readings: [] });
    toy.decide = ({ part }) => (part === 'operation' ? cancelled : decision({ receipt: [] }));
    send({ id: 'left', type: 'subscribe', payload: { query: 'query NeverSeen { hello }' } });
    send({ id: 'left', type: 'complete' });
    await vi.waitFor(() => expect(toy.partsAsked()).toEqual(['request', 'operation']), 15_000);
    expect(await first('{ hello }')).toMatchObject({ type: 'next' });
    expect(toy.gate.refund).not.toHaveBeenCalled();
  });

  it('counts towards the 100 of its socket as long as it is checked, also after its client completed it', async () => {
    const { send, first } = await acknowledged();
    const checked = Promise.withResolvers<RateLimitDecision>();
    toy.gate.decide.mockImplementation(() => checked.promise);
    for (let n = 0; n < 100; n += 1) {
      send({ id: 'again', type: 'subscribe', payload: { query: '{ hello }' } });
      send({ id: 'again', type: 'complete' });
    }
    await vi.waitFor(() => expect(toy.gate.decide).toHaveBeenCalledTimes(100), 15_000);
    toy.gate.decide.mockImplementation(async (request) => toy.decide(request));
    expect(await first('{ hello }')).toMatchObject({
      payload: [{ extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } }],
    });
    checked.resolve(decision());
    await vi.waitFor(async () => expect(await first('{ hello }')).toMatchObject({ type: 'next' }), 15_000);
  });

  it('whose refusal the gate knows is refused before its document is read', async () => {
    const { first } = await acknowledged();
    toy.gate.decide.mockClear();
    toy.gate.decideLocally.mockReturnValueOnce(rejected());
    expect(await first('{ never seen')).toMatchObject({
      payload: [{ extensions: { code: 'RATE_LIMIT_EXCEEDED' } }],
    });
    expect(toy.gate.decide).not.toHaveBeenCalled();
  });

  it('with a number that would be rounded is charged as a request', async () => {
    const { socket, messages } = await acknowledged();
    const send = (id: string) =>
      socket.send(
        `{"id":"${id}","type":"subscribe","payload":{"query":"{ hello }","variables":{"n":12345678901234567}}}`,
      );
    send('charged');
    const codesOf = (id: string) => messages.filter((one) => one.id === id).map(({ payload }) => payload);
    await vi.waitFor(
      () => expect(codesOf('charged')).toMatchObject([[{ extensions: { code: 'BAD_USER_INPUT' } }]]),
      15_000,
    );
    expect(toy.partsAsked()).toEqual(['request']);
    toy.decide = () => rejected();
    send('refused');
    await vi.waitFor(
      () => expect(codesOf('refused')).toMatchObject([[{ extensions: { code: 'RATE_LIMIT_EXCEEDED' } }]]),
      15_000,
    );
  });

  it('too many on its socket is charged as a request', async () => {
    const { first, send, messages } = await acknowledged();
    const query = 'subscription { forever }';
    for (let n = 0; n < 100; n += 1) send({ id: `s${n}`, type: 'subscribe', payload: { query } });
    await vi.waitFor(() => expect(messages.filter(({ type }) => type === 'next')).toHaveLength(100), 10_000);
    toy.gate.decide.mockClear();
    expect(await first(query)).toMatchObject({
      payload: [{ extensions: { code: 'TOO_MANY_SUBSCRIPTIONS' } }],
    });
    expect(toy.partsAsked()).toEqual(['request']);
    toy.decide = () => rejected();
    expect(await first(query)).toMatchObject({ payload: [{ extensions: { code: 'RATE_LIMIT_EXCEEDED' } }] });
  });
});

describe('a message', () => {
  it('that is long and no operation closes the socket', async () => {
    for (const type of ['ping', 'pong', 'complete', 'connection_init', 'nonsense']) {
      const { socket, send } = await acknowledged();
      const closed = once(socket, 'close');
      send({ id: 'x', type, payload: { type: 'subscribe', filler: 'x'.repeat(9_000) } });
      expect((await closed)[0]).toBe(4400);
    }
  });

  it('that is large is not parsed where its client is known to be refused: the client is to try again later', async () => {
    const { socket, first } = await acknowledged();
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    const lengths = () => parse.mock.calls.map(([text]) => text.length);
    const large = `{ hello } #${'x'.repeat(40_000)}`;
    expect(await first(large)).toMatchObject({ type: 'next' });
    expect(Math.max(...lengths())).toBeGreaterThan(40_000);
    parse.mockClear();
    toy.gate.decideLocally.mockReturnValue(rejected());
    onTestFinished(() => void toy.gate.decideLocally.mockReset());
    expect(await first('{ hello }')).toMatchObject({ type: 'error' });
    const closed = once(socket, 'close');
    const message = JSON.stringify({ id: 'x', type: 'subscribe', payload: { query: large } });
    // The second one may arrive before the client has heard of the close.
    socket.send(message);
    socket.send(message);
    expect((await closed)[0]).toBe(1013);
    expect(Math.max(...lengths())).toBeLessThan(40_000);
  });

  it('may be as long as a document needs, or the longest token', async () => {
    const { first } = await acknowledged({ filler: 'x'.repeat(4_200) });
    expect(await first(`{ hello } #${'x'.repeat(9_000)}`)).toMatchObject({ type: 'next' });
  });
});
