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

/** Apple names a `reason`, Mozilla a `message`; the others answer in prose. */
const refusal = z.object({ reason: z.string().optional(), message: z.string().optional() });

const { down, credentials, expired, limited, rejected, tooLarge } = meanings;

const byStatus: Readonly<Record<number, Meaning>> = {
  401: credentials,
  403: credentials,
  404: expired,
  410: expired,
  413: tooLarge,
};

/** What an answer other than 2xx means: by status, as RFC 8030 has it and all push services keep it. */
export function webPushFailure(answer: Answer, now: number): Failed {
  const { status } = answer;
  const error = refusal.safeParse(readJson(answer.body)).data;
  const reason = error?.reason ?? error?.message ?? `HTTP ${status}`;
  const retryAfter = retryAfterSeconds(answer.headers['retry-after'], now);
  return judged(meaningOf(status, error?.reason, retryAfter), reason, status, retryAfter);
}

function meaningOf(status: number, reason: string | undefined, retryAfter: number | undefined): Meaning {
  // Signed with another key than the subscription was made for: Apple answers 400 where others have 403.
  if (reason === 'VapidPkHashMismatch') return credentials;
  // It is about the one subscription (RFC 8030) unless the service names a time to stay away.
  if (status === 429) return { ...limited, oneAddress: retryAfter === undefined };
  return entryOf(byStatus, status) ?? (status >= 500 ? down : rejected);
}
