import type { Queues } from '../../../platform/queues.js';
import type { Channel, Priority } from '../types.js';
import { type Mailbox, queueOf, ringMailbox } from './tasks.js';

/** Rings for mailboxes: one doorbell each, however often they are named. */
export async function ring(
  queues: Queues,
  mailboxes: Iterable<Mailbox>,
  correlationId: string,
): Promise<void> {
  const users = new Map<string, Set<string>>();
  for (const { queue, userId } of mailboxes) {
    const known = users.get(queue.name);
    if (known) known.add(userId);
    else users.set(queue.name, new Set([userId]));
  }
  await Promise.all(
    [...users].map(([queue, userIds]) =>
      queues.enqueueMany(
        ringMailbox.get(queue)!,
        [...userIds].map((userId) => ({ payload: { userId }, options: { correlationId, doorbell: userId } })),
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
 * @param lease its token, under which only one such job is made, and the milliseconds that it still lasts
 */
export async function ringAfterLease(
  queues: Queues,
  { queue, userId }: Mailbox,
  lease: { readonly leaseToken: string; readonly forMs: number },
  correlationId: string,
): Promise<void> {
  await queues.enqueue(
    ringMailbox.get(queue.name)!,
    { userId },
    { correlationId, jobId: `lease-${lease.leaseToken}`, delayMs: lease.forMs + SLACK_MS },
  );
}

/** The mailbox that a delivery lies in. */
export const mailboxOf = (delivery: {
  readonly userId: string;
  readonly channel: Channel;
  readonly priority: Priority;
}): Mailbox => ({ queue: queueOf(delivery.channel, delivery.priority), userId: delivery.userId });
