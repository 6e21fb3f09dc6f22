import { withinMs } from '../../../platform/deadline.js';
import { groupCommit } from '../../../platform/group-commit.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queues } from '../../../platform/queues/queues.js';
import type { Mailbox } from '../delivery/tasks.js';
import { enqueueAllWakeUps } from '../delivery/wake-up.js';

/** How long an answer may wait for Redis. */
const WITHIN_MS = 1_000;
const REQUESTS_A_CALL = 500;

/**
 * Enqueues wake-up jobs for what was accepted; those of requests that come at the same time together. Never rejects: the request is
 * accepted all the same, and where enqueueing fails the sweeper does it later.
 */
export type WakeAccepted = (mailboxes: readonly Mailbox[], correlationId: string) => Promise<void>;

export function createWakeAccepted(queues: Queues, logger: Logger): WakeAccepted {
  const enqueue = groupCommit<
    { readonly mailboxes: readonly Mailbox[]; readonly correlationId: string },
    null
  >({
    commit: async (requests) => {
      await enqueueAllWakeUps(
        queues,
        requests.flatMap(({ mailboxes, correlationId }) =>
          mailboxes.map((mailbox) => ({ mailbox, correlationId })),
        ),
      );
      return requests.map(() => null);
    },
    maxItems: REQUESTS_A_CALL,
    callsAtOnce: 4,
  });
  return async (mailboxes, correlationId) => {
    if (mailboxes.length === 0) return;
    const enqueued = enqueue({ mailboxes, correlationId }).catch((error: unknown) =>
      logger.warn(
        { err: error, correlationId },
        'wake-up jobs of accepted notifications could not be enqueued; the sweeper enqueues them',
      ),
    );
    await withinMs(WITHIN_MS, enqueued).catch(() => undefined);
  };
}
