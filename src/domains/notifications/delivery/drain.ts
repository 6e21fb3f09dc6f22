import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../../platform/clock.js';
import type { JobRun } from '../../../platform/queues/queues.js';
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
import type { Applied, Mailboxes } from './mailbox.js';
import { cancel, decideOutcome, expire, keepBack, postpone, takeOver } from './outcome.js';
import { recordOvertaken } from './overtaken.js';
import type { ReportDeps } from './report.js';
import { deadLetter, type Mailbox, releaseDue, retryDelivery } from './tasks.js';
import type { Transition, TransitionEvent } from './transition.js';
import { enqueueAfterLease, enqueueWakeUps } from './wake-up.js';

const AGAIN_AFTER_MS = 200;
/** Deliveries that one job sends before those of other users have their turn. */
const TURN = 20;

export interface DrainDeps extends ReportDeps {
  readonly mailboxes: Mailboxes;
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

export interface DrainRun extends JobRun {
  /** A message that arrives in the meantime makes this job run once more; else it enqueues a job of its own. */
  readonly runsAgain: boolean;
}

/**
 * Sends what is in a mailbox, in order, until it is empty. After `TURN` deliveries, or when the process drains, it enqueues
 * another wake-up job and ends; where another worker holds the mailbox's head, a job for the end of that lease. A provider's
 * failure never makes it reject; a failing database does.
 */
export async function drainMailbox(deps: DrainDeps, mailbox: Mailbox, run: DrainRun): Promise<void> {
  for (let sent = 0; sent < TURN && !run.signal.aborted; sent++) {
    const claim = await deps.mailboxes.claim(mailbox);
    if (claim.kind === 'empty') return;
    if (claim.kind === 'held') return enqueueAfterLease(deps.queues, mailbox, claim, run.correlationId);
    const { delivery } = claim;
    const using = tracer();
    await (using
      ? inSpan(using, spanOf(delivery, mailbox), async (span) => {
          const { status, failure } = await deliver(deps, delivery, run);
          span.set({ 'tidings.delivery.status': status });
          if (failure) span.fail('given up');
        })
      : deliver(deps, delivery, run));
    if (!delivery.more && run.runsAgain) return;
  }
  await enqueueWakeUps(deps.queues, [mailbox], run.correlationId);
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

/** @returns what was to become of it */
async function deliver(deps: DrainDeps, delivery: ClaimedDelivery, run: DrainRun): Promise<Transition> {
  const claimedAt = performance.now();
  const worked = await work(deps, delivery);
  const transition = delivery.takenOver ? takeOver(worked) : worked;
  const applied = await applyWhileLeased(deps, delivery, transition, claimedAt, run.correlationId);
  if (applied) await announce(deps, delivery, transition, applied, run);
  else
    run.logger.info(
      { deliveryId: delivery.deliveryId },
      'a call was overtaken: another worker has the delivery, or a report has moved it',
    );
  return transition;
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
async function applyWhileLeased(
  deps: DrainDeps,
  delivery: ClaimedDelivery,
  transition: Transition,
  claimedAt: number,
  correlationId: string,
): Promise<Applied | null> {
  for (;;) {
    try {
      const applied = await apply(deps, delivery, transition);
      return applied ?? (await recordOvertaken(deps, transition, correlationId));
    } catch (error) {
      const isOver = performance.now() + AGAIN_AFTER_MS > claimedAt + deps.leaseMs;
      if (isOver || !isUnavailable(error)) throw error;
      await pause(AGAIN_AFTER_MS);
    }
  }
}

function apply(
  { mailboxes }: DrainDeps,
  { priority }: ClaimedDelivery,
  transition: Transition,
): Promise<Applied | null> {
  const using = tracer();
  if (!using) return mailboxes.apply(priority, transition);
  return inSpan(using, { name: 'record outcome' }, () => mailboxes.apply(priority, transition));
}

/** Publishes what happened. What gets lost here is found again in Postgres, so a failure is only logged. */
async function announce(
  deps: DrainDeps,
  delivery: ClaimedDelivery,
  transition: Transition,
  applied: Applied,
  run: DrainRun,
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
