import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { createTurns } from '../../src/platform/event-log/turns.js';
import { groupCommit } from '../../src/platform/group-commit.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { AfterCommit } from '../../src/platform/projector/after-commit.js';
import { inSendingSpans } from '../../src/platform/queues/traced-jobs.js';
import { inSpan, startTracing, type Tracer, tracer } from '../../src/platform/tracing/tracing.js';
import { newTrace, pathTo, startCollector, type TraceCollector } from '../support/trace-collector.js';

let collector: TraceCollector;
let using: Tracer;

beforeAll(async () => {
  collector = await startCollector();
  const { tracing } = readConfig({
    ...collector.environment,
    OTEL_BSP_SCHEDULE_DELAY: '10',
    DATABASE_URL: 'postgres://localhost/none',
    REDIS_URL: 'redis://localhost',
    AUTH_SECRET: 'a secret that nothing here checks',
  });
  await startTracing(tracing!, 'test', { logger: createLogger('test', 'silent'), count: () => undefined });
  using = tracer()!;
});
afterAll(async () => {
  await using?.close();
  await collector?.close();
});

const namesOf = (traceId: string) => collector.spansOf(traceId).map(({ name }) => name);
/** Runs work in a request of this trace. */
const inRequest = async <T>(parent: string, work: () => Promise<T>): Promise<T> => {
  const request = using.openRequest({ name: 'request', parent });
  const answer = await request.run(work);
  request.end();
  return answer;
};

it('what is in no trace begins none', async () => {
  const { traceparent } = await inSpan(using, { name: 'alone' }, async (span) => span);
  expect(traceparent).toBeNull();
  expect(using.traceparent()).toBeNull();
});

it('what was stored of another trace goes on in that one, though a span is active', async () => {
  const [active, stored] = [newTrace(), newTrace()];
  await inRequest(active.traceparent, () =>
    inSpan(using, { name: 'delivery', parent: stored.traceparent }, () =>
      inSpan(using, { name: 'call' }, () => undefined),
    ),
  );
  await expect.poll(() => namesOf(active.traceId)).toEqual(['request']);
  await expect.poll(() => pathTo(collector.spansOf(stored.traceId), 'call')).toEqual(['delivery', 'call']);
});

it('what belongs to an untraced request is in no trace, though a span is active', async () => {
  const active = newTrace();
  const inside = await inRequest(active.traceparent, () =>
    inSpan(using, { name: 'untraced', parent: null }, () => using.traceparent()),
  );
  expect(inside).toBeNull();
  await expect.poll(() => namesOf(active.traceId)).toEqual(['request']);
});

it('what is stored of the active trace hangs below the active span, which is nearer', async () => {
  const { traceId, traceparent } = newTrace();
  await inRequest(traceparent, async () => {
    const stored = using.traceparent();
    await inSpan(using, { name: 'job' }, () =>
      inSpan(using, { name: 'step', parent: stored }, () => undefined),
    );
  });
  await expect.poll(() => pathTo(collector.spansOf(traceId), 'step')).toEqual(['request', 'job', 'step']);
});

it('what is done for many at once is in nobody’s trace, and each one’s work goes on in its own', async () => {
  const seen: (string | null)[] = [];
  const commit = groupCommit<string, string>({
    maxItems: 10,
    async commit(items) {
      seen.push(using.traceparent());
      return items;
    },
  });
  const { traceId, traceparent } = newTrace();
  const after = await inRequest(traceparent, async () => {
    await commit('one');
    return using.traceparent();
  });
  expect(seen).toEqual([null]);
  expect(after).toContain(traceId);
});

const task = { name: 'work', queue: 'errands' };

it('a job that is enqueued in a request is in no trace, as it may work for others too', async () => {
  const { traceId, traceparent } = newTrace();
  const carried: unknown[] = [];
  await inRequest(traceparent, () =>
    inSendingSpans(task, [{}, { traceparent: null }], async (traceparents) => carried.push(...traceparents)),
  );
  expect(carried).toEqual([null, null]);
  await expect.poll(() => namesOf(traceId)).toEqual(['request']);
});

it('jobs go on with the traces that they are given: those of one trace are sent in one span', async () => {
  const [active, stored] = [newTrace(), newTrace()];
  let carried: readonly (string | null)[] = [];
  await inRequest(active.traceparent, async () => {
    const traceparent = using.traceparent();
    const jobs = [{ traceparent }, { traceparent: stored.traceparent }, {}, { traceparent }];
    await inSendingSpans(task, jobs, async (traceparents) => {
      carried = traceparents;
    });
  });
  await expect.poll(() => pathTo(collector.spansOf(active.traceId), 'send errands')).toHaveLength(2);
  await expect.poll(() => namesOf(stored.traceId)).toEqual(['send errands']);
  const sent = (traceId: string) =>
    collector
      .spansOf(traceId)
      .filter(({ name }) => name === 'send errands')
      .map(({ spanId }) => spanId);
  const [[ofActive], [ofStored]] = [sent(active.traceId), sent(stored.traceId)];
  expect(sent(active.traceId)).toHaveLength(1);
  expect(carried.map((one) => one?.split('-')[2])).toEqual([ofActive, ofStored, undefined, ofActive]);
});

it('a job that cannot be enqueued fails its span', async () => {
  const { traceId, traceparent } = newTrace();
  const refuse = () => Promise.reject(new Error('no such payload'));
  await expect(inSendingSpans(task, [{ traceparent }], refuse)).rejects.toThrow('no such payload');
  await expect
    .poll(() => collector.spansOf(traceId))
    .toMatchObject([{ name: 'send errands', isFailed: true }]);
});

it('a failure says its code and never its message', async () => {
  const { traceId, traceparent } = newTrace();
  const error = Object.assign(new Error('alice@example.com has no mailbox'), { code: 'EAWAY' });
  await inRequest(traceparent, () =>
    inSpan(using, { name: 'fails' }, () => Promise.reject(error)).catch(() => undefined),
  );
  await expect
    .poll(() => collector.spansOf(traceId).find(({ name }) => name === 'fails'))
    .toMatchObject({ isFailed: true, attributes: { 'error.type': 'EAWAY' } });
  expect(collector.bodies()).not.toContain('alice@example.com');
});

it('a log line has the ids of the active span, and none outside', async () => {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger('test', 'info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  const { traceId, traceparent } = newTrace();
  await inRequest(traceparent, async () => logger.info('inside'));
  logger.info('outside');
  expect(lines.map(({ msg, trace_id }) => [msg, trace_id])).toEqual([
    ['inside', traceId],
    ['outside', undefined],
  ]);
});

/** The trace that work is in. */
const traceIdNow = () => using.traceparent()?.split('-')[1];

it('a work that waits for its turn is in the trace of the request that asked for it', async () => {
  const inTurn = createTurns();
  const [first, second] = [newTrace(), newTrace()];
  const begin = Promise.withResolvers<void>();
  const inThese = [
    inRequest(first.traceparent, () => inTurn('a', () => begin.promise.then(traceIdNow))),
    inRequest(second.traceparent, () => inTurn('a', async () => traceIdNow())),
    inTurn('a', async () => traceIdNow()),
  ];
  begin.resolve();
  expect(await Promise.all(inThese)).toEqual([first.traceId, second.traceId, undefined]);
});

it('what waits until a commit’s wake-ups are sent is in the trace that it was asked for in', async () => {
  const afterCommit = new AfterCommit('shop', { warn: () => undefined }, async () => undefined);
  const [first, second] = [newTrace(), newTrace()];
  const seen: (string | undefined)[] = [];
  const note = async () => void seen.push(traceIdNow());
  await inRequest(first.traceparent, async () => afterCommit.add(note, 1));
  await inRequest(second.traceparent, async () => afterCommit.add(note, 1));
  await afterCommit.close();
  expect(seen).toEqual([first.traceId, second.traceId]);
});
