import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import { startTracing, tracer } from '../../src/platform/tracing/tracing.js';
import { newTrace, startCollector, type TraceCollector } from '../support/trace-collector.js';

let collector: TraceCollector;

beforeAll(async () => {
  collector = await startCollector();
});
afterAll(async () => {
  await collector?.close();
});

/** Begins and ends a request that a client sends with this trace context. @returns the context that it goes on with */
async function request(env: Readonly<Record<string, string>>, parent: string): Promise<string | null> {
  const { tracing } = readConfig({
    ...collector.environment,
    ...env,
    DATABASE_URL: 'postgres://localhost/none',
    REDIS_URL: 'redis://localhost',
    AUTH_SECRET: 'a secret that nothing here checks',
  });
  await startTracing(tracing!, 'test', { logger: createLogger('test', 'silent'), count: () => undefined });
  const span = tracer()!.openRequest({ name: 'request', parent });
  const { traceparent } = span;
  span.end();
  await tracer()!.close();
  return traceparent;
}

const traceIdOf = (traceparent: string | null) => traceparent?.split('-')[1];

/** Its trace id is the one that samplers by ratio take whatever the ratio. */
const lucky = '00-00000001000000010000000000000000-0000000000000001-01';

it('a client cannot choose to be sampled by a ratio, neither by its flag nor by its trace id', async () => {
  const env = { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.000000001' };
  expect(await request(env, lucky)).toBeNull();
});

it.each([
  { OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '1' },
  { OTEL_TRACES_SAMPLER: 'always_on' },
])(
  'a sampler that heeds no client begins a trace of its own, which leads to the client’s: %o',
  async (env) => {
    const { traceId, spanId, traceparent } = newTrace(false);
    const own = traceIdOf(await request(env, traceparent));
    expect(own).toMatch(/^[0-9a-f]{32}$/);
    expect(own).not.toBe(traceId);
    await expect
      .poll(() => collector.spansOf(own!))
      .toMatchObject([{ name: 'request', parentSpanId: undefined, links: [{ traceId, spanId }] }]);
    expect(collector.spansOf(traceId)).toEqual([]);
  },
);

it.each(['parentbased_always_off', 'parentbased_traceidratio'])(
  '%s goes on with a client’s trace, as its flag says',
  async (sampler) => {
    const env = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.000000001' };
    const { traceId, spanId, traceparent } = newTrace();
    expect(traceIdOf(await request(env, traceparent))).toBe(traceId);
    await expect.poll(() => collector.spansOf(traceId)).toMatchObject([{ parentSpanId: spanId, links: [] }]);
    expect(await request(env, newTrace(false).traceparent)).toBeNull();
  },
);
