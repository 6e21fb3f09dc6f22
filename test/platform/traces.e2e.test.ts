import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { newTrace, pathTo } from '../support/trace-collector.js';
import { startTracedWorld, type TracedWorld } from './traces-world.js';

let world: TracedWorld;

beforeAll(async () => {
  world = await startTracedWorld();
});
afterAll(async () => {
  await world?.close();
});

const SOCKET_MESSAGE = 'send subscription feedUpdated';
const PROVIDER_CALL = 'call apns';

/** From the client's request to the job that fans a post out. */
const OF_A_JOB = [
  'POST /graphql',
  'mutation publishPost',
  'append events',
  'process feed-fan-out',
  'send feed.fan-out',
  'process feed.fan-out',
];
/** From the client's request to the message on a follower's socket, which the job of another post may fan out as well. */
const OF_A_POST = [...OF_A_JOB.slice(0, 4), 'fan out post', 'send wake-ups', SOCKET_MESSAGE];
/** From the producer's request to the call of the provider. */
const OF_A_NOTIFICATION = [
  'POST /graphql',
  'mutation sendNotification',
  'send notifications',
  'process notifications.push.high',
  PROVIDER_CALL,
];

const pathIn = (traceId: string, name: string) => pathTo(world.collector.spansOf(traceId), name);
/** The same whichever job it was. */
const postPathIn = (traceId: string, name: string) =>
  pathIn(traceId, name).filter((one) => !OF_A_JOB.slice(4).includes(one));
const spanIn = (traceId: string, name: string) =>
  world.collector.spansOf(traceId).find((span) => span.name === name);
const within = { timeout: 30_000, interval: 50 };

/** Publishes a post in a trace of its own, and waits for its message. */
async function postAndHear(content: string) {
  const trace = newTrace();
  await world.untilFannedOut();
  await world.post(content, trace.traceparent);
  await expect.poll(() => spanIn(trace.traceId, SOCKET_MESSAGE), within).toBeDefined();
  await expect.poll(() => postPathIn(trace.traceId, 'send wake-ups'), within).toEqual(OF_A_POST.slice(0, -1));
  return trace;
}

/** Whether a job was made for the post of a trace: one that waited already runs the fan-outs of its author's later posts as well. */
const hasJob = (traceId: string): Promise<boolean> =>
  expect
    .poll(() => pathIn(traceId, 'process feed.fan-out'), { timeout: 5_000, interval: 50 })
    .toEqual(OF_A_JOB)
    .then(
      () => true,
      () => false,
    );

it('one trace leads from the mutation that publishes a post to the message on a follower’s socket', async () => {
  let trace = await postAndHear('what nobody else may read');
  // While processes start, subscribers are made to read what they may have missed: that message comes of no wake-up.
  await vi.waitFor(
    async () => {
      const { traceId } = trace;
      if (pathIn(traceId, SOCKET_MESSAGE).includes('send wake-ups') && (await hasJob(traceId))) return;
      trace = await postAndHear('what nobody else may read, again');
      throw new Error('the message came of no wake-up, or the job was that of another post');
    },
    { timeout: 60_000 },
  );
  const { traceId, spanId } = trace;
  await expect.poll(() => postPathIn(traceId, SOCKET_MESSAGE), within).toEqual(OF_A_POST);
  await expect.poll(() => spanIn(traceId, 'POST /graphql'), within).toBeDefined();
  expect(spanIn(traceId, 'POST /graphql')).toMatchObject({
    parentSpanId: spanId,
    kind: 'server',
    service: 'tidings-api',
    attributes: { 'http.request.method': 'POST', 'http.route': '/graphql', 'http.response.status_code': 200 },
  });
  expect(spanIn(traceId, 'process feed.fan-out')).toMatchObject({
    kind: 'consumer',
    service: 'tidings-worker',
  });
  expect(pathIn(traceId, 'check rate limits').at(-2)).toBe('mutation publishPost');
  expect(pathIn(traceId, 'push to feeds').at(-2)).toBe('fan out post');
  const spans = world.collector.spansOf(traceId);
  expect(spans.filter(({ isFailed }) => isFailed)).toEqual([]);
  for (const { startMs, endMs } of spans) expect(endMs).toBeGreaterThanOrEqual(startMs);
});

it('one trace leads from sendNotification to the call of the provider, and says how it ended', async () => {
  const { traceId, spanId, traceparent } = newTrace();
  await world.notify('traced-1', traceparent);
  await expect.poll(() => pathIn(traceId, PROVIDER_CALL), within).toEqual(OF_A_NOTIFICATION);
  await expect
    .poll(() => spanIn(traceId, 'process notifications.push.high'), within)
    .toMatchObject({
      kind: 'consumer',
      service: 'tidings-worker',
      attributes: { 'tidings.delivery.status': 'DELIVERED', 'tidings.delivery.attempt': 0 },
    });
  expect(spanIn(traceId, PROVIDER_CALL)).toMatchObject({
    kind: 'client',
    attributes: { 'peer.service': 'apns', 'tidings.provider.outcome': 'delivered' },
  });
  expect(spanIn(traceId, 'POST /graphql')!.parentSpanId).toBe(spanId);
});

it('a trace goes on though the worker is killed in the middle', async () => {
  const [ofPost, ofNotification] = [newTrace(), newTrace()];
  await world.worker.kill('SIGKILL');
  await world.post('while nobody worked', ofPost.traceparent);
  await world.notify('traced-2', ofNotification.traceparent);
  await expect.poll(() => spanIn(ofNotification.traceId, 'send notifications'), within).toBeDefined();
  expect(spanIn(ofNotification.traceId, PROVIDER_CALL)).toBeUndefined();
  expect(spanIn(ofPost.traceId, SOCKET_MESSAGE)).toBeUndefined();
  await world.worker.restart();
  await expect
    .poll(() => postPathIn(ofPost.traceId, 'send wake-ups'), within)
    .toEqual(OF_A_POST.slice(0, -1));
  // A new worker makes all subscribers read what they may have missed: the message goes on from there, or from the wake-up.
  await expect
    .poll(() => pathIn(ofPost.traceId, SOCKET_MESSAGE), within)
    .toEqual(expect.arrayContaining([...OF_A_POST.slice(0, 3), SOCKET_MESSAGE]));
  await expect.poll(() => pathIn(ofNotification.traceId, PROVIDER_CALL), within).toEqual(OF_A_NOTIFICATION);
});

it('what a client does not sample is neither collected nor stored', async () => {
  const [unsampled, sampled] = [newTrace(false), newTrace()];
  await world.post('not sampled', unsampled.traceparent);
  await world.notify('traced-3', unsampled.traceparent);
  await world.post('sampled', sampled.traceparent);
  await world.notify('traced-4', sampled.traceparent);
  await expect.poll(() => world.heard, within).toEqual(expect.arrayContaining(['not sampled', 'sampled']));
  await expect.poll(() => pathIn(sampled.traceId, PROVIDER_CALL), within).toEqual(OF_A_NOTIFICATION);
  await expect.poll(() => spanIn(sampled.traceId, SOCKET_MESSAGE), within).toBeDefined();
  expect(world.collector.spansOf(unsampled.traceId)).toEqual([]);
  const { rows } = await world.postgres.query(
    `SELECT (SELECT count(*)::int FROM events WHERE metadata ->> 'traceparent' LIKE '%' || $1 || '%') AS events,
            (SELECT count(*)::int FROM notification_requests WHERE traceparent LIKE '%' || $1 || '%') AS requests`,
    [unsampled.traceId],
  );
  expect(rows).toEqual([{ events: 0, requests: 0 }]);
});

it('a malformed traceparent begins a new trace, and refuses nothing', async () => {
  const malformed = '00-00000000000000000000000000000000-0000000000000000-01';
  await world.post('malformed', malformed);
  await expect.poll(() => world.heard, within).toContain('malformed');
  expect(world.collector.spansOf('0'.repeat(32))).toEqual([]);
});

it('operations on a socket go on with the trace of its connection, or with one of their own', async () => {
  const [ofConnection, ofOperation] = [newTrace(), newTrace()];
  const socket = createClient({
    url: `${world.api.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { traceparent: ofConnection.traceparent },
    retryAttempts: 0,
  });
  const query = '{ __typename }';
  for (const extensions of [undefined, { traceparent: ofOperation.traceparent }])
    for await (const answer of socket.iterate({ query, ...(extensions && { extensions }) }))
      expect(answer).toMatchObject({ data: { __typename: 'Query' } });
  await socket.dispose();
  for (const { traceId, spanId } of [ofConnection, ofOperation])
    await expect
      .poll(() => spanIn(traceId, 'query __typename'), within)
      .toMatchObject({
        parentSpanId: spanId,
        kind: 'server',
        attributes: { 'network.protocol.name': 'websocket' },
      });
});

it('log lines that are written for a trace have its id', async () => {
  const { traceId, traceparent } = newTrace();
  await world.notify('traced-5', traceparent);
  await expect.poll(() => world.api.output(), within).toContain(`"trace_id":"${traceId}"`);
});

it('spans have no contents, no addresses and no ids of users', () => {
  const bodies = world.collector.bodies();
  expect(bodies).toContain('publishPost');
  for (const personal of [
    'what nobody else may read',
    'phone-owner',
    'keen-reader',
    'busy-writer',
    'a1a1a1',
    'Somebody',
  ])
    expect(bodies).not.toContain(personal);
});
