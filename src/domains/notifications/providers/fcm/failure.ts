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

const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';

const refusal = z.object({
  error: z.object({
    status: z.string().optional(),
    details: z
      .array(
        z.object({
          '@type': z.string().optional(),
          errorCode: z.string().optional(),
          fieldViolations: z.array(z.object({ field: z.string().optional() })).optional(),
        }),
      )
      .default([]),
  }),
});

const { down, credentials, expired, noAddress, rejected, limited, tooLarge } = meanings;

/** FCM's own codes, all of them, and those of Google's canonical ones that stand where FCM has none. */
export const fcmMeanings: Readonly<Record<string, Meaning>> = {
  UNREGISTERED: expired,
  // The token is another project's: a wrong setting of ours must not empty the table of devices.
  SENDER_ID_MISMATCH: { code: 'INVALID_ADDRESS' },
  QUOTA_EXCEEDED: limited,
  UNAVAILABLE: down,
  INTERNAL: down,
  THIRD_PARTY_AUTH_ERROR: credentials,
  INVALID_ARGUMENT: rejected,

  ABORTED: down,
  DEADLINE_EXCEEDED: down,
  NOT_FOUND: rejected,
  PERMISSION_DENIED: credentials,
  RESOURCE_EXHAUSTED: limited,
  // Another access token is fetched for the next attempt.
  UNAUTHENTICATED: { code: 'CREDENTIALS_REFUSED', retryable: true },
};

const byStatus: Readonly<Record<number, Meaning>> = {
  401: { code: 'CREDENTIALS_REFUSED', retryable: true },
  403: credentials,
  410: expired,
  413: tooLarge,
  429: limited,
};

/** What an answer other than 200 means: by FCM's `errorCode`, else by the canonical status, else by HTTP. */
export function fcmFailure(answer: Answer, now: number): Failed {
  const { status } = answer;
  const error = refusal.safeParse(readJson(answer.body)).data?.error;
  const details = error?.details ?? [];
  const typed = details.find((detail) => detail.errorCode)?.errorCode;
  const code = typed ?? error?.status ?? `HTTP ${status}`;
  const retryAfter = retryAfterSeconds(answer.headers['retry-after'], now);
  const meaning =
    (code === 'INVALID_ARGUMENT' && aboutToken(details)) ||
    (entryOf(fcmMeanings, code) ?? entryOf(byStatus, status) ?? (status >= 500 ? down : rejected));
  return judged(meaning, code, status, retryAfter);
}

/**
 * Whether an invalid argument is the device's token: where a violation says so, or, as Google documents a malformed
 * token, where FCM's own error stands alone. The latter could be something else, so it costs no token.
 */
function aboutToken(details: z.infer<typeof refusal>['error']['details']): Meaning | undefined {
  const violations = details.flatMap((detail) => detail.fieldViolations ?? []);
  if (violations.some(({ field }) => field === 'message.token')) return noAddress;
  const alone = details.length === 1 && details[0]?.['@type'] === FCM_ERROR;
  return alone ? { code: 'INVALID_ADDRESS' } : undefined;
}
