import { z } from 'zod';
import { type Failed, failed, rateLimited, readJson, retryAfterSeconds } from './failure.js';
import type { Answer } from './https-client.js';
import type { ProviderErrorCode } from './provider.js';

const refusal = z.object({ reason: z.string() });

interface Meaning {
  readonly code: ProviderErrorCode;
  readonly retryable?: boolean;
  readonly removeToken?: boolean;
}

const down: Meaning = { code: 'APNS_DOWN', retryable: true };
const expired: Meaning = { code: 'TOKEN_EXPIRED', removeToken: true };

/**
 * Apple's typed reasons, and the document's SERVICE_DOWN. DeviceTokenNotForTopic keeps the token: a wrong
 * topic in our own configuration must not empty the table of devices.
 */
const meanings: Readonly<Record<string, Meaning>> = {
  SERVICE_DOWN: down,
  InternalServerError: down,
  ServiceUnavailable: down,
  Shutdown: down,
  IdleTimeout: down,
  Unregistered: expired,
  ExpiredToken: expired,
  BadDeviceToken: { code: 'INVALID_ADDRESS', removeToken: true },
  MissingDeviceToken: { code: 'INVALID_ADDRESS', removeToken: true },
  DeviceTokenNotForTopic: { code: 'INVALID_ADDRESS' },
  PayloadTooLarge: { code: 'PAYLOAD_TOO_LARGE' },
  ExpiredProviderToken: { code: 'CREDENTIALS_REFUSED', retryable: true },
  InvalidProviderToken: { code: 'CREDENTIALS_REFUSED' },
  MissingProviderToken: { code: 'CREDENTIALS_REFUSED' },
  BadCertificate: { code: 'CREDENTIALS_REFUSED' },
  BadCertificateEnvironment: { code: 'CREDENTIALS_REFUSED' },
  Forbidden: { code: 'CREDENTIALS_REFUSED' },
  TopicDisallowed: { code: 'CREDENTIALS_REFUSED' },
};

/** What an answer other than 200 means: by status where the document names one, else by Apple's reason. */
export function apnsFailure(answer: Answer, now: number): Failed {
  const { status } = answer;
  const parsed = refusal.safeParse(readJson(answer.body));
  const reason = parsed.success ? parsed.data.reason : `HTTP ${status}`;
  if (status === 410) return failed('TOKEN_EXPIRED', reason, { status, removeToken: true });
  if (status === 429) {
    return rateLimited(reason, status, retryAfterSeconds(answer.headers['retry-after'], now));
  }
  const fallback: Meaning = status >= 500 ? down : { code: 'REJECTED' };
  const { code, ...facts } = Object.hasOwn(meanings, reason) ? (meanings[reason] ?? fallback) : fallback;
  return failed(code, reason, { status, ...facts });
}
