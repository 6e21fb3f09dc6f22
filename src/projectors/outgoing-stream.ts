import type { EventLog, RecordedEvent } from '../platform/event-log/index.js';
import type { Projector } from '../platform/projector/projector.js';
import { KEY_PREFIX, type Redis } from '../platform/redis.js';

/** The Redis Stream that other systems read. */
export const OUTGOING_STREAM = `${KEY_PREFIX}:events`;
/** The one field of each entry: a CloudEvent in JSON. */
export const EVENT_FIELD = 'event';

const PAGE = 500;
const ENTRY_ID = /^(\d{1,15})-0$/;

/** An event of the log as other systems get it: CloudEvents 1.0, JSON format, with the `sequence` extension. */
export function toCloudEvent(event: RecordedEvent): Readonly<Record<string, unknown>> {
  const { correlationId, causationId, userId } = event.metadata;
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
 * Publishes the whole log to a Redis Stream: each event at least once, in the log's order, under its global position as
 * the entry's id (`<position>-0`), so that a repeat is no second entry, and a reader knows what it has missed. The
 * position up to which it was published is the projector's checkpoint, and moves only once Redis has taken the events.
 *
 * Where the stream has lost what was published (a FLUSHALL), or holds what is not in the log, its newest `length` events
 * are published again, with the next event.
 *
 * @param length how many events the stream keeps at least; Redis trims it by whole nodes of some hundred
 */
export function outgoingStream(deps: {
  readonly redis: Pick<Redis, 'xrevrange' | 'multi' | 'del'>;
  readonly log: Pick<EventLog, 'readAll' | 'upcast'>;
  readonly length: number;
}): Projector {
  const { redis, log, length } = deps;
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
    const [entry] = await redis.xrevrange(OUTGOING_STREAM, '+', '-', 'COUNT', 1);
    if (!entry) return null;
    const [id, [, text = '']] = entry;
    const position = Number(ENTRY_ID.exec(id)?.[1] ?? 0);
    // A database that was restored gives positions again: the last entry may be another event than the log has there.
    const [event] = position > 0 ? (await log.readAll(position - 1, 1)).events : [];
    if (event && isOf(event, text)) return position;
    await redis.del(OUTGOING_STREAM);
    return null;
  }

  /**
   * All at once: were one refused in between, for want of memory say, what comes behind it would take its place for good.
   *
   * @throws where Redis refuses one of them: then nothing is in the stream that what comes before it is not
   */
  async function publish(events: readonly RecordedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const batch = redis.multi();
    for (const event of events) {
      const text = JSON.stringify(toCloudEvent(event));
      batch.xadd(OUTGOING_STREAM, 'MAXLEN', '~', length, `${event.globalPosition}-0`, EVENT_FIELD, text);
    }
    for (const [error] of (await batch.exec()) ?? []) if (error) throw error;
  }
}
