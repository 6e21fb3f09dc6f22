import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import type { Postgres, Queryable } from '../../../platform/postgres/postgres.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import { applyTransitions } from '../delivery/mailbox.js';
import { stepOf, type Transition } from '../delivery/transition.js';
import { takeFromDigests } from '../digests/items.js';
import { type RequestName, requestNamed } from '../lifecycle/find.js';
import type { LifecycleStream } from '../lifecycle/stream.js';
import { publishSteps } from '../lifecycle/topic.js';
import { sql as statements } from './cancel.sql.js';

export interface CancelDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly wakeUps: WakeUpPublisher;
  readonly lifecycle: LifecycleStream;
}

/**
 * Cancels what was not yet sent of a request, also what waits for a digest. A call that is on its way stays on it, and is not made
 * again.
 *
 * Refused with NOT_FOUND where the caller has no request under their own id.
 *
 * @returns how many deliveries were cancelled: 0 where it is too late for all of them
 */
export async function cancelNotification(
  deps: CancelDeps,
  caller: Caller,
  name: RequestName,
): Promise<Result<number>> {
  const requestId = await requestNamed(deps.postgres, caller, name);
  if (requestId === null) {
    return refused(
      'NOT_FOUND',
      `There is no notification ${typeof name === 'string' ? name : name.requestId}`,
      ['input', 'notificationId'],
    );
  }
  return ok(await cancelRequests(deps, [requestId]));
}

/**
 * Cancels what was not yet sent of requests, in one transaction.
 *
 * @returns how many deliveries were cancelled
 */
export async function cancelRequests(deps: CancelDeps, requestIds: readonly string[]): Promise<number> {
  const cancelled = await deps.postgres.transaction(async (tx) => {
    const { rows } = await tx.query(statements.lockUnsent, [requestIds]);
    const gathered = rows.filter(({ isGathered }) => isGathered).map(({ deliveryId }) => deliveryId);
    const waiting = await takeFromDigests(tx, gathered);
    const unsent = rows.filter(({ deliveryId, isGathered }) => !isGathered || waiting.has(deliveryId));
    const now = deps.clock.now();
    const applied = await applyTransitions(
      tx,
      unsent.map((row) => cancellation(row, now)),
    );
    await markCancelled(tx, requestIds, now);
    return applied;
  });
  await publishSteps(deps, cancelled).catch(() => undefined);
  return cancelled.length;
}

/** Workers call no provider for them any more, whatever waits of them. */
export async function markCancelled(
  postgres: Queryable,
  requestIds: readonly string[],
  now: number,
): Promise<void> {
  await postgres.query(statements.markCancelled, [requestIds, new Date(now)]);
}

/** What becomes of a delivery whose request was cancelled before it was sent. */
export const cancellation = (delivery: Parameters<typeof stepOf>[0], now: number): Transition => ({
  ...stepOf(delivery, now),
  status: 'CANCELLED',
  suppression: 'CANCELLED',
  events: [{ event: 'CANCELLED', status: 'CANCELLED' }],
});
