import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.js';

const needed = {
  DATABASE_URL: 'postgres://localhost/none',
  REDIS_URL: 'redis://localhost',
  AUTH_SECRET: 'a secret that nothing here checks',
};
const ENDPOINT = 'http://collector:4318';

const read = (env: Readonly<Record<string, string>>) => readConfig({ ...needed, ...env }).tracing;

describe('traces', () => {
  it('are off without an endpoint, whatever else is set, and by OTEL_SDK_DISABLED', () => {
    expect(read({})).toBeUndefined();
    expect(read({ OTEL_TRACES_SAMPLER: 'always_on', OTEL_SERVICE_NAME: 'shop' })).toBeUndefined();
    expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' })).toBeUndefined();
  });

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }, `${ENDPOINT}/v1/traces`],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: `${ENDPOINT}/below/` }, `${ENDPOINT}/below/v1/traces`],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${ENDPOINT}/own` }, `${ENDPOINT}/own`],
  ])('are sent as OpenTelemetry says: %o', (env, url) => {
    expect(read(env)).toMatchObject({ url, protocol: 'http/protobuf', sampler: 'parentbased_always_on' });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'no address'],
    ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'ftp://collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a token'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'production'],
  ])('are refused with one line that names the setting: %s=%s', (name, value) => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, [name]: value };
    expect(() => read(env)).toThrow(
      expect.objectContaining({ faults: [expect.stringMatching(new RegExp(`^${name} is not valid: .+$`))] }),
    );
  });
});
