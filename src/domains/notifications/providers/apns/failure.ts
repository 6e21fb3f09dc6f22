import { z } from 'zod';
import {
  entryOf,
  type Failed,
  judged,
  type Meaning,
  meanings,
  readJson,
  retryAfterSeconds,
} from '../failure.js';
import type { Answer } from '../https-client.js';

const refusal = z.object({
  reason: z.string().optional(),
  /** With 410: milliseconds since the epoch at which Apple found the token to be dead. */
  timestamp: z.number().positive().optional().catch(undefined),
});

const { expired, noAddress, credentials, rejected, limited, tooLarge } = meanings;
const down: Meaning = { code: 'APNS_DOWN', retryable: true };

/**
 * Apple's reasons, all of them, and the document's SERVICE_DOWN. DeviceTokenNotForTopic keeps the token: a wrong topic
 * in our own configuration must not empty the table of devices.
 */
export const apnsMeanings: Readonly<Record<string, Meaning>> = {
  BadCollapseId: rejected,
  BadDeviceToken: noAddress,
  BadExpirationDate: rejected,
  BadMessageId: rejected,
  BadPriority: rejected,
  BadTopic: rejected,
  DeviceTokenNotForTopic: { code: 'INVALID_ADDRESS' },
  DuplicateHeaders: rejected,
  IdleTimeout: down,
  InvalidPushType: rejected,
  MissingDeviceToken: noAddress,
  MissingTopic: rejected,
  PayloadEmpty: rejected,
  TopicDisallowed: credentials,

  BadCertificate: credentials,
  BadCertificateEnvironment: credentials,
  BadEnvironmentKeyIdInToken: credentials,
  // Another token is signed for the next attempt.
  ExpiredProviderToken: { code: 'CREDENTIALS_REFUSED', retryable: true },
  Forbidden: credentials,
  InvalidProviderToken: credentials,
  MissingProviderToken: credentials,
  UnrelatedKeyIdInToken: credentials,

  BadPath: rejected,
  MethodNotAllowed: rejected,
  ExpiredToken: expired,
  Unregistered: expired,
  PayloadTooLarge: tooLarge,
  TooManyProviderTokenUpdates: limited,
  // Apple means this one device, not us.
  TooManyRequests: { code: 'RATE_LIMITED', oneAddress: true },
  InternalServerError: down,
  ServiceUnavailable: down,
  Shutdown: down,
  SERVICE_DOWN: down,
};

/** What an answer other than 200 means: by status where the document names one, else by Apple's reason. */
export function apnsFailure(answer: Answer, now: number): Failed {
  const { status } = answer;
  const said = refusal.safeParse(readJson(answer.body)).data;
  const reason = said?.reason ?? `HTTP ${status}`;
  const retryAfter = retryAfterSeconds(answer.headers['retry-after'], now);
  const failure = judged(meaningOf(status, reason, retryAfter), reason, status, retryAfter);
  return status === 410 && said?.timestamp !== undefined
    ? { ...failure, tokenDeadSince: said.timestamp }
    : failure;
}

function meaningOf(status: number, reason: string, retryAfter: number | undefined): Meaning {
  const meaning = entryOf(apnsMeanings, reason);
  if (status === 410) return expired;
  // An answer that names a time to stay away is about the whole service.
  if (status === 429) return retryAfter === undefined && meaning?.code === 'RATE_LIMITED' ? meaning : limited;
  return meaning ?? (status >= 500 ? down : rejected);
}
