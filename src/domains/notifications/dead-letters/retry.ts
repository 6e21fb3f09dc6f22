import type { Caller } from '../../../platform/auth/caller.js';
import type { Clock } from '../../../platform/clock.js';
import { withinMs } from '../../../platform/deadline.js';
import type { Result } from '../../../platform/errors.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import type { Queues } from '../../../platform/queues/queues.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import type { Applied } from '../delivery/mailbox.js';
import { enqueueWakeUps, mailboxOf } from '../delivery/wake-up.js';
import type { LifecycleStream } from '../lifecycle/stream.js';
import { publishMoved } from '../lifecycle/topic.js';
import type { NotificationMetrics } from '../metrics.js';
import { type Channel, priorities } from '../types.js';
import { type DeadLetterSelection, eachBatch, type Settlement, settleSelected } from './batches.js';
import { type ReconsiderDeps, reconsider, undeclined } from './reconsider.js';
import { findDead, type LockedDelivery, lockDeliveries, revive, settle } from './settle.js';

export interface SettleDeps {
  readonly postgres: Postgres;
  readonly queues: Queues;
  readonly wakeUps: WakeUpPublisher;
  readonly lifecycle: LifecycleStream;
  readonly metrics: NotificationMetrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Closes open ones; their deliveries stay DEAD. Refused as `settleSelected` refuses. */
export const discard = (
  deps: SettleDeps,
  by: Caller,
  selection: DeadLetterSelection,
): Promise<Result<Settlement>> =>
  settleSelected(deps, by, selection, 'discarded', (deliveryIds, channel) =>
    deps.postgres.transaction(async (tx) => {
      await lockDeliveries(tx, deliveryIds);
      return settle(tx, deliveryIds, channel, deps.clock.now());
    }),
  );

/**
 * Takes open ones up again: their deliveries are QUEUED as if they were new, with the caller's name in the timeline.
 * One that has expired meanwhile will be found so when it is its turn; one that its user has declined meanwhile is
 * closed and stays DEAD. See `settleSelected` for how far one call goes.
 *
 * Refused as `settleSelected` refuses.
 */
export const retry = (
  deps: SettleDeps & Pick<ReconsiderDeps, 'profiles'>,
  by: Caller,
  selection: DeadLetterSelection,
): Promise<Result<Settlement>> =>
  settleSelected(deps, by, selection, 'retried', (deliveryIds, channel) =>
    retryBatch(deps, by, deliveryIds, channel),
  );

/** In one transaction; then enqueues wake-up jobs. Answers those that it settled: of two calls at once, one does. */
async function retryBatch(
  deps: SettleDeps & Pick<ReconsiderDeps, 'profiles'>,
  by: Caller,
  deliveryIds: readonly string[],
  channel: Channel | null,
): Promise<readonly string[]> {
  const now = deps.clock.now();
  const { settled, revived, applied } = await deps.postgres.transaction(async (tx) => {
    const locked = await lockDeliveries(tx, deliveryIds);
    const settled = await settle(tx, deliveryIds, channel, now);
    const open = new Set(settled);
    const dead = locked.filter(({ deliveryId, status }) => status === 'DEAD' && open.has(deliveryId));
    const revived = await undeclined(deps.profiles, dead);
    return { settled, revived, applied: await revive(tx, revived, by.viewer.userId, now) };
  });
  await announce(deps, revived, applied, by.correlationId);
  return settled;
}

/** For the request's producer: takes up again what of it was given up, discarded or not, and is still wanted. See `reconsider`. */
export async function resend(
  deps: SettleDeps & ReconsiderDeps,
  requestId: string,
  correlationId: string,
): Promise<void> {
  const dead = await findDead(deps.postgres, requestId);
  for (const batch of eachBatch(dead)) await resendBatch(deps, batch, correlationId);
}

async function resendBatch(
  deps: SettleDeps & ReconsiderDeps,
  deliveryIds: readonly string[],
  correlationId: string,
): Promise<void> {
  const now = deps.clock.now();
  const { dead, applied } = await deps.postgres.transaction(async (tx) => {
    const locked = await lockDeliveries(tx, deliveryIds);
    const given = locked.filter(({ status }) => status === 'DEAD');
    const dead = await reconsider(deps, given, now);
    await settle(
      tx,
      dead.map(({ deliveryId }) => deliveryId),
      null,
      now,
    );
    return { dead, applied: await revive(tx, dead, null, now) };
  });
  await announce(deps, dead, applied, correlationId);
}

/** How long a batch may wait for Redis. */
const ANNOUNCE_WITHIN_MS = 2_000;

/** Enqueues wake-up jobs, the urgent first, and wakes subscribers; where one of both fails the other is done all the same. */
async function announce(
  { queues, wakeUps, lifecycle, metrics, logger }: SettleDeps,
  revived: readonly LockedDelivery[],
  applied: readonly Applied[],
  correlationId: string,
): Promise<void> {
  lifecycle.publish(applied.flatMap(({ steps }) => steps));
  for (const { channel } of revived) metrics.moved(channel, 'QUEUED');
  const requestIds = [...new Set(revived.map(({ requestId }) => requestId))];
  const attempt = (work: Promise<void>, failure: string): Promise<void> =>
    withinMs(ANNOUNCE_WITHIN_MS, work).catch((error: unknown) =>
      logger.warn({ err: error, correlationId }, failure),
    );
  // What is queued stays queued.
  await Promise.all([
    attempt(
      wakeInOrder(queues, revived, correlationId),
      'wake-up jobs of retried deliveries could not be enqueued; the sweeper enqueues them',
    ),
    attempt(publishMoved(wakeUps, requestIds), 'subscribers of retried notifications could not be woken'),
  ]);
}

async function wakeInOrder(
  queues: Queues,
  revived: readonly LockedDelivery[],
  correlationId: string,
): Promise<void> {
  for (const priority of priorities) {
    const urgent = revived.filter((delivery) => delivery.priority === priority);
    await enqueueWakeUps(queues, urgent.map(mailboxOf), correlationId);
  }
}
