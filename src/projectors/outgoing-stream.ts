import type { EventLog, RecordedEvent } from '../platform/event-log/index.js';
import type { Projector } from '../platform/projector/projector.js';
import type { OutgoingTarget } from './outgoing-target.js';

const PAGE = 500;

/**
 * An event of the log as other systems get it: CloudEvents 1.0, JSON format, with the extensions `sequence` and, where it is traced,
 * `traceparent`.
 */
export function toCloudEvent(event: RecordedEvent): Readonly<Record<string, unknown>> {
  const { correlationId, causationId, userId, traceparent } = event.metadata;
  return {
    specversion: '1.0',
    id: String(event.globalPosition),
    source: '/tidings/log',
    type: `tidings.${event.type}`,
    subject: event.streamId,
    time: event.createdAt.toISOString(),
    datacontenttype: 'application/json',
    sequence: String(event.globalPosition),
    streamposition: event.streamPosition,
    correlationid: correlationId,
    causationid: causationId,
    ...(userId !== undefined && { userid: userId }),
    ...(traceparent !== undefined && { traceparent }),
    data: event.data,
  };
}

/** What no two events share. Data is left out: a later version may write it in another way. */
const OF_ONE_EVENT = ['id', 'type', 'subject', 'time', 'causationid'];

/** Whether an entry's text is what was published of an event. */
function isOf(event: RecordedEvent, text: string): boolean {
  const own = toCloudEvent(event);
  try {
    const entry = JSON.parse(text);
    return OF_ONE_EVENT.every((name) => entry[name] === own[name]);
  } catch {
    return false;
  }
}

/**
 * Publishes the whole log: each event at least once, in the log's order. The position up to which it was published is the
 * projector's checkpoint, and moves only once the target has taken the events.
 *
 * Where the target has lost what was published (a FLUSHALL), or holds what is not in the log, its newest `length` events
 * are published again, with the next event.
 *
 * @param length how many events the target keeps
 */
export function outgoingStream(deps: {
  readonly target: OutgoingTarget;
  readonly log: Pick<EventLog, 'readAll' | 'upcast'>;
  readonly length: number;
}): Projector {
  const { target, log, length } = deps;
  return {
    name: 'outgoing-stream',
    eventTypes: 'all',
    async apply(events) {
      const [first, last] = [events[0]!.globalPosition, events.at(-1)!.globalPosition];
      let published = (await lastPublished()) ?? Math.max(0, last - length);
      while (published < first - 1) {
        const window = await log.readAll(published, Math.min(PAGE, first - 1 - published));
        await publish(window.events.map(log.upcast));
        published = window.through;
      }
      await publish(events.filter(({ globalPosition }) => globalPosition > published));
      return undefined;
    },
  };

  /** Null: nothing, or nothing of this log. */
  async function lastPublished(): Promise<number | null> {
    const newest = await target.newest();
    if (!newest) return null;
    const { position, text } = newest;
    // A database that was restored gives positions again: the last entry may be another event than the log has there.
    const [event] = position > 0 ? (await log.readAll(position - 1, 1)).events : [];
    if (event && isOf(event, text)) return position;
    await target.clear();
    return null;
  }

  async function publish(events: readonly RecordedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const entryOf = (event: RecordedEvent) => ({
      position: event.globalPosition,
      type: event.type,
      text: JSON.stringify(toCloudEvent(event)),
    });
    await target.add(events.map(entryOf));
  }
}
