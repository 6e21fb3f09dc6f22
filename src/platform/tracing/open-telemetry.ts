import {
  type Context,
  context,
  createNoopMeter,
  createTraceState,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  type Link,
  type Meter,
  type MeterProvider,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { withinMs } from '../deadline.js';
import type { TracingConfig } from './config.js';
import type { RequestStart, Span, SpanStart, Tracer } from './tracing.js';

/** Loaded only where traces are on: see `startTracing`. */

/** How long a process that ends waits for its last spans to be taken. */
const PARTING_MS = 2_000;
/** By which the W3C lets a receiver drop it. */
const LONGEST_TRACESTATE = 512;

export interface Diagnostics {
  readonly logger: { warn(fields: object, message: string): void };
  /** Counts spans by what became of them. */
  readonly count: (outcome: 'exported' | 'failed' | 'dropped', spans: number) => void;
}

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** Nothing is recorded, and what is done stays in the trace that it is in. */
const UNRECORDED: Span = {
  traceparent: null,
  set: () => undefined,
  fail: () => undefined,
  run: (work) => work(),
  end: () => undefined,
};
/** The same of what is in no trace, or in one that is not sampled, while another trace's span is active. */
const OUTSIDE: Span = { ...UNRECORDED, run: (work) => context.with(ROOT_CONTEXT, work) };

/**
 * OpenTelemetry's SDK. Spans are sent in batches, beside everything else; where the collector does not take them, they are dropped and
 * counted.
 */
export function openTracer(config: TracingConfig, name: string, diagnostics: Diagnostics): Tracer {
  const { logger } = diagnostics;
  diag.setLogger(diagnosticsTo(logger), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  setGlobalErrorHandler((err) => logger.warn({ err }, 'spans could not be exported: they are dropped'));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const provider = openProvider(config, name, diagnostics);
  trace.setGlobalTracerProvider(provider);
  const tracer = provider.getTracer('tidings');
  const { isParentBased } = partsOf(config.sampler);

  return {
    openRequest(start) {
      const remote = start.parent ? readParent(start.parent, start.tracestate) : undefined;
      if (!remote) return begin(tracer, start, ROOT_CONTEXT);
      if (isParentBased) return begin(tracer, start, trace.setSpanContext(ROOT_CONTEXT, remote));
      // Its client chose the trace id, and samplers by ratio decide by that.
      return begin(tracer, start, ROOT_CONTEXT, [{ context: remote }]);
    },
    open(start) {
      const active = context.active();
      const around = trace.getSpanContext(active);
      if (start.parent === undefined) return isSampled(around) ? begin(tracer, start, active) : UNRECORDED;
      const stored = start.parent === null ? undefined : readParent(start.parent);
      if (!isSampled(stored)) return around ? OUTSIDE : UNRECORDED;
      const isNear = isSampled(around) && around.traceId === stored.traceId;
      return begin(tracer, start, isNear ? active : trace.setSpanContext(ROOT_CONTEXT, stored));
    },
    traceparent: () => toTraceparent(trace.getSpanContext(context.active())),
    ids() {
      const active = trace.getSpanContext(context.active());
      return active && { trace_id: active.traceId, span_id: active.spanId };
    },
    outside: (work) => (trace.getSpanContext(context.active()) ? context.with(ROOT_CONTEXT, work) : work()),
    close: () => withinMs(PARTING_MS, provider.shutdown()).catch(() => undefined),
  };
}

function openProvider(config: TracingConfig, name: string, diagnostics: Diagnostics): TracerProvider {
  const { url, protocol, batches, serviceName } = config;
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter;
  return new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': `tidings-${name}`, 'service.namespace': 'tidings' }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, resourceAttributesEnvDetector] }))
      .merge(resourceFromAttributes(serviceName === undefined ? {} : { 'service.name': serviceName })),
    sampler: samplerOf(config),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new Exporter({ url }),
        scheduledDelayMillis: batches.delayMs,
        maxQueueSize: batches.queueSize,
        maxExportBatchSize: batches.batchSize,
        exportTimeoutMillis: batches.timeoutMs,
        selfObsMeterProvider: countingProcessed(diagnostics.count),
      }),
    ],
  });
}

const samplers = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio: number) => new TraceIdRatioBasedSampler(ratio),
};

function partsOf(sampler: TracingConfig['sampler']) {
  const [, prefix, name] = /^(parentbased_)?(.+)$/.exec(sampler)!;
  return { isParentBased: prefix !== undefined, name: name as keyof typeof samplers };
}

function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const { isParentBased, name } = partsOf(sampler);
  const root = samplers[name](ratio);
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

/** What the SDK measures of itself is the one way to learn how many spans its queue dropped. */
function countingProcessed(count: Diagnostics['count']): MeterProvider {
  const noop = createNoopMeter();
  const meter: Meter = Object.create(noop, {
    createCounter: {
      value(name: string) {
        if (name !== 'otel.sdk.processor.span.processed') return noop.createCounter(name);
        return {
          add(spans: number, { 'error.type': error }: Record<string, unknown> = {}) {
            count(error === undefined ? 'exported' : error === 'queue_full' ? 'dropped' : 'failed', spans);
          },
        };
      },
    },
  });
  return { getMeter: () => meter };
}

function begin(
  tracer: OtelTracer,
  start: SpanStart | RequestStart,
  parent: Context,
  links: readonly Link[] = [],
): Span {
  const { name, kind, attributes, startTime } = start;
  const span = tracer.startSpan(
    name,
    {
      kind: kind ? kinds[kind] : SpanKind.INTERNAL,
      ...(attributes && { attributes: { ...attributes } }),
      ...(startTime !== undefined && { startTime }),
      links: [...links],
    },
    parent,
  );
  return new RecordedSpan(span, trace.setSpan(parent, span));
}

class RecordedSpan implements Span {
  constructor(
    private readonly span: OtelSpan,
    private readonly context: Context,
  ) {}

  get traceparent(): string | null {
    return toTraceparent(this.span.spanContext());
  }
  set(attributes: NonNullable<SpanStart['attributes']>): void {
    this.span.setAttributes({ ...attributes });
  }
  fail(type: string): void {
    this.span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR });
  }
  run<T>(work: () => T): T {
    return context.with(this.context, work);
  }
  end(): void {
    this.span.end();
  }
}

const isSampled = (of: SpanContext | undefined): of is SpanContext =>
  of !== undefined && (of.traceFlags & TraceFlags.SAMPLED) !== 0;

function readParent(traceparent: string, tracestate?: string): SpanContext | undefined {
  const read = parseTraceParent(traceparent);
  if (!read || !isSpanContextValid(read)) return undefined;
  const isKept = tracestate !== undefined && tracestate.length <= LONGEST_TRACESTATE;
  return { ...read, isRemote: true, ...(isKept && { traceState: createTraceState(tracestate) }) };
}

/** The one flag that tidings hands on is that the trace is sampled. */
const toTraceparent = (of: SpanContext | undefined): string | null =>
  isSampled(of) ? `00-${of.traceId}-${of.spanId}-01` : null;

function diagnosticsTo(logger: Diagnostics['logger']) {
  const say = (message: string): void => logger.warn({ said: message }, 'OpenTelemetry has a warning');
  const silent = (): void => undefined;
  return { error: say, warn: say, info: silent, debug: silent, verbose: silent };
}
