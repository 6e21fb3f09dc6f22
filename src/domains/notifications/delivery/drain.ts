import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.js';
import type { JobRun } from '../../../platform/queues/job-runner.js';
import { inSpan, type SpanStart, tracer } from '../../../platform/tracing/tracing.js';
import { isUnavailable } from '../../../platform/unavailable.js';
import type { NotificationLimits } from '../limits/limits.js';
import type { NotificationMetrics } from '../metrics.js';
import { sumsUpOthers } from '../providers/collapse.js';
import type { Providers } from '../providers/index.js';
import { isKeptFrom } from '../suppressions/cause.js';
import { invalidateAddresses } from '../suppressions/invalidate.js';
import type { Tracking } from '../tracking/tracking.js';
import { callTargets } from './call-targets.js';
import type { ClaimedDelivery } from './claimed.js';
import { deadLetterOf } from './dead-letter.js';
import type { OwnDrain, OwnDrains } from './drains.js';
import type { Applied, Finished, Mailboxes } from './mailbox.js';
import { cancel, decideOutcome, expire, keepBack, postpone, takeOver } from './outcome.js';
import { recordOvertaken } from './overtaken.js';
import type { ReportDeps } from './report.js';
import { deadLetter, type Mailbox, releaseDue, retryDelivery } from './tasks.js';
import type { Transition, TransitionEvent } from './transition.js';
import { enqueueAfterLease, enqueueApart } from './wake-up.js';

const AGAIN_AFTER_MS = 200;
/** Deliveries that one job sends before those of other users have their turn. */
const TURN = 20;

export interface DrainDeps extends ReportDeps {
  readonly mailboxes: Mailboxes;
  readonly drains: OwnDrains;
  readonly providers: Providers;
  readonly limits: Pick<NotificationLimits, 'delayOfCall'>;
  readonly tracking: Tracking;
  readonly metrics: NotificationMetrics;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  /** Milliseconds that a provider call may take. */
  readonly deadlineMs: number;
  /** See `decideOutcome`. */
  readonly outageMs: number;
  /** Milliseconds that a claim lasts. */
  readonly leaseMs: number;
}

/**
 * Sends what is in a mailbox, in order, until it is empty. After `TURN` deliveries, or when the process drains, it enqueues
 * another wake-up job and ends; where another worker holds the mailbox's head, a job for the end of that lease. Where this process
 * drains it already, that drain looks again before it ends. A provider's failure never makes it reject; a failing database does.
 */
export async function drainMailbox(deps: DrainDeps, mailbox: Mailbox, run: JobRun): Promise<void> {
  const drain = deps.drains.begin(mailbox);
  if (!drain) return;
  try {
    if (await drainForATurn(deps, mailbox, drain, run)) return;
  } catch (error) {
    // Who was woken meanwhile has left it to this drain.
    if (drain.end())
      await enqueueApart(deps.queues, [mailbox], run.correlationId).catch((failed: unknown) =>
        run.logger.warn({ err: failed }, 'a mailbox waits for the sweeper'),
      );
    throw error;
  }
  // First: a job that came while this was under way would count on it.
  drain.end();
  await enqueueApart(deps.queues, [mailbox], run.correlationId);
}

/** @returns whether the mailbox is empty, or somebody else's, and the drain has ended */
async function drainForATurn(
  deps: DrainDeps,
  mailbox: Mailbox,
  drain: OwnDrain,
  run: JobRun,
): Promise<boolean> {
  for (let sent = 0; sent < TURN && !run.signal.aborted; ) {
    const claim = await deps.mailboxes.claim(mailbox);
    if (claim.kind === 'held') await enqueueAfterLease(deps.queues, mailbox, claim, run.correlationId);
    if (claim.kind !== 'claimed') {
      if (drain.endUnlessWoken()) return true;
      continue;
    }
    sent += 1;
    if (!(await deliverIn(deps, mailbox, claim.delivery, run)) && drain.endUnlessWoken()) return true;
  }
  return false;
}

/** @returns whether more may wait behind it */
async function deliverIn(
  deps: DrainDeps,
  mailbox: Mailbox,
  delivery: ClaimedDelivery,
  run: JobRun,
): Promise<boolean> {
  const using = tracer();
  if (!using) return (await deliver(deps, mailbox, delivery, run)).isFollowed;
  return inSpan(using, spanOf(delivery, mailbox), async (span) => {
    const { transition, isFollowed } = await deliver(deps, mailbox, delivery, run);
    span.set({ 'tidings.delivery.status': transition.status });
    if (transition.failure) span.fail('given up');
    return isFollowed;
  });
}

/** One attempt, in the trace of its request. */
const spanOf = (delivery: ClaimedDelivery, { queue }: Mailbox): SpanStart => ({
  name: `process ${queue.name}`,
  kind: 'consumer',
  parent: delivery.traceparent ?? null,
  attributes: {
    'messaging.system': 'tidings.mailboxes',
    'messaging.destination.name': queue.name,
    'messaging.operation.name': 'deliver',
    'messaging.operation.type': 'process',
    'messaging.message.id': delivery.deliveryId,
    'tidings.delivery.attempt': delivery.attempt,
    'tidings.delivery.taken_over': delivery.takenOver,
    'tidings.delivery.wait_ms': Math.max(0, Date.now() - delivery.queuedAt.getTime()),
  },
});

/** @returns what was to become of it, and whether more may wait behind it */
async function deliver(
  deps: DrainDeps,
  mailbox: Mailbox,
  delivery: ClaimedDelivery,
  run: JobRun,
): Promise<{ readonly transition: Transition; readonly isFollowed: boolean }> {
  const claimedAt = performance.now();
  const worked = await work(deps, delivery);
  const transition = delivery.takenOver ? takeOver(worked) : worked;
  const finished = await finishWhileLeased(deps, mailbox, transition, claimedAt, run.correlationId);
  if (finished) await announce(deps, delivery, transition, finished, run);
  else
    run.logger.info(
      { deliveryId: delivery.deliveryId },
      'a call was overtaken: another worker has the delivery, or a report has moved it',
    );
  return { transition, isFollowed: finished?.isFollowed ?? true };
}

async function work(deps: DrainDeps, delivery: ClaimedDelivery): Promise<Transition> {
  const { clock, limits, random, outageMs } = deps;
  if (delivery.isCancelled && !sumsUpOthers(delivery.content)) return cancel(delivery, clock.now());
  if (isExpired(delivery, clock)) return expire(delivery, clock.now());
  const cause = delivery.targets[0]?.suppressedBy;
  if (cause && isKeptFrom(cause, delivery.notificationType)) return keepBack(delivery, cause, clock.now());
  const delayMs = await limits.delayOfCall(delivery.channel, delivery.notificationType);
  // Asking may have taken its time.
  if (isExpired(delivery, clock)) return expire(delivery, clock.now());
  if (delayMs > 0) return postpone(delivery, clock.now(), delayMs);
  const calls = await callTargets(delivery, deps);
  return decideOutcome(delivery, calls, clock.now(), random(), outageMs);
}

const isExpired = ({ expiresAt }: ClaimedDelivery, clock: Clock): boolean =>
  expiresAt !== null && expiresAt.getTime() <= clock.now();

/**
 * Writes an outcome, again and again while its lease lasts: what a provider answered must not be asked twice since a
 * database was away for a moment.
 */
async function finishWhileLeased(
  deps: DrainDeps,
  mailbox: Mailbox,
  transition: Transition,
  claimedAt: number,
  correlationId: string,
): Promise<Finished | null> {
  for (;;) {
    try {
      const finished = await finish(deps, mailbox, transition);
      if (finished) return finished;
      const applied = await recordOvertaken(deps, transition, correlationId);
      // What waits behind it was not looked at.
      return applied && { ...applied, isFollowed: true };
    } catch (error) {
      const isOver = performance.now() + AGAIN_AFTER_MS > claimedAt + deps.leaseMs;
      if (isOver || !isUnavailable(error)) throw error;
      await pause(AGAIN_AFTER_MS);
    }
  }
}

function finish(
  { mailboxes }: DrainDeps,
  mailbox: Mailbox,
  transition: Transition,
): Promise<Finished | null> {
  const using = tracer();
  if (!using) return mailboxes.finish(mailbox, transition);
  return inSpan(using, { name: 'record outcome' }, () => mailboxes.finish(mailbox, transition));
}

/** Publishes what happened. What gets lost here is found again in Postgres, so a failure is only logged. */
async function announce(
  deps: DrainDeps,
  delivery: ClaimedDelivery,
  transition: Transition,
  applied: Applied,
  run: JobRun,
): Promise<void> {
  const { channel, priority, deliveryId } = delivery;
  deps.metrics.moved(channel, transition.status);
  if (delivery.takenOver) deps.metrics.repeated(channel, 'lease_lost');
  if (transition.status === 'RETRYING' && transition.events.some(isAnswerLost))
    deps.metrics.repeated(channel, 'answer_lost');
  if (transition.status === 'DELIVERED') {
    deps.metrics.delivered(channel, priority, applied.steps[0]!.latencyMs);
  }
  const { correlationId } = run;
  const published = await Promise.allSettled([
    transition.nextRetryAt && scheduleRetry(deps, delivery, transition.nextRetryAt, correlationId),
    transition.failure && buryDead(deps, delivery, transition.failure, transition.at, correlationId),
    transition.deadDevices.length > 0 && deps.freshness.userChanged(delivery.userId),
    invalidateAddresses(deps, faultyAddresses(transition)),
    applied.hasFallback && deps.queues.enqueue(releaseDue, {}, { correlationId, deduplicationId: 'due' }),
  ]);
  for (const one of published) {
    if (one.status === 'rejected')
      run.logger.warn({ err: one.reason, deliveryId }, 'announcing a step failed');
  }
}

const faultyAddresses = ({ addressEvents = [] }: Transition): readonly string[] =>
  addressEvents.flatMap(({ kind, address }) => (kind === 'DELIVERED' ? [] : address));

const isAnswerLost = ({ detail }: TransitionEvent): boolean => detail?.outcome_unknown === true;

async function scheduleRetry(
  { queues, clock }: DrainDeps,
  { deliveryId, channel }: ClaimedDelivery,
  nextRetryAt: Date,
  correlationId: string,
): Promise<void> {
  const delayMs = Math.max(0, Math.ceil(nextRetryAt.getTime() - clock.now()));
  await queues.enqueue(retryDelivery[channel], { deliveryId }, { correlationId, delayMs });
}

async function buryDead(
  { queues }: DrainDeps,
  delivery: ClaimedDelivery,
  failure: NonNullable<Transition['failure']>,
  at: Date,
  correlationId: string,
): Promise<void> {
  const addresses = delivery.targets.map(({ token, address }) => token ?? address);
  await queues.enqueue(deadLetter, deadLetterOf(delivery, addresses, failure, at), {
    correlationId,
    traceparent: tracer()?.traceparent(),
  });
}
