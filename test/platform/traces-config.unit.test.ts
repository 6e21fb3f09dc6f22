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
  it.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'true' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'True' },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317', OTEL_TRACES_EXPORTER: 'None' },
  ])('are off, and what others understand keeps no process from starting: %o', (off) => {
    const ofOthers = {
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TIMEOUT: '0',
      OTEL_TRACES_SAMPLER: 'jaeger_remote',
      OTEL_SERVICE_NAME: 'shop',
    };
    expect(read({ ...ofOthers, ...off })).toBeUndefined();
  });

  it('heed the variables that are for them alone, and not the general ones beside them', () => {
    const general = { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    const own = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${ENDPOINT}/own`,
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    };
    expect(read({ ...general, ...own })).toMatchObject({ url: `${ENDPOINT}/own`, protocol: 'http/json' });
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
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_SDK_DISABLED', 'maybe'],
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
