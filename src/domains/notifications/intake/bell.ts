import { groupCommit } from '../../../platform/group-commit.js';
import type { Logger } from '../../../platform/logger.js';
import type { Queues } from '../../../platform/queues.js';
import { ringAll } from '../delivery/ring.js';
import type { Mailbox } from '../delivery/tasks.js';

/** How long an answer may wait for Redis. */
const RING_WITHIN_MS = 1_000;
const RINGS_A_CALL = 500;

/**
 * Rings for what was accepted. Where that fails the sweeper rings later: a request stands all the same, so this never
 * rejects. Those that ring at once ring together.
 */
export type Bell = (mailboxes: readonly Mailbox[], correlationId: string) => Promise<void>;

export function createBell(queues: Queues, logger: Logger): Bell {
  const ring = groupCommit<Ringing, null>({
    commit: async (ringings) => {
      await ringAll(
        queues,
        ringings.flatMap(({ mailboxes, correlationId }) =>
          mailboxes.map((mailbox) => ({ mailbox, correlationId })),
        ),
      );
      return ringings.map(() => null);
    },
    maxItems: RINGS_A_CALL,
    callsAtOnce: 4,
  });
  return async (mailboxes, correlationId) => {
    if (mailboxes.length === 0) return;
    const ringing = ring({ mailboxes, correlationId }).catch((error: unknown) =>
      logger.warn({ err: error, correlationId }, 'ringing failed; the sweeper will ring'),
    );
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, RING_WITHIN_MS);
    });
    await Promise.race([ringing, late]);
    clearTimeout(timer);
  };
}

interface Ringing {
  readonly mailboxes: readonly Mailbox[];
  readonly correlationId: string;
}
