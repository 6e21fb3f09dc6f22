import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { ClaimedDelivery } from './claimed.js';
import { statements } from './statements.js';
import type { Mailbox } from './tasks.js';
import type { Transition } from './transition.js';

/** The deliveries that wait in Postgres. Both calls stand alone, so that many can be made one. */
export interface Mailboxes {
  /**
   * Leases the first delivery of a mailbox. Null where it is empty, or where somebody else alive holds its head
   * and goes on with the rest.
   */
  claim(mailbox: Mailbox): Promise<ClaimedDelivery | null>;
  /**
   * Makes a step of a delivery's life, with all that belongs to it.
   *
   * @returns false where the lease is not held any more: then nothing was written
   */
  apply(transition: Transition): Promise<boolean>;
}

/** @param leaseMs longer than any provider call may take */
export function createMailboxes(postgres: Queryable, ids: Ids, leaseMs: number): Mailboxes {
  return {
    async claim({ userId, queue }) {
      const { rows } = await postgres.query<ClaimedDelivery>(statements.claim, [
        userId,
        queue.channel,
        queue.priorities,
        ids.next(),
        leaseMs,
      ]);
      return rows[0] ?? null;
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
