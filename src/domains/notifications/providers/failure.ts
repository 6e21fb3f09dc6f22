import type { LostCall } from './https-client.js';
import type { AddressFault, Answered, ProviderErrorCode, ProviderFailure } from './provider.js';

export type Failed = { readonly kind: 'failed' } & ProviderFailure & Answered;

/** Seconds to stay away after 429 where the provider names none (notification document, error mapping). */
const DEFAULT_RETRY_AFTER = 5;
/** A provider that names a longer time is asked again all the same: a mistake of its clock would keep deliveries for years. */
const LONGEST_RETRY_AFTER = 3_600;

/**
 * A failure that is permanent, keeps the address and surely had no effect, unless `facts` say otherwise. No failure is made
 * elsewhere, so that none names a longer pause than an hour.
 */
export function failed(
  code: ProviderErrorCode,
  reason: string,
  facts: Partial<Omit<ProviderFailure, 'code' | 'reason'>> = {},
): Failed {
  return {
    kind: 'failed',
    code,
    reason,
    retryable: false,
    removeToken: false,
    outcomeUnknown: false,
    ...facts,
    ...(facts.retryAfter !== undefined && { retryAfter: Math.min(facts.retryAfter, LONGEST_RETRY_AFTER) }),
  };
}

/** What one of a provider's own codes means here. Tables of these are how providers are understood. */
export interface Meaning {
  readonly code: ProviderErrorCode;
  readonly retryable?: boolean;
  readonly removeToken?: boolean;
  readonly oneAddress?: boolean;
  readonly addressFault?: AddressFault;
  readonly notTaken?: boolean;
}

/** What most tables have. */
export const meanings = {
  /** It failed over the message, and may have taken it: 500, and what gateways say in its place. */
  down: { code: 'PROVIDER_DOWN', retryable: true },
  /** It says itself that it takes no messages now. A 503 that anybody may have written is `down`. */
  unavailable: { code: 'PROVIDER_DOWN', retryable: true, notTaken: true },
  credentials: { code: 'CREDENTIALS_REFUSED', notTaken: true },
  rejected: { code: 'REJECTED' },
  rejectedForNow: { code: 'REJECTED', retryable: true },
  limited: { code: 'RATE_LIMITED', notTaken: true },
  tooLarge: { code: 'PAYLOAD_TOO_LARGE' },
  expired: { code: 'TOKEN_EXPIRED', removeToken: true },
  noAddress: { code: 'INVALID_ADDRESS', removeToken: true },
  hardBounce: { code: 'INVALID_ADDRESS', removeToken: true, addressFault: 'HARD_BOUNCE' },
  softBounce: { code: 'REJECTED', addressFault: 'SOFT_BOUNCE' },
  softBounceForNow: { code: 'REJECTED', retryable: true, addressFault: 'SOFT_BOUNCE' },
  stopped: { code: 'REJECTED', addressFault: 'STOP' },
} as const satisfies Readonly<Record<string, Meaning>>;

/** The failure that a provider's answer means. */
export function judged(
  { code, ...facts }: Meaning,
  reason: string,
  status: number,
  retryAfter?: number,
): Failed {
  if (code === 'RATE_LIMITED') return { ...rateLimited(reason, status, retryAfter), ...facts };
  const wait = facts.retryable && retryAfter !== undefined ? { retryAfter } : {};
  return failed(code, reason, { status, ...facts, ...wait });
}

/** A table's entry; names that every object has are none. */
export const entryOf = <Entry>(
  table: Readonly<Record<string | number, Entry>>,
  name: string | number,
): Entry | undefined => (Object.hasOwn(table, name) ? table[name] : undefined);

/** A call without an answer: worth another attempt, and perhaps already done where it had been sent. */
export function unanswered(call: LostCall): Failed {
  return failed(call.cause === 'aborted' ? 'PROVIDER_TIMEOUT' : 'PROVIDER_DOWN', call.reason, {
    retryable: true,
    outcomeUnknown: call.sent,
    ...(!call.sent && { notTaken: true }),
  });
}

/** The provider asked us to slow down. */
export function rateLimited(reason: string, status: number, retryAfter: number | undefined): Failed {
  return failed('RATE_LIMITED', reason, {
    status,
    retryable: true,
    retryAfter: retryAfter ?? DEFAULT_RETRY_AFTER,
  });
}

/** Whole seconds of a Retry-After header (a number or a date), however many; undefined where it is absent or unreadable. */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header)) return Number(header);
  const seconds = Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

/** The JSON of an answer, or undefined where it is none: proxies answer in HTML. */
export function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
