import type { TracingConfig } from './config.js';
import type { Diagnostics } from './open-telemetry.js';

/** Says what is done, and never for whom: no ids of users, no addresses, no contents. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** What is known of a span when it begins. */
export interface SpanStart {
  /** Of few values. */
  readonly name: string;
  /** Absent: internal. */
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: SpanAttributes;
  /**
   * The W3C `traceparent` that it continues, as it was stored or sent; null: what it belongs to is not traced. Absent: it belongs to the
   * active span. Where that is of the same trace, the active span is the parent all the same: it is nearer.
   */
  readonly parent?: string | null | undefined;
  /** Milliseconds since the epoch; by default now. */
  readonly startTime?: number;
}

/** A request from outside, where a trace may begin. `parent` is what its client claims: it may be malformed. */
export interface RequestStart extends SpanStart {
  readonly tracestate?: string | undefined;
}

/** A span that is under way. Of one that is not sampled all of this does nothing, or next to nothing. */
export interface Span {
  /** To be stored or sent with what it causes; null where it is not sampled. */
  readonly traceparent: string | null;
  set(attributes: SpanAttributes): void;
  /** @param type of few values: an error's code or name, and never its message */
  fail(type: string): void;
  /** The span is the active one of what is done, and of all that this waits for. */
  run<T>(work: () => T): T;
  end(): void;
}

/** Makes spans. */
export interface Tracer {
  /**
   * Begins a span of a request from outside: whether it is sampled is decided here. Where the sampler heeds no client, it begins a trace
   * of its own, with a link to the client's.
   */
  openRequest(start: RequestStart): Span;
  /** Begins a span of a trace; without a trace, or in one that is not sampled, nothing is recorded. */
  open(start: SpanStart): Span;
  /** That of the active span; null where there is none that is sampled. */
  traceparent(): string | null;
  /** What log lines say of the active span. */
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined;
  /** What is done belongs to no span. */
  outside<T>(work: () => T): T;
  /** Sends what is recorded, for a while, and ends. */
  close(): Promise<void>;
}

let running: Tracer | undefined;

/** What makes spans in this process; undefined where traces are off. It is set before anything is composed, and stays. */
export const tracer = (): Tracer | undefined => running;

/**
 * Has this process make traces. OpenTelemetry's SDK is not loaded without it.
 *
 * @param name which process this is: `api` or `worker`
 */
export async function startTracing(
  config: TracingConfig,
  name: string,
  diagnostics: Diagnostics,
): Promise<void> {
  const { openTracer } = await import('./open-telemetry.js');
  running = openTracer(config, name, diagnostics);
}

/** Does work in a span of its own. What it throws fails the span. */
export async function inSpan<T>(
  using: Tracer,
  start: SpanStart,
  work: (span: Span) => T | Promise<T>,
): Promise<T> {
  return within(using.open(start), work);
}

/** The same in a span that has begun already. */
export async function within<T>(span: Span, work: (span: Span) => T | Promise<T>): Promise<T> {
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(typeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}
