import type { RateLimitExceeded } from '../../platform/errors.js';
import type { RateLimitDecision, TierReading } from '../../platform/gate.js';
import { policiesOf } from './limit-policies.js';

/** Where the counters do not say when to try again: they cannot be reached, or nothing is counted. */
const UNKNOWN_WAIT_SECONDS = 60;
const UNITS = [
  [86_400, 'd', 'day'],
  [3_600, 'h', 'hour'],
  [60, 'm', 'minute'],
  [1, 's', 'second'],
] as const;

/**
 * What every response says of its limits. Names are in lower
 * case, values printable ASCII whatever rules are named. Empty where nothing limits.
 *
 * Limit, Remaining and Reset are the decisive tier's, and so is `RateLimit`. Remaining is 0 on a rejection, where
 * `RateLimit`'s `r` still says what is left for a smaller charge; policies are listed with the decisive one
 * first, without those that only watch, and without those of query costs, which are no requests, unless one decided. On a
 * rejection `RateLimit`'s `t` says the same as Retry-After, and what counts nothing and yet refuses has the limit 0. What
 * will never be admitted has no Retry-After.
 *
 * @param now milliseconds since the epoch
 */
export function limitHeaders(decision: RateLimitDecision, now = Date.now()): Record<string, string> {
  const { decisive, outcome } = decision;
  const headers: Record<string, string> = {};
  if (outcome === 'DEGRADE') headers['x-ratelimit-outcome'] = 'DEGRADE';
  const wait = outcome === 'REJECT' ? waitOf(decision) : null;
  if (wait !== null) headers['retry-after'] = String(wait);
  if (decisive === null) return headers;
  const remaining = remainingOf(decisive);
  headers['x-ratelimit-remaining'] = String(outcome === 'REJECT' ? 0 : remaining);
  headers['x-ratelimit-reset'] = String(Math.ceil(decisive.resetAt / 1000));
  if (!isLimited(decisive) && outcome !== 'REJECT') return headers;
  const policies = policiesOf(decisive, decision.readings.filter(isPolicy));
  const wholeAgain = Math.max(0, Math.ceil((decisive.resetAt - now) / 1000));
  headers['x-ratelimit-limit'] = String(limitOf(decision));
  headers['x-ratelimit-policy'] = policies.plain;
  headers['ratelimit-policy'] = policies.named;
  headers.ratelimit = `${policies.decisiveName};r=${remaining};t=${wait ?? wholeAgain}`;
  return headers;
}

/**
 * A 429's body. `limit` is 0 where nothing is counted and yet nothing admitted; `retry_after` is null
 * where trying again is no use.
 */
export function rejectionBody(decision: RateLimitDecision, documentationUrl: string) {
  return {
    error: {
      code: 'RATE_LIMIT_EXCEEDED' as const,
      message: messageOf(decision),
      retry_after: waitOf(decision),
      limit: limitOf(decision),
      window: windowOf(decision),
      documentation_url: documentationUrl,
    },
  };
}

/** The same where a command has a limit of its own. */
export const exceededBody = (
  { message, retryAfterSeconds, reached }: RateLimitExceeded,
  documentationUrl: string,
) => ({
  error: {
    code: 'RATE_LIMIT_EXCEEDED' as const,
    message,
    retry_after: retryAfterSeconds,
    limit: reached.limit,
    window: lengthOf(reached.windowSeconds),
    documentation_url: documentationUrl,
  },
});

/** The headers where a field's declared limit refused: of that limit alone. */
export function exceededHeaders(
  { retryAfterSeconds, reached: { limit, windowSeconds } }: RateLimitExceeded,
  now = Date.now(),
): Record<string, string> {
  return {
    'retry-after': String(retryAfterSeconds),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(Math.ceil(now / 1000) + retryAfterSeconds),
    'x-ratelimit-policy': `${limit};w=${windowSeconds}`,
    'ratelimit-policy': `"field";q=${limit};w=${windowSeconds}`,
    ratelimit: `"field";r=0;t=${retryAfterSeconds}`,
  };
}

/**
 * The same as `extensions` of a GraphQL error.
 *
 * @param queryCost what the operation might have cost; null where that was not known yet
 */
export function rejectionExtensions(
  decision: RateLimitDecision,
  queryCost: number | null,
  documentationUrl: string,
): Record<string, unknown> {
  const cost = queryCost === null ? undefined : costExtension(decision, queryCost, null);
  return {
    code: 'RATE_LIMIT_EXCEEDED',
    retryAfter: waitOf(decision),
    limit: limitOf(decision),
    window: windowOf(decision),
    documentationUrl,
    ...(cost && { cost }),
  };
}

/**
 * `extensions.cost` as Shopify's Admin API has it, in points; `restoreRate` is a second's. What an admitted operation did
 * not use counts as available already. Undefined where the caller has no budget.
 *
 * @param actual null of an operation that was rejected: it used nothing, and had nothing to give back
 */
export function costExtension({ budget }: RateLimitDecision, requested: number, actual: number | null) {
  if (budget === null || !isLimited(budget)) return undefined;
  const { limit, perWindow, windowSeconds } = budget.tier;
  const givenBack = actual === null ? 0 : Math.max(0, requested - actual);
  return {
    requestedQueryCost: requested,
    actualQueryCost: actual,
    throttleStatus: {
      maximumAvailable: limit,
      currentlyAvailable: Math.min(limit, remainingOf(budget) + givenBack),
      restoreRate: perWindow / windowSeconds,
    },
  };
}

function messageOf(decision: RateLimitDecision): string {
  const { decisive, decidedBy, impossible } = decision;
  const wait = waitOf(decision);
  const later = wait === null ? 'ask for less at once' : `try again in ${counted(wait, 'second')}`;
  if (decidedBy === 'unreachable')
    return `The counters of ${decisive ? `the limit ${decisive.tier.rule}` : 'this limit'} cannot be reached: ${later}`;
  if (decisive === null || !isLimited(decisive)) return `Too many requests: ${later}`;
  const { rule, limit, perWindow, windowSeconds } = decisive.tier;
  const burst = limit === perWindow ? '' : `, ${limit} at once`;
  const name = `the limit ${rule} (${perWindow} per ${spanOf(windowSeconds)}${burst})`;
  if (impossible) return `This costs more than ${name} will ever hold: ${later}`;
  return `Too many requests, ${name} is exceeded: ${later}`;
}

const isPolicy = (reading: TierReading): boolean =>
  reading.tier.counts === 'requests' && !reading.tier.shadow && isLimited(reading);

const isLimited = ({ tier }: TierReading): boolean => Number.isFinite(tier.limit);

const remainingOf = ({ remaining }: TierReading): number =>
  Number.isFinite(remaining) ? Math.max(0, Math.floor(remaining)) : 0;

function waitOf({ retryAfterMs, impossible }: RateLimitDecision): number | null {
  if (impossible) return null;
  return retryAfterMs === null ? UNKNOWN_WAIT_SECONDS : Math.max(1, Math.ceil(retryAfterMs / 1000));
}

const limitOf = ({ decisive }: RateLimitDecision): number =>
  decisive !== null && isLimited(decisive) ? decisive.tier.limit : 0;

const windowOf = ({ decisive }: RateLimitDecision): string =>
  lengthOf(decisive?.tier.windowSeconds ?? UNKNOWN_WAIT_SECONDS);

/** `1m`, `90s` */
function lengthOf(seconds: number): string {
  const [size, letter] = unitOf(seconds);
  return `${seconds / size}${letter}`;
}

/** `minute`, `90 seconds` */
function spanOf(seconds: number): string {
  const [size, , unit] = unitOf(seconds);
  return seconds === size ? unit : counted(seconds / size, unit);
}

const unitOf = (seconds: number) => UNITS.find(([size]) => seconds % size === 0) ?? UNITS[3];

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
