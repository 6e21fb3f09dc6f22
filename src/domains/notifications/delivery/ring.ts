import type { Queues } from '../../../platform/queues.js';
import type { Channel, Priority } from '../types.js';
import { type Mailbox, queueOf, ringMailbox } from './tasks.js';

/** Rings for mailboxes: one doorbell each, however often they are named. */
export const ring = (queues: Queues, mailboxes: Iterable<Mailbox>, correlationId: string): Promise<void> =>
  ringAll(
    queues,
    Array.from(mailboxes, (mailbox) => ({ mailbox, correlationId })),
  );

/** The same, in several stories: the first who names a mailbox rings for it. */
export async function ringAll(
  queues: Queues,
  rings: readonly { readonly mailbox: Mailbox; readonly correlationId: string }[],
): Promise<void> {
  const byQueue = new Map<string, Map<string, string>>();
  for (const { mailbox, correlationId } of rings) {
    const users = byQueue.get(mailbox.queue.name) ?? new Map<string, string>();
    byQueue.set(mailbox.queue.name, users);
    if (!users.has(mailbox.userId)) users.set(mailbox.userId, correlationId);
  }
  await Promise.all(
    [...byQueue].map(([queue, users]) =>
      queues.enqueueMany(
        ringMailbox.get(queue)!,
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
 * Rings once more when a lease ends, in case its holder was killed. It is no doorbell that stands for others: a
 * message that comes in the meantime rings for itself.
 *
 * @param lease its token, under which only one such job is made (none: its holder is done in a moment), and the
 *   milliseconds that it still lasts
 */
export async function ringAfterLease(
  queues: Queues,
  { queue, userId }: Mailbox,
  lease: { readonly leaseToken: string | null; readonly forMs: number },
  correlationId: string,
): Promise<void> {
  await queues.enqueue(
    ringMailbox.get(queue.name)!,
    { userId, afterLease: true },
    {
      correlationId,
      delayMs: lease.forMs + SLACK_MS,
      ...(lease.leaseToken !== null && { jobId: `lease-${lease.leaseToken}` }),
    },
  );
}

/** The mailbox that a delivery lies in. */
export const mailboxOf = (delivery: {
  readonly userId: string;
  readonly channel: Channel;
  readonly priority: Priority;
}): Mailbox => ({ queue: queueOf(delivery.channel, delivery.priority), userId: delivery.userId });
