import type { Queues } from '../../../platform/queues/queues.js';
import type { Channel, Priority } from '../types.js';
import { type Mailbox, queueOf, usersOfWakeUp, wakeMailbox } from './tasks.js';

/** A mailbox in which something waits, and because of what. */
interface WakeUp {
  readonly mailbox: Mailbox;
  readonly correlationId: string;
}

/** Enqueues wake-up jobs for mailboxes, each once, however often it is named. */
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
 * The same with several correlation ids; a mailbox that is named by several gets the first. Users of a queue share jobs; one who is
 * alone has a job of their own, which is not added while such a one waits. Such a job is a hint and in no trace: what it
 * finds in a mailbox is, each delivery in its own.
 */
export const enqueueAllWakeUps = (queues: Queues, wakeUps: readonly WakeUp[]): Promise<void> =>
  enqueueInJobsOf(queues, wakeUps, usersOfWakeUp.most);

/**
 * Enqueues a wake-up job for each of these mailboxes, unless one of its own waits. For callers that do not know whether it was woken
 * before: jobs of many users would be added again and again.
 */
export const enqueueApart = (
  queues: Queues,
  mailboxes: readonly Mailbox[],
  correlationId: string,
): Promise<void> =>
  enqueueInJobsOf(
    queues,
    mailboxes.map((mailbox) => ({ mailbox, correlationId })),
    1,
  );

async function enqueueInJobsOf(queues: Queues, wakeUps: readonly WakeUp[], most: number): Promise<void> {
  const byQueue = new Map<string, Map<string, string>>();
  for (const { mailbox, correlationId } of wakeUps) {
    const users = byQueue.get(mailbox.queue.name) ?? new Map<string, string>();
    byQueue.set(mailbox.queue.name, users);
    if (!users.has(mailbox.userId)) users.set(mailbox.userId, correlationId);
  }
  await Promise.all(
    [...byQueue].map(([queue, users]) =>
      queues.enqueueMany(wakeMailbox.get(queue)!, jobsOf([...users], most)),
    ),
  );
}

function jobsOf(users: readonly (readonly [userId: string, correlationId: string])[], most: number) {
  const count = Math.ceil(users.length / most);
  return Array.from({ length: count }, (_, index) => {
    const [[userId, correlationId], ...rest] = users.slice(index * most, (index + 1) * most) as [
      (typeof users)[number],
      ...typeof users,
    ];
    if (rest.length === 0)
      return { payload: { userId }, options: { correlationId, deduplicationId: userId } };
    const others = rest.map(([other, own]) => ({
      userId: other,
      ...(own !== correlationId && { correlationId: own }),
    }));
    return { payload: { userId, others }, options: { correlationId, parts: 1 + others.length } };
  });
}

/** The database and Redis may disagree by this much about when a lease is over. */
const SLACK_MS = 50;

/**
 * Enqueues one more wake-up job for the end of a lease, in case its holder was killed.
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
    { userId },
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
