import type { Logger } from '../../../platform/logging/logger.js';
import type { Queues } from '../../../platform/queues/queues.js';
import { queueOf } from '../delivery/tasks.js';
import { mailboxOf, type StoredMailbox } from '../delivery/wake-up.js';
import { createWakeAccepted } from '../intake/wake-accepted.js';

/**
 * Users whom pages wake in a second, and who wait: more than a worker sends to in a second. The others' jobs, and
 * those that Redis is too slow for, the sweeper enqueues some seconds later, when the earlier ones are sent.
 */
const MOST_WOKEN = 5_000;
const SECOND_MS = 1_000;
/** Pages whose wake-up jobs are being enqueued at once. */
const MOST_WAKING = 4;

/** Enqueues wake-up jobs for the users of a page, unless workers have enough to do. Answers at once and never throws. */
export type WakePage = (places: readonly StoredMailbox[], correlationId: string) => void;

/** @param now milliseconds that only ever grow */
export function createWakePage(
  deps: { readonly queues: Queues; readonly logger: Logger },
  now: () => number = () => performance.now(),
): WakePage {
  const wakeAccepted = createWakeAccepted(deps.queues, deps.logger);
  const waiting = watchWaiting(deps.queues);
  let since = Number.NEGATIVE_INFINITY;
  let users = 0;
  let pages = 0;
  return (places, correlationId) => {
    if (now() - since >= SECOND_MS) {
      since = now();
      users = 0;
      waiting.look();
    }
    waiting.watch(places);
    if (places.length === 0 || pages >= MOST_WAKING || users + waiting.jobs() >= MOST_WOKEN) return;
    pages += 1;
    users += places.length;
    // It never rejects.
    void wakeAccepted(places.map(mailboxOf), correlationId).then(() => {
      pages -= 1;
    });
  };
}

/** How many jobs waited when it was looked at last, in the queues of the pages since the look before. */
function watchWaiting(queues: Queues) {
  let names = new Set<string>();
  let jobs = 0;

  async function count(asked: ReadonlySet<string>): Promise<void> {
    // What cannot be counted cannot be enqueued either, which is logged there.
    const counts = await Promise.all([...asked].map((name) => queues.counts(name).catch(() => null)));
    jobs = counts.reduce((sum, found) => sum + (found?.waiting ?? 0), 0);
  }

  return {
    watch(places: readonly StoredMailbox[]): void {
      const kinds = new Map(places.map(({ channel, priority }) => [channel, priority]));
      for (const [channel, priority] of kinds) names.add(queueOf(channel, priority).name);
    },
    look(): void {
      void count(names);
      names = new Set();
    },
    jobs: () => jobs,
  };
}
