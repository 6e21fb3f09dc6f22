import type { ProviderOutcome } from '../providers/provider.js';
import type { DeliveryStatus, Detail } from '../types.js';
import { backoffSeconds } from './backoff.js';
import type { ClaimedDelivery, Target } from './claimed.js';
import type { DeadDevice, FinishedTarget, Transition, TransitionEvent } from './transition.js';

/** How the call to one target ended. */
export interface Call {
  readonly target: Target;
  readonly startedAt: Date;
  readonly outcome: ProviderOutcome;
}

type Failed = Extract<ProviderOutcome, { kind: 'failed' }>;
type FailedCall = Call & { readonly outcome: Failed };

const isFailed = (call: Call): call is FailedCall => call.outcome.kind === 'failed';

/**
 * What becomes of a delivery after its calls. It is delivered when one target at least was reached and none is
 * pending; it is retried for the pending ones alone; it dies when none was reached and none is pending.
 *
 * @param calls one for each of the delivery's targets; none where its last address is gone
 * @param random uniform in [0, 1)
 */
export function decideOutcome(
  delivery: ClaimedDelivery,
  calls: readonly Call[],
  now: number,
  random: number,
): Transition {
  const failures = calls.filter(isFailed);
  const reached = calls.filter((call) => !isFailed(call));
  const pending = failures.filter((call) => call.outcome.retryable);
  const pause = pauseSeconds(pending);
  const mayRetry = pause !== null || delivery.attempt < delivery.maxRetries;
  const retries = pending.length > 0 && mayRetry;
  const finished = calls.filter((call) => !(retries && isFailed(call) && call.outcome.retryable));

  const base = {
    ...step(delivery, now),
    lastError: failures.at(-1) ? describe(failures.at(-1)!.outcome) : null,
    targets: finished.map(toFinished),
    deadDevices: failures.filter(isDeadDevice).map(toDeadDevice),
  };
  const told = (status: DeliveryStatus): TransitionEvent[] => [
    ...(reached.length > 0 && !delivery.reachedSome
      ? [{ event: 'SENT' as const, status: laterOf(status), detail: { targets: reached.length } }]
      : []),
    ...failures.map((call) => ({ event: 'FAILED' as const, status, detail: failureDetail(delivery, call) })),
  ];

  if (retries) {
    const attempt = pause === null ? delivery.attempt + 1 : delivery.attempt;
    const delay = pause ?? backoffSeconds(delivery.attempt, random);
    const detail = { attempt, delay_seconds: Math.round(delay * 1000) / 1000 };
    return {
      ...base,
      status: 'RETRYING',
      attempt,
      nextRetryAt: new Date(now + delay * 1000),
      events: [...told('RETRYING'), { event: 'RETRY', status: 'RETRYING', detail }],
    };
  }
  if (reached.length > 0 || delivery.reachedSome) {
    // Email and SMS are only accepted so far; their providers call back.
    const confirmed = delivery.channel === 'push';
    const status = confirmed ? 'DELIVERED' : 'SENT';
    const events = told(status);
    return {
      ...base,
      status,
      events: confirmed ? [...events, { event: 'DELIVERED', status: 'DELIVERED' }] : events,
    };
  }
  const error = base.lastError ?? 'NO_ADDRESS: every address of this delivery is gone';
  return {
    ...base,
    ...death(delivery, error),
    lastError: error,
    events: [...told('DEAD'), ...death(delivery, error).events],
  };
}

/** What becomes of a delivery whose time is over before it was sent. */
export function expire(delivery: ClaimedDelivery, now: number): Transition {
  // Whoever was reached by an earlier attempt did get it.
  const status = delivery.reachedSome ? 'DELIVERED' : 'EXPIRED';
  return { ...step(delivery, now), status, events: [{ event: status, status }] };
}

/** A step that changes nothing yet. */
function step(delivery: ClaimedDelivery, now: number) {
  return {
    deliveryId: delivery.deliveryId,
    leaseToken: delivery.leaseToken,
    at: new Date(now),
    attempt: delivery.attempt,
    lastError: null,
    nextRetryAt: null,
    targets: [],
    deadDevices: [],
    failure: null,
  };
}

/** The end of a delivery that reached nobody. */
export function death(delivery: { readonly attempt: number }, error: string) {
  const attempts = delivery.attempt + 1;
  const detail = { final_error: error, total_attempts: attempts };
  return {
    status: 'DEAD' as const,
    failure: { error, attempts },
    events: [{ event: 'DLQ' as const, status: 'DEAD' as const, detail }],
  };
}

/** Seconds to wait without using up an attempt; null where some pending target failed for more than being early. */
function pauseSeconds(pending: readonly FailedCall[]): number | null {
  if (pending.length === 0 || pending.some((call) => call.outcome.code !== 'RATE_LIMITED')) return null;
  return Math.max(...pending.map((call) => call.outcome.retryAfter ?? 0), 1);
}

const describe = (failure: Failed): string => `${failure.code}: ${failure.reason}`;

/** What is sent and not confirmed is SENT, whatever comes of the rest. */
const laterOf = (status: DeliveryStatus): DeliveryStatus => (status === 'RETRYING' ? 'RETRYING' : 'SENT');

function failureDetail(delivery: ClaimedDelivery, { target, outcome }: FailedCall): Detail {
  return {
    target: target.id,
    attempt: delivery.attempt,
    code: outcome.code,
    reason: outcome.reason,
    ...(outcome.status !== undefined && { status: outcome.status }),
    ...(outcome.outcomeUnknown && { outcome_unknown: true }),
  };
}

function toFinished({ target, outcome }: Call): FinishedTarget {
  return outcome.kind === 'failed'
    ? { target: target.id, error: describe(outcome), providerId: null }
    : { target: target.id, error: null, providerId: outcome.providerId ?? null };
}

const isDeadDevice = ({ target, outcome }: FailedCall): boolean =>
  outcome.removeToken && (target.kind === 'ios' || target.kind === 'android');

const toDeadDevice = ({ target, startedAt }: FailedCall): DeadDevice => ({
  deviceId: target.id,
  token: target.address,
  since: startedAt,
});
