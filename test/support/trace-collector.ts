import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** A span as a collector got it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Undefined where it begins its trace. */
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  /** The process that made it, as `service.name`. */
  readonly service: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly isFailed: boolean;
  /** Spans that it is said to have to do with, of other traces too. */
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

/** A collector of OTLP over HTTP, in JSON. */
export interface TraceCollector {
  /** What makes a process send its traces here. */
  readonly environment: Readonly<Record<string, string>>;
  /** What came of a trace so far, the earliest span first. */
  spansOf(traceId: string): readonly CollectedSpan[];
  /** All bodies that came, as text. */
  bodies(): string;
  close(): Promise<void>;
}

const KINDS = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

const attributes = z
  .array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) }))
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]])));
const nanoseconds = z.coerce.bigint().transform((ns) => Number(ns / 1_000n) / 1_000);
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              startTimeUnixNano: nanoseconds,
              endTimeUnixNano: nanoseconds,
              attributes,
              status: z.object({ code: z.number().optional() }),
              links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
            }),
          ),
        }),
      ),
    }),
  ),
});

/**
 * @param answers whether it does: one that does not takes connections and says nothing
 * @param port by default a free one
 */
export async function startCollector({ answers = true, port: wanted = 0 } = {}): Promise<TraceCollector> {
  const spans: CollectedSpan[] = [];
  const texts: string[] = [];
  const server = createServer((request, response) => {
    if (!answers) return;
    void textOf(request).then((text) => {
      texts.push(text);
      spans.push(...spansIn(text));
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    },
    spansOf: (traceId) =>
      spans.filter((span) => span.traceId === traceId).sort((a, b) => a.startMs - b.startMs),
    bodies: () => texts.join('\n'),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request.setEncoding('utf8')) text += String(part);
  return text;
}

const spansIn = (text: string): CollectedSpan[] =>
  exported.parse(JSON.parse(text)).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ startTimeUnixNano: startMs, endTimeUnixNano: endMs, kind, status, ...span }) => ({
        ...span,
        parentSpanId: span.parentSpanId || undefined,
        kind: KINDS[kind] ?? 'internal',
        service: String(resource.attributes['service.name']),
        startMs,
        endMs,
        isFailed: status.code === 2,
      })),
    ),
  );

/** The names of a span and of those above it, up to the one that begins the trace or whose parent the collector did not get. */
export function pathTo(spans: readonly CollectedSpan[], name: string): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const path: string[] = [];
  let span = spans.find((one) => one.name === name);
  while (span) {
    path.unshift(span.name);
    span = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId);
  }
  return path;
}

/** The trace of a client, as its header names it. */
export function newTrace(isSampled = true) {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}` };
}
