import type { Ids } from '../../../platform/ids.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { ClaimedDelivery } from './claimed.js';
import type { Mailbox } from './tasks.js';
import type { Transition } from './transition.js';

const statements = loadStatements(new URL('./mailbox.sql', import.meta.url), ['claim', 'apply']);

/**
 * What asking for the head of a mailbox gives.
 * - `held`: somebody has it on lease. If he lives he goes on with the rest; if he was killed, nobody does until the
 *   lease ends, `forMs` milliseconds from now.
 */
export type Claim =
  | { readonly kind: 'claimed'; readonly delivery: ClaimedDelivery }
  | { readonly kind: 'held'; readonly leaseToken: string; readonly forMs: number }
  | { readonly kind: 'empty' };

/** The deliveries that wait in Postgres. Both calls stand alone, so that many can be made one. */
export interface Mailboxes {
  /** Leases the first delivery of a mailbox. */
  claim(mailbox: Mailbox): Promise<Claim>;
  /**
   * Makes a step of a delivery's life, with all that belongs to it.
   *
   * @returns false where the lease is not held any more: then nothing was written
   */
  apply(transition: Transition): Promise<boolean>;
}

type ClaimRow =
  | (ClaimedDelivery & { readonly heldBy: null })
  | { readonly heldBy: string; readonly heldMs: number };

/** @param leaseMs longer than any provider call may take */
export function createMailboxes(postgres: Queryable, ids: Ids, leaseMs: number): Mailboxes {
  return {
    async claim({ userId, queue }) {
      const { rows } = await postgres.query<ClaimRow>(statements.claim, [
        userId,
        queue.channel,
        queue.priorities,
        ids.next(),
        leaseMs,
      ]);
      const row = rows[0];
      if (!row) return { kind: 'empty' };
      if (row.heldBy !== null) return { kind: 'held', leaseToken: row.heldBy, forMs: row.heldMs };
      return { kind: 'claimed', delivery: row };
    },
    apply: async (transition) => (await applyTransitions(postgres, [transition])).length > 0,
  };
}

/** Applies transitions whose guard holds, in one statement. Answers those applied. */
export async function applyTransitions(
  postgres: Queryable,
  transitions: readonly Transition[],
): Promise<readonly { readonly deliveryId: string; readonly requestId: string }[]> {
  const { rows } = await postgres.query<{ deliveryId: string; requestId: string }>(statements.apply, [
    JSON.stringify(transitions),
  ]);
  return rows;
}
