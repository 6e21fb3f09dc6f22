import type { Failed } from '../../src/domains/notifications/providers/failure.js';
import type { Answer } from '../../src/domains/notifications/providers/https-client.js';

export const NOW = 1_700_000_000_000;

export const answer = (status: number, body: unknown = '', headers: Answer['headers'] = {}): Answer => ({
  kind: 'answer',
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** What is to be done about a failure, in one word for each. */
export const deeds = {
  gone: { code: 'TOKEN_EXPIRED', retryable: false, removeToken: true },
  wrongAddress: { code: 'INVALID_ADDRESS', retryable: false, removeToken: true },
  wrongForUs: { code: 'INVALID_ADDRESS', retryable: false, removeToken: false },
  credentials: { code: 'CREDENTIALS_REFUSED', retryable: false, removeToken: false },
  credentialsAnew: { code: 'CREDENTIALS_REFUSED', retryable: true, removeToken: false },
  rejected: { code: 'REJECTED', retryable: false, removeToken: false },
  rejectedForNow: { code: 'REJECTED', retryable: true, removeToken: false },
  tooLarge: { code: 'PAYLOAD_TOO_LARGE', retryable: false, removeToken: false },
  limited: { code: 'RATE_LIMITED', retryable: true, removeToken: false, retryAfter: 5 },
  apnsDown: { code: 'APNS_DOWN', retryable: true, removeToken: false },
  down: { code: 'PROVIDER_DOWN', retryable: true, removeToken: false },
} as const satisfies Record<string, Partial<Failed>>;

export type Deed = keyof typeof deeds;
export type Expectation = readonly [status: number, deed: Deed, ...codes: (string | number)[]];

/** One case for each code. */
export const each = (expectations: readonly Expectation[]) =>
  expectations.flatMap(([status, deed, ...codes]) => codes.map((code) => ({ status, deed, code })));
export const namesOf = (expectations: readonly Expectation[]) =>
  [...new Set(each(expectations).map(({ code }) => String(code)))].sort();
