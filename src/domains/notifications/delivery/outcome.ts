import type { Failed } from '../providers/failure.js';
import type { Answered, ProviderOutcome } from '../providers/provider.js';
import { type AddressEvent, hasSuppressions } from '../suppressions/address-event.js';
import type { SuppressionCause } from '../suppressions/cause.js';
import { storable } from '../text.js';
import { type DeliveryStatus, type Detail, goesToDevices, platforms } from '../types.js';
import type { ClaimedDelivery, Target } from './claimed.js';
import {
  type DeadDevice,
  type FinishedTarget,
  stepOf,
  type Transition,
  type TransitionEvent,
} from './transition.js';

/** Characters kept of what a provider says. */
export const MAX_REASON = 500;
export const MAX_PROVIDER_ID = 255;

/** So long a provider may make us wait before that counts as failing. */
const MAX_PAUSED_MS = 86_400_000;

/**
 * So long a provider that fails every call costs no message its last attempt: as long as it takes until the alert
 * `delivery_success_rate` calls it an outage.
 */
export const OUTAGE_MS = 120_000;
/** Seconds between the calls that a message then makes, and as much again by chance. */
const OUTAGE_WAIT_SECONDS = 5;

const BACKOFF_SECONDS = 1;
const BACKOFF_FACTOR = 5;
const LONGEST_BACKOFF_SECONDS = 300;

/** How the call to one target ended. */
export interface Call {
  readonly target: Target;
  readonly startedAt: Date;
  readonly outcome: ProviderOutcome;
}

type FailedCall = Call & { readonly outcome: Failed };

const isFailed = (call: Call): call is FailedCall => call.outcome.kind === 'failed';

/**
 * What becomes of a delivery after its calls. It is delivered when one target at least was reached and none is
 * pending; it is retried for the pending ones alone; it dies when none was reached and none is pending. Being asked
 * to wait uses up no attempt, for a day. Nor does the last attempt, where nobody was reached and the provider fails every
 * call: not before that lasted for `outageMs`, and the delivery waits for as long.
 *
 * @param calls one for each of the delivery's targets; none where its last address is gone
 * @param random uniform in [0, 1)
 */
export function decideOutcome(
  delivery: ClaimedDelivery,
  calls: readonly Call[],
  now: number,
  random: number,
  outageMs = 0,
): Transition {
  const isReached = delivery.reachedSome || calls.some((call) => !isFailed(call));
  const waitedMs = now - delivery.queuedAt.getTime();
  const isOutage = ({ outcome: { downForMs } }: FailedCall): boolean =>
    !isReached && downForMs !== undefined && Math.min(downForMs, waitedMs) < outageMs;
  const mayPause = waitedMs < MAX_PAUSED_MS;
  const hasAttempts = delivery.attempt < delivery.maxRetries;
  const pending = calls
    .filter(isFailed)
    .filter(
      (call) => call.outcome.retryable && (hasAttempts || (mayPause && isPause(call)) || isOutage(call)),
    );
  if (pending.length > 0) {
    const isPaused = mayPause && pending.every(isPause);
    if (isPaused) return retry(delivery, calls, pending, now, pauseSeconds(pending), false);
    if (hasAttempts)
      return retry(delivery, calls, pending, now, backoffSeconds(delivery.attempt, random), true);
    const wait = Math.max(pauseSeconds(pending), OUTAGE_WAIT_SECONDS * (1 + random));
    return retry(delivery, calls, pending, now, wait, false);
  }
  return isReached ? reach(delivery, calls, now) : die(delivery, calls, now);
}

/**
 * The same step, of a delivery that another worker had before, which never recorded what became of its calls. Its first event
 * says so: the next call may repeat one of that worker's.
 */
export function takeOver(transition: Transition): Transition {
  const [first, ...others] = transition.events;
  if (!first) return transition;
  return { ...transition, events: [{ ...first, detail: { ...first.detail, taken_over: true } }, ...others] };
}

/** @param counts whether the retry uses up an attempt */
function retry(
  delivery: ClaimedDelivery,
  calls: readonly Call[],
  pending: readonly FailedCall[],
  now: number,
  delay: number,
  counts: boolean,
): Transition {
  const attempt = counts ? delivery.attempt + 1 : delivery.attempt;
  const waiting = new Set(pending.map(({ target }) => target.id));
  return {
    ...after(delivery, calls, now),
    targets: calls.filter(({ target }) => !waiting.has(target.id)).map(toFinished),
    attempt,
    ...retryAt(now, delay, attempt, callEvents(delivery, calls, 'RETRYING')),
  };
}

/**
 * Seconds until the next attempt: full jitter (notification document, limits).
 *
 * @param attempt retries made so far
 * @param random uniform in [0, 1)
 */
export function backoffSeconds(attempt: number, random: number): number {
  return random * Math.min(BACKOFF_SECONDS * BACKOFF_FACTOR ** attempt, LONGEST_BACKOFF_SECONDS);
}

/** What becomes of a delivery that its channel's global limit defers: no attempt is used up. */
export function postpone(delivery: ClaimedDelivery, now: number, delayMs: number): Transition {
  return {
    ...stepOf(delivery, now),
    ...retryAt(now, delayMs / 1000, delivery.attempt, [], 'GLOBAL_LIMIT'),
  };
}

/** @param delay seconds */
function retryAt(
  now: number,
  delay: number,
  attempt: number,
  before: readonly TransitionEvent[],
  reason?: string,
) {
  const detail = { attempt, delay_seconds: Math.round(delay * 1000) / 1000, ...(reason && { reason }) };
  return {
    status: 'RETRYING' as const,
    nextRetryAt: new Date(now + delay * 1000),
    events: [...before, { event: 'RETRY' as const, status: 'RETRYING' as const, detail }],
  };
}

/** An answer may confirm delivery (push, SMTP); else the message is only accepted so far, and its provider calls back. */
function reach(delivery: ClaimedDelivery, calls: readonly Call[], now: number): Transition {
  const base = after(delivery, calls, now);
  const isConfirmed =
    goesToDevices(delivery.channel) || calls.some((call) => call.outcome.kind === 'delivered');
  if (!isConfirmed) return { ...base, status: 'SENT', events: callEvents(delivery, calls, 'SENT') };
  const delivered: TransitionEvent = { event: 'DELIVERED', status: 'DELIVERED' };
  return {
    ...base,
    ...addressEvents(delivery, calls, now, () => 'DELIVERED'),
    status: 'DELIVERED',
    events: [...callEvents(delivery, calls, 'SENT'), delivered],
  };
}

function die(delivery: ClaimedDelivery, calls: readonly Call[], now: number): Transition {
  const base = after(delivery, calls, now);
  const lastError = base.lastError ?? 'NO_ADDRESS: every address of this delivery is gone';
  const dead = death(delivery, lastError);
  return {
    ...base,
    ...addressEvents(delivery, calls, now, faultOf),
    ...dead,
    lastError,
    events: [...callEvents(delivery, calls, 'DEAD'), ...dead.events],
  };
}

const faultOf = ({ outcome }: Call) => (outcome.kind === 'failed' ? outcome.addressFault : undefined);

/** What the calls say of the addresses they went to, where the channel's can be suppressed. */
function addressEvents(
  { deliveryId, channel }: ClaimedDelivery,
  calls: readonly Call[],
  now: number,
  kindOf: (call: Call) => AddressEvent['kind'] | undefined,
): { readonly addressEvents?: readonly AddressEvent[] } {
  if (!hasSuppressions(channel)) return {};
  const events = calls.flatMap((call): AddressEvent[] => {
    const kind = kindOf(call);
    return kind ? [{ channel, address: call.target.address, kind, deliveryId, at: new Date(now) }] : [];
  });
  return events.length > 0 ? { addressEvents: events } : {};
}

/** What every outcome keeps of the calls. */
function after(delivery: ClaimedDelivery, calls: readonly Call[], now: number) {
  const failures = calls.filter(isFailed);
  const last = failures.at(-1);
  return {
    ...stepOf(delivery, now),
    lastError: last ? describe(last.outcome) : null,
    targets: calls.map(toFinished),
    deadDevices: failures.filter(isDeadDevice).map(toDeadDevice),
  };
}

/** SENT with the first call that a provider took, and FAILED for each that none did; a paused provider was not called. */
function callEvents(
  delivery: ClaimedDelivery,
  calls: readonly Call[],
  status: DeliveryStatus,
): readonly TransitionEvent[] {
  const failures = calls.filter(isFailed);
  const targets = calls.length - failures.length;
  const failed = failures
    .filter((call) => call.outcome.code !== 'PROVIDER_PAUSED')
    .map((call): TransitionEvent => {
      return { event: 'FAILED', status, detail: failureDetail(delivery, call) };
    });
  if (targets === 0 || delivery.reachedSome) return failed;
  const detail = { targets, ...answeredBy(calls.find((call) => !isFailed(call))?.outcome) };
  return [{ event: 'SENT', status, detail }, ...failed];
}

/** For the timeline: which of several providers answered, and which were asked before it. */
function answeredBy({ by, askedBefore = [] }: Answered = {}): Detail {
  return {
    ...(by !== undefined && { provider: by }),
    ...(askedBefore.length > 0 && {
      asked_before: askedBefore.map(({ provider, code }) => `${provider}: ${code}`).join(', '),
    }),
  };
}

/** What becomes of a delivery whose time is over before it was sent. */
export const expire = (delivery: ClaimedDelivery, now: number): Transition =>
  endUnsent(delivery, 'EXPIRED', now);

/** What becomes of one that was cancelled while it waited for another attempt, or was just being sent. */
export const cancel = (delivery: ClaimedDelivery, now: number): Transition =>
  endUnsent(delivery, 'CANCELLED', now);

/** What becomes of one whose address came on the suppression list before it was sent. */
export function keepBack(delivery: ClaimedDelivery, cause: SuppressionCause, now: number): Transition {
  const reason = 'ADDRESS_SUPPRESSED' as const;
  const status = 'SUPPRESSED' as const;
  return {
    ...stepOf(delivery, now),
    status,
    suppression: reason,
    events: [{ event: status, status, detail: { reason, detail: cause } }],
  };
}

function endUnsent(delivery: ClaimedDelivery, end: 'EXPIRED' | 'CANCELLED', now: number): Transition {
  // An earlier attempt has reached some of its targets.
  const status = delivery.reachedSome ? 'DELIVERED' : end;
  return {
    ...stepOf(delivery, now),
    status,
    events: [{ event: status, status }],
    ...(!delivery.reachedSome && { suppression: end }),
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

/** The provider asked us to wait, or we leave it alone for a while. */
const isPause = ({ outcome }: FailedCall): boolean =>
  outcome.code === 'RATE_LIMITED' || outcome.code === 'PROVIDER_PAUSED';

const pauseSeconds = (pending: readonly FailedCall[]): number =>
  Math.max(...pending.map((call) => call.outcome.retryAfter ?? 0), 1);

const describe = ({ code, by, reason }: Failed): string =>
  storable(by === undefined ? `${code}: ${reason}` : `${code}: ${by}: ${reason}`, MAX_REASON);

function failureDetail(delivery: ClaimedDelivery, { target, outcome }: FailedCall): Detail {
  return {
    target: target.id,
    attempt: delivery.attempt,
    code: outcome.code,
    reason: storable(outcome.reason, MAX_REASON),
    ...(outcome.status !== undefined && { status: outcome.status }),
    ...(outcome.outcomeUnknown && { outcome_unknown: true }),
    ...answeredBy(outcome),
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
  outcome.removeToken && platforms.some((platform) => platform === target.kind);

const toDeadDevice = ({ target, startedAt, outcome: { tokenDeadSince } }: FailedCall): DeadDevice => ({
  deviceId: target.id,
  token: target.token ?? target.address,
  since: new Date(Math.min(startedAt.getTime(), tokenDeadSince ?? Number.POSITIVE_INFINITY)),
});
