import type { Logger } from '../../../platform/logging/logger.js';
import { KEY_PREFIX, type Redis } from '../../../platform/redis/redis.js';
import { noteDiscarded } from '../../../platform/redis/redis-value.js';
import { forEverybody } from '../../../platform/wake-ups/reader.js';
import type { NotificationMetrics } from '../metrics.js';
import { type DeliverySteps, packSteps, unpackSteps } from './steps.js';

const STREAM = `${KEY_PREFIX}:notifications:lifecycle`;
/** Entries that are kept: at the pace of the busiest hour some minutes' worth, and some 100 MB. */
const STREAM_LENGTH = 10_000;
/** What happens within this goes as one entry. */
const GATHER_MS = 25;
/** Deliveries of one entry. Packing more would keep the event loop. */
const ENTRY_SIZE = 500;
/** Deliveries whose steps wait for Redis; what comes beyond is dropped. */
const MAX_WAITING = 20_000;

/**
 * Publishes what happens to deliveries, as it happens. The stream is not the record: what a process that dies or a Redis that is away
 * does not publish is in delivery_events.
 */
export interface LifecycleStream {
  /** Call it once the steps are committed. Answers at once and never throws: what cannot be published is dropped and counted. */
  publish(steps: readonly DeliverySteps[]): void;
}

export function createLifecycleStream(deps: {
  readonly redis: Pick<Redis, 'xadd'>;
  readonly logger: Logger;
  readonly metrics: Pick<NotificationMetrics, 'stepsDropped'>;
}): LifecycleStream {
  const { redis, logger, metrics } = deps;
  let gathered: DeliverySteps[] = [];
  let onTheirWay = 0;
  let isFailing = false;
  let isScheduled = false;

  async function send(): Promise<void> {
    isScheduled = false;
    const entry = gathered.slice(0, ENTRY_SIZE);
    gathered = gathered.slice(ENTRY_SIZE);
    if (gathered.length > 0) schedule(setImmediate);
    onTheirWay += entry.length;
    try {
      await redis.xadd(STREAM, 'MAXLEN', '~', STREAM_LENGTH, '*', 's', packSteps(entry));
      isFailing = false;
    } catch (error) {
      drop(entry);
      // An outage is logged once, not forty times a second.
      if (!isFailing) logger.warn({ err: error }, 'lifecycle steps could not be published');
      isFailing = true;
    }
    onTheirWay -= entry.length;
  }

  function schedule(later: (work: () => void) => unknown): void {
    if (isScheduled) return;
    isScheduled = true;
    later(() => void forEverybody(send));
  }

  const drop = (steps: readonly DeliverySteps[]): void =>
    metrics.stepsDropped(steps.reduce((sum, one) => sum + one.events.length + one.suspected.length, 0));

  return {
    publish(steps) {
      const free = Math.max(0, MAX_WAITING - onTheirWay - gathered.length);
      for (const one of steps.slice(0, free)) gathered.push(one);
      if (steps.length > free) drop(steps.slice(free));
      if (gathered.length > 0) schedule((work) => setTimeout(work, GATHER_MS));
    },
  };
}

/** A part of the stream. */
export interface StreamPage {
  readonly steps: readonly DeliverySteps[];
  /** Goes on after this. */
  readonly position: string;
  /** Nothing more was there. */
  readonly isLast: boolean;
}

/** Reads on after a position; `0-0` is before all that is kept. */
export async function readStream(
  { redis, logger }: { readonly redis: Pick<Redis, 'xrange' | 'xrevrange'>; readonly logger: Logger },
  position: string,
  limit: number,
): Promise<StreamPage> {
  const entries = await redis.xrange(STREAM, `(${position}`, '+', 'COUNT', limit);
  if (entries.length === 0) return { steps: [], position: await settle(redis, position), isLast: true };
  const steps = entries.flatMap(([id, fields]) => {
    try {
      return unpackSteps(fields[1] ?? '');
    } catch (error) {
      // Another version's, perhaps: its steps are in delivery_events all the same.
      noteDiscarded('lifecycle_steps');
      logger.error({ err: error, id }, 'an entry of the lifecycle stream that cannot be read');
      return [];
    }
  });
  return { steps, position: entries.at(-1)![0], isLast: entries.length < limit };
}

/** A stream that ends before our position is another one: of a Redis that lost its keys, and whose clock is slow. */
async function settle(redis: Pick<Redis, 'xrevrange'>, position: string): Promise<string> {
  const [newest] = await redis.xrevrange(STREAM, '+', '-', 'COUNT', 1);
  return newest && isAfter(position, newest[0]) ? '0-0' : position;
}

/** Whether stream id `one` comes after `other`. */
function isAfter(one: string, other: string): boolean {
  const [oneMs = 0, oneSequence = 0] = one.split('-').map(Number);
  const [otherMs = 0, otherSequence = 0] = other.split('-').map(Number);
  return oneMs === otherMs ? oneSequence > otherSequence : oneMs > otherMs;
}
