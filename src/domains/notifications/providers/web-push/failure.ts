import { z } from 'zod';
import { type Failed, failed, rateLimited, readJson, retryAfterSeconds } from '../failure.js';
import type { Answer } from '../https-client.js';

/** Apple names a `reason`, Mozilla a `message`; the others answer in prose. */
const refusal = z.object({ reason: z.string().optional(), message: z.string().optional() });

/**
 * What an answer other than 2xx means: by status, as RFC 8030 has it and all push services keep it.
 *
 * 429 is about the one subscription (RFC 8030) unless the service names a time to stay away.
 */
export function webPushFailure(answer: Answer, now: number): Failed {
  const { status } = answer;
  const error = refusal.safeParse(readJson(answer.body)).data;
  const reason = error?.reason ?? error?.message ?? `HTTP ${status}`;
  const retryAfter = retryAfterSeconds(answer.headers['retry-after'], now);
  // Signed with another key than the subscription was made for: Apple answers 400 where others have 403.
  if (error?.reason === 'VapidPkHashMismatch') return failed('CREDENTIALS_REFUSED', reason, { status });
  switch (status) {
    case 404:
    case 410:
      return failed('TOKEN_EXPIRED', reason, { status, removeToken: true });
    case 401:
    case 403:
      return failed('CREDENTIALS_REFUSED', reason, { status });
    case 413:
      return failed('PAYLOAD_TOO_LARGE', reason, { status });
    case 429:
      return { ...rateLimited(reason, status, retryAfter), oneAddress: retryAfter === undefined };
  }
  if (status < 500) return failed('REJECTED', reason, { status });
  return failed('PROVIDER_DOWN', reason, {
    status,
    retryable: true,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
