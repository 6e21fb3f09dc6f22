import type { RecordedEvent } from '../event-log/index.js';
import { type Span, tracer } from '../tracing/tracing.js';

/** A trace that began longer ago is over: a new projector reads the whole log. */
const OVER_AFTER_MS = 3_600_000;

/** Events and the spans in which they are applied. */
export interface TracedEvents {
  /** The same, whose trace context is that of the span in which they are applied. */
  readonly events: readonly RecordedEvent[];
  end(error?: unknown): void;
}

/**
 * Begins the spans in which a projector applies events that come together: one for each append that is traced, since each is of a
 * trace of its own.
 *
 * @param projector its name
 */
export function beginSpans(projector: string, events: readonly RecordedEvent[]): TracedEvents {
  const using = tracer();
  if (!using || !events.some(({ metadata }) => metadata.traceparent !== undefined))
    return { events, end: () => undefined };
  const spans = new Map<string, Span>();
  const isOver = ({ createdAt }: RecordedEvent): boolean => createdAt.getTime() < Date.now() - OVER_AFTER_MS;
  const traced = events.map((event) => {
    const { traceparent: parent } = event.metadata;
    if (parent === undefined || isOver(event)) return event;
    const span =
      spans.get(parent) ??
      using.open({
        name: `process ${projector}`,
        kind: 'consumer',
        parent,
        attributes: {
          'messaging.system': 'tidings.event_log',
          'messaging.destination.name': 'events',
          'messaging.consumer.group.name': projector,
          'messaging.operation.name': 'process',
          'messaging.operation.type': 'process',
          'messaging.batch.message_count': events.length,
        },
      });
    spans.set(parent, span);
    return { ...event, metadata: { ...event.metadata, traceparent: span.traceparent ?? parent } };
  });
  return {
    events: traced,
    end(error) {
      for (const span of spans.values()) {
        if (error !== undefined) span.fail('not applied');
        span.end();
      }
    },
  };
}
