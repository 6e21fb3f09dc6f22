import type { ProviderOutcome } from '../providers/provider.js';
import { storable } from '../text.js';
import type { DeliveryStatus, Detail } from '../types.js';
import { backoffSeconds } from './backoff.js';
import type { ClaimedDelivery, Target } from './claimed.js';
import type { DeadDevice, FinishedTarget, Transition, TransitionEvent } from './transition.js';

/** Characters kept of what a provider says. */
export const MAX_REASON = 500;
export const MAX_PROVIDER_ID = 255;

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
  const pending = failures.filter((call) => call.outcome.retryable);
  const pause = pauseSeconds(pending);
  if (pending.length > 0 && (pause !== null || delivery.attempt < delivery.maxRetries)) {
    return retry(delivery, calls, now, pause ?? backoffSeconds(delivery.attempt, random), pause === null);
  }
  const isReached = delivery.reachedSome || failures.length < calls.length;
  return isReached ? reach(delivery, calls, now) : die(delivery, calls, now);
}

/** @param counts whether the retry uses up an attempt */
function retry(
  delivery: ClaimedDelivery,
  calls: readonly Call[],
  now: number,
  delay: number,
  counts: boolean,
): Transition {
  const attempt = counts ? delivery.attempt + 1 : delivery.attempt;
  const detail = { attempt, delay_seconds: Math.round(delay * 1000) / 1000 };
  const isPending = (call: Call): boolean => isFailed(call) && call.outcome.retryable;
  return {
    ...after(delivery, calls, now),
    targets: calls.filter((call) => !isPending(call)).map(toFinished),
    status: 'RETRYING',
    attempt,
    nextRetryAt: new Date(now + delay * 1000),
    events: [...told(delivery, calls, 'RETRYING'), { event: 'RETRY', status: 'RETRYING', detail }],
  };
}

/** Push is confirmed by its answer; mail and SMS are only accepted so far, and their providers call back. */
function reach(delivery: ClaimedDelivery, calls: readonly Call[], now: number): Transition {
  const base = after(delivery, calls, now);
  if (delivery.channel !== 'push') return { ...base, status: 'SENT', events: told(delivery, calls, 'SENT') };
  const delivered: TransitionEvent = { event: 'DELIVERED', status: 'DELIVERED' };
  return { ...base, status: 'DELIVERED', events: [...told(delivery, calls, 'SENT'), delivered] };
}

function die(delivery: ClaimedDelivery, calls: readonly Call[], now: number): Transition {
  const base = after(delivery, calls, now);
  const lastError = base.lastError ?? 'NO_ADDRESS: every address of this delivery is gone';
  const dead = death(delivery, lastError);
  return { ...base, ...dead, lastError, events: [...told(delivery, calls, 'DEAD'), ...dead.events] };
}

/** What every outcome keeps of the calls. */
function after(delivery: ClaimedDelivery, calls: readonly Call[], now: number) {
  const failures = calls.filter(isFailed);
  const last = failures.at(-1);
  return {
    ...step(delivery, now),
    lastError: last ? describe(last.outcome) : null,
    targets: calls.map(toFinished),
    deadDevices: failures.filter(isDeadDevice).map(toDeadDevice),
  };
}

/** SENT with the first call that a provider took, and FAILED for each that none did. */
function told(
  delivery: ClaimedDelivery,
  calls: readonly Call[],
  status: DeliveryStatus,
): readonly TransitionEvent[] {
  const failures = calls.filter(isFailed);
  const targets = calls.length - failures.length;
  const failed = failures.map((call): TransitionEvent => {
    return { event: 'FAILED', status, detail: failureDetail(delivery, call) };
  });
  if (targets === 0 || delivery.reachedSome) return failed;
  return [{ event: 'SENT', status, detail: { targets } }, ...failed];
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

const describe = (failure: Failed): string => storable(`${failure.code}: ${failure.reason}`, MAX_REASON);

function failureDetail(delivery: ClaimedDelivery, { target, outcome }: FailedCall): Detail {
  return {
    target: target.id,
    attempt: delivery.attempt,
    code: outcome.code,
    reason: storable(outcome.reason, MAX_REASON),
    ...(outcome.status !== undefined && { status: outcome.status }),
    ...(outcome.outcomeUnknown && { outcome_unknown: true }),
  };
}

function toFinished({ target, outcome }: Call): FinishedTarget {
  return outcome.kind === 'failed'
    ? { target: target.id, error: describe(outcome), providerId: null }
    : {
        target: target.id,
        error: null,
        providerId: storable(outcome.providerId ?? '', MAX_PROVIDER_ID) || null,
      };
}

const isDeadDevice = ({ target, outcome }: FailedCall): boolean =>
  outcome.removeToken && (target.kind === 'ios' || target.kind === 'android');

const toDeadDevice = ({ target, startedAt }: FailedCall): DeadDevice => ({
  deviceId: target.id,
  token: target.address,
  since: startedAt,
});
