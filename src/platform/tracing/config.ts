import { z } from 'zod';
import type { PresentVariables } from '../config.js';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const protocol = z.enum(['http/protobuf', 'http/json']);
const milliseconds = z.coerce.number().int().min(1).max(3_600_000);
const spans = z.coerce.number().int().min(1).max(1_000_000);
const endpoint = z.url({ protocol: /^https?$/, error: 'must be a URL that begins with http:// or https://' });

function anyCase<const Names extends readonly string[]>(names: Names) {
  return z.string().toLowerCase().pipe(z.enum(names));
}

const PAIR = /^\s*[^=\s]+\s*=/;
const pairs = z
  .string()
  .refine(
    (text) =>
      text
        .split(',')
        .every((pair, at, { length }) => PAIR.test(pair) || (at > 0 && at === length - 1 && !pair.trim())),
    'must be a list like name=value,name=value',
  );

/**
 * The standard variables of OpenTelemetry that are checked. The exporter reads others by itself: certificates, and the headers, timeout and
 * compression that are for traces alone (`OTEL_EXPORTER_OTLP_TRACES_…`).
 */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol.default('http/protobuf'),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: milliseconds.default(10_000),
  OTEL_EXPORTER_OTLP_COMPRESSION: z.enum(['gzip', 'none']).default('none'),
  OTEL_TRACES_EXPORTER: anyCase(['otlp', 'none']).default('otlp'),
  OTEL_TRACES_SAMPLER: z.enum(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_RESOURCE_ATTRIBUTES: pairs.optional(),
  OTEL_SDK_DISABLED: anyCase(['true', 'false']).default('false'),
  OTEL_BSP_SCHEDULE_DELAY: milliseconds.default(5_000),
  OTEL_BSP_MAX_QUEUE_SIZE: spans.default(2_048),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: spans.default(512),
  OTEL_BSP_EXPORT_TIMEOUT: milliseconds.default(30_000),
};
type TracingVariables = z.infer<z.ZodObject<typeof tracingVariables>>;

export interface TracingConfig {
  /** Where spans are posted. */
  readonly url: string;
  readonly protocol: TracingVariables['OTEL_EXPORTER_OTLP_PROTOCOL'];
  readonly sampler: (typeof SAMPLERS)[number];
  /** Of the samplers by ratio: the part of all traces, from 0 to 1. */
  readonly ratio: number;
  /** Absent: what OTEL_RESOURCE_ATTRIBUTES says, else tidings-api or tidings-worker. */
  readonly serviceName: string | undefined;
  /** How finished spans are sent: those that find the queue full are dropped. */
  readonly batches: {
    readonly delayMs: number;
    readonly queueSize: number;
    readonly batchSize: number;
    readonly timeoutMs: number;
  };
}

/** Stand for the general variable of the same end. */
const specific = [
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'],
] as const;

/**
 * What is set, without those standard variables that nothing is made of: a platform may set them for all of its processes, to values
 * that only others know. Where traces are off these are all.
 */
export function withoutUnusedTracing(present: PresentVariables): PresentVariables {
  const replaced = specific.flatMap(([own, general]) => (present[own] === undefined ? [] : [general]));
  const unused = new Set<string>(areOn(present) ? replaced : Object.keys(tracingVariables));
  return Object.fromEntries(Object.entries(present).filter(([name]) => !unused.has(name)));
}

const areOn = (present: PresentVariables): boolean =>
  (present.OTEL_EXPORTER_OTLP_ENDPOINT ?? present.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined &&
  present.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  present.OTEL_TRACES_EXPORTER?.toLowerCase() !== 'none';

/** Undefined where traces are off. */
export function readTracing(e: TracingVariables): TracingConfig | undefined {
  const base = e.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url =
    e.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/(?<!\/)\/+$/, '')}/v1/traces`);
  if (url === undefined) return undefined;
  return {
    url,
    protocol: e.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? e.OTEL_EXPORTER_OTLP_PROTOCOL,
    sampler: e.OTEL_TRACES_SAMPLER,
    ratio: e.OTEL_TRACES_SAMPLER_ARG,
    serviceName: e.OTEL_SERVICE_NAME,
    batches: {
      delayMs: e.OTEL_BSP_SCHEDULE_DELAY,
      queueSize: e.OTEL_BSP_MAX_QUEUE_SIZE,
      batchSize: Math.min(e.OTEL_BSP_MAX_EXPORT_BATCH_SIZE, e.OTEL_BSP_MAX_QUEUE_SIZE),
      timeoutMs: e.OTEL_BSP_EXPORT_TIMEOUT,
    },
  };
}
