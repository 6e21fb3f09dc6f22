import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { type Applied, applyTransitions } from '../delivery/mailbox.js';
import { stepOf, type Transition } from '../delivery/transition.js';
import type { Channel } from '../types.js';
import { sql as statements } from './settle.sql.js';

/** A delivery that nobody else changes until the transaction ends. */
export type LockedDelivery = RowOf<typeof statements.lockDeliveries>;

/** A delivery that may be sent once more, to the address that its user has by now. */
export type Resendable = LockedDelivery & { readonly address?: string };

/** The deliveries of a request that were given up. */
export async function findDead(postgres: Queryable, requestId: string): Promise<readonly string[]> {
  const { rows } = await postgres.query(statements.deadOfRequest, [requestId]);
  return rows.map(({ deliveryId }) => deliveryId);
}

/** Settling a dead letter, or writing one, needs the lock on its delivery's row. */
export async function lockDeliveries(
  tx: Queryable,
  deliveryIds: readonly string[],
): Promise<readonly LockedDelivery[]> {
  return (await tx.query(statements.lockDeliveries, [deliveryIds])).rows;
}

/** Settles the letters of locked deliveries, if they are open, and answers which were. */
export async function settle(
  tx: Queryable,
  deliveryIds: readonly string[],
  channel: Channel | null,
  now: number,
): Promise<readonly string[]> {
  const values = [deliveryIds, new Date(now), channel];
  const { rows } = await tx.query(statements.settle, values);
  return rows.map(({ deliveryId }) => deliveryId);
}

/**
 * Puts locked, dead deliveries back into their mailboxes: behind what waits there, and with all their attempts.
 *
 * @param retriedBy the user who wants it; null for each one's producer
 */
export async function revive(
  tx: Queryable,
  deliveries: readonly Resendable[],
  retriedBy: string | null,
  now: number,
): Promise<readonly Applied[]> {
  await tx.query(statements.forgetFailures, [deliveries.map(({ deliveryId }) => deliveryId)]);
  return applyTransitions(
    tx,
    deliveries.map(({ deliveryId, producer, address }) => ({
      ...revival(deliveryId, retriedBy ?? producer, now),
      ...(address !== undefined && { address }),
    })),
  );
}

const revival = (deliveryId: string, retriedBy: string, now: number): Transition => ({
  ...stepOf({ deliveryId, attempt: 0 }, now),
  status: 'QUEUED',
  events: [{ event: 'QUEUED', status: 'QUEUED', detail: { retried_by: retriedBy } }],
});
