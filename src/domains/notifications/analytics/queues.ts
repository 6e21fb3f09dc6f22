import type { Clock } from '../../../platform/clock.js';
import { PublicError } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queues } from '../../../platform/queues/queues.js';
import { watchDeadLetters } from '../alerts/watch.js';
import { channelQueues, deadLetter, releaseDue, retryDelivery } from '../delivery/tasks.js';

/** Every queue of notifications, the most urgent of each channel first. */
export const notificationQueues: readonly string[] = [
  ...channelQueues.map(({ name }) => name),
  ...[...Object.values(retryDelivery), deadLetter, releaseDue, watchDeadLetters].map(({ queue }) => queue),
];

/** How a queue stands. In a channel's queues, users are counted, however many deliveries wait. */
export interface QueueStats {
  readonly name: string;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  /** Null where none waits. */
  readonly oldestWaitingMs: number | null;
}

export interface QueuesDeps {
  readonly queues: Pick<Queues, 'counts' | 'oldestWaitingAt'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * How every queue of notifications stands.
 *
 * @throws PublicError SERVICE_UNAVAILABLE while Redis is away
 */
export async function readQueues(deps: QueuesDeps): Promise<readonly QueueStats[]> {
  try {
    return await Promise.all(notificationQueues.map((name) => readQueue(deps, name)));
  } catch (error) {
    deps.logger.warn({ err: error }, 'the queues could not be looked at');
    throw new PublicError('SERVICE_UNAVAILABLE', 'The queues cannot be looked at for now: try again');
  }
}

async function readQueue({ queues, clock }: QueuesDeps, name: string): Promise<QueueStats> {
  const [counts, oldest] = await Promise.all([queues.counts(name), queues.oldestWaitingAt(name)]);
  const { waiting = 0, active = 0, delayed = 0, failed = 0 } = counts;
  const oldestWaitingMs = oldest === null ? null : Math.max(0, clock.now() - oldest);
  return { name, waiting, active, delayed, failed, oldestWaitingMs };
}
