import type { Clock } from '../../../platform/clock.js';
import type { Queryable } from '../../../platform/postgres.js';
import type { Queues } from '../../../platform/queues.js';
import type { Channel, Priority } from '../types.js';
import { sql as statements } from './retry.sql.js';
import { enqueueWakeUps, mailboxOf } from './wake-up.js';

/** Redis and this machine may disagree by this much about when a retry is due; a job that comes too early is lost. */
const SLACK_MS = 250;

/** The mailbox that a delivery is in, as the statements of retries and sweeps answer it. */
export interface StoredMailbox {
  readonly userId: string;
  readonly channel: Channel;
  readonly priority: Priority;
}

/** Puts a delivery whose retry is due back into its mailbox and enqueues a wake-up job. A repeat finds nothing to do. */
export async function requeueDelivery(
  deps: { readonly postgres: Queryable; readonly queues: Queues; readonly clock: Clock },
  deliveryId: string,
  correlationId: string,
): Promise<void> {
  const dueUntil = new Date(deps.clock.now() + SLACK_MS);
  const { rows } = await deps.postgres.query(statements.requeue, [deliveryId, dueUntil]);
  await enqueueWakeUps(deps.queues, rows.map(mailboxOf), correlationId);
}
