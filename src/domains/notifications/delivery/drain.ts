import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logger.js';
import type { Queues } from '../../../platform/queues.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups.js';
import { publishMoved } from '../lifecycle/topic.js';
import type { NotificationMetrics } from '../metrics.js';
import type { Providers } from '../providers/index.js';
import { callTargets } from './call-targets.js';
import type { ClaimedDelivery } from './claimed.js';
import { deadLetterOf } from './dead-letter.js';
import type { Mailboxes } from './mailbox.js';
import { decideOutcome, expire } from './outcome.js';
import { ring, ringAfterLease } from './ring.js';
import { deadLetter, type Mailbox, retryDelivery } from './tasks.js';
import type { Transition } from './transition.js';

/** Deliveries that one doorbell answers before others have their turn. */
const TURN = 20;

export interface DrainDeps {
  readonly mailboxes: Mailboxes;
  readonly providers: Providers;
  readonly queues: Queues;
  readonly wakeUps: WakeUpPublisher;
  readonly metrics: NotificationMetrics;
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Milliseconds that a provider call may take. */
  readonly deadlineMs: number;
}

/** In which story a job runs, and until when. */
export interface DrainRun {
  readonly correlationId: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Sends what lies in a mailbox, in order, until it is empty. After a turn's worth, or when the process drains, it
 * rings again and ends; where another worker holds the mailbox's head, it rings for when that lease is over. A provider's failure never makes it reject; a failing database does.
 */
export async function drainMailbox(deps: DrainDeps, mailbox: Mailbox, run: DrainRun): Promise<void> {
  for (let sent = 0; sent < TURN && !run.signal.aborted; sent++) {
    const claim = await deps.mailboxes.claim(mailbox);
    if (claim.kind === 'empty') return;
    if (claim.kind === 'held') return ringAfterLease(deps.queues, mailbox, claim, run.correlationId);
    const { delivery } = claim;
    const transition = await work(deps, delivery);
    const applied = await deps.mailboxes.apply(transition);
    if (applied) await announce(deps, delivery, transition, run);
    else
      run.logger.warn(
        { deliveryId: delivery.deliveryId },
        'a lease ended early: somebody else has the delivery, or its provider called back',
      );
  }
  await ring(deps.queues, [mailbox], run.correlationId);
}

async function work(deps: DrainDeps, delivery: ClaimedDelivery): Promise<Transition> {
  const { clock, providers, deadlineMs, random } = deps;
  if (delivery.expiresAt && delivery.expiresAt.getTime() <= clock.now()) return expire(delivery, clock.now());
  const calls = await callTargets(delivery, providers, clock, deadlineMs);
  return decideOutcome(delivery, calls, clock.now(), random());
}

/** Tells whoever is concerned. What gets lost here is found again in Postgres, so a failure is only logged. */
async function announce(
  deps: DrainDeps,
  delivery: ClaimedDelivery,
  transition: Transition,
  run: DrainRun,
): Promise<void> {
  const { channel, priority, deliveryId } = delivery;
  deps.metrics.moved(channel, transition.status);
  if (transition.status === 'DELIVERED') {
    deps.metrics.delivered(channel, priority, transition.at.getTime() - delivery.createdAt.getTime());
  }
  const told = await Promise.allSettled([
    publishMoved(deps.wakeUps, [delivery.requestId]),
    scheduleRetry(deps, delivery, transition, run.correlationId),
    buryDead(deps, delivery, transition, run.correlationId),
  ]);
  for (const one of told) {
    if (one.status === 'rejected')
      run.logger.warn({ err: one.reason, deliveryId }, 'announcing a step failed');
  }
}

async function scheduleRetry(
  { queues, clock }: DrainDeps,
  { deliveryId, channel }: ClaimedDelivery,
  { nextRetryAt }: Transition,
  correlationId: string,
): Promise<void> {
  if (!nextRetryAt) return;
  const delayMs = Math.max(0, Math.ceil(nextRetryAt.getTime() - clock.now()));
  await queues.enqueue(retryDelivery[channel], { deliveryId }, { correlationId, delayMs });
}

async function buryDead(
  { queues }: DrainDeps,
  delivery: ClaimedDelivery,
  { failure, at }: Transition,
  correlationId: string,
): Promise<void> {
  if (!failure) return;
  const addresses = delivery.targets.map((target) => target.address);
  await queues.enqueue(deadLetter, deadLetterOf(delivery, addresses, failure, at), { correlationId });
}
