import type { Queues } from '../../../platform/queues/queues.js';
import type { Channel, Priority } from '../types.js';
import { type Mailbox, queueOf, wakeMailbox } from './tasks.js';

/** Enqueues one wake-up job for each mailbox, however often it is named. */
export const enqueueWakeUps = (
  queues: Queues,
  mailboxes: Iterable<Mailbox>,
  correlationId: string,
): Promise<void> =>
  enqueueAllWakeUps(
    queues,
    Array.from(mailboxes, (mailbox) => ({ mailbox, correlationId })),
  );

/**
 * The same with several correlation ids; a mailbox that is named by several gets the first. Such a job is a hint and in no trace: what it
 * finds in the mailbox is, each delivery in its own.
 */
export async function enqueueAllWakeUps(
  queues: Queues,
  wakeUps: readonly { readonly mailbox: Mailbox; readonly correlationId: string }[],
): Promise<void> {
  const byQueue = new Map<string, Map<string, string>>();
  for (const { mailbox, correlationId } of wakeUps) {
    const users = byQueue.get(mailbox.queue.name) ?? new Map<string, string>();
    byQueue.set(mailbox.queue.name, users);
    if (!users.has(mailbox.userId)) users.set(mailbox.userId, correlationId);
  }
  await Promise.all(
    [...byQueue].map(([queue, users]) =>
      queues.enqueueMany(
        wakeMailbox.get(queue)!,
        [...users].map(([userId, correlationId]) => ({
          payload: { userId },
          options: { correlationId, deduplicationId: userId },
        })),
      ),
    ),
  );
}

/** The database and Redis may disagree by this much about when a lease is over. */
const SLACK_MS = 50;

/**
 * Enqueues one more wake-up job for the end of a lease, in case its holder was killed. It does not stand for messages that arrive
 * in the meantime: these enqueue one of their own.
 *
 * @param lease its token, under which only one such job is made (none: its holder is done in a moment), and the
 *   milliseconds that it still lasts
 */
export async function enqueueAfterLease(
  queues: Queues,
  { queue, userId }: Mailbox,
  lease: { readonly leaseToken: string | null; readonly forMs: number },
  correlationId: string,
): Promise<void> {
  await queues.enqueue(
    wakeMailbox.get(queue.name)!,
    { userId, afterLease: true },
    {
      correlationId,
      delayMs: lease.forMs + SLACK_MS,
      ...(lease.leaseToken !== null && { jobId: `lease-${lease.leaseToken}` }),
    },
  );
}

/** What says of a delivery which mailbox it is in. */
export interface StoredMailbox {
  readonly userId: string;
  readonly channel: Channel;
  readonly priority: Priority;
}

/** The mailbox that a delivery is in. */
export const mailboxOf = ({ userId, channel, priority }: StoredMailbox): Mailbox => ({
  queue: queueOf(channel, priority),
  userId,
});
