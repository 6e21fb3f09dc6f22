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
  errors: z.array(z.object({ message: z.string(), field: z.string().nullish() })).min(1),
});

const { down, unavailable, credentials, rejected, limited, hardBounce, tooLarge } = meanings;

/** SendGrid numbers no errors: it has the HTTP status, and for a 400 the path of the field at fault. */
export const sendGridMeanings: Readonly<Record<number, Meaning>> = {
  400: rejected,
  401: credentials,
  403: credentials,
  404: rejected,
  405: rejected,
  413: tooLarge,
  415: rejected,
  429: limited,
  500: down,
  503: unavailable,
};

/**
 * What an answer other than 202 means. A 503 is SendGrid's own where it has SendGrid's errors; else a gateway may have written it after it
 * had handed the mail on.
 */
export function sendGridFailure(answer: Answer, now: number): Failed {
  const { status, headers } = answer;
  const errors = refusal.safeParse(readJson(answer.body)).data?.errors ?? [];
  const reason = errors[0]?.message ?? `HTTP ${status}`;
  const isRecipient = status === 400 && errors.some(({ field }) => RECIPIENT.test(field ?? ''));
  const isOfGateway = status === 503 && errors.length === 0;
  const meaning = isRecipient ? hardBounce : isOfGateway ? down : entryOf(sendGridMeanings, status);
  const retryAfter =
    retryAfterSeconds(headers['retry-after'], now) ??
    (status === 429 ? secondsUntil(headers['x-ratelimit-reset'], now) : undefined);
  return judged(meaning ?? (status >= 500 ? down : rejected), reason, status, retryAfter);
}

/** `personalizations.0.to.0.email` is the recipient's address. */
const RECIPIENT = /^personalizations\.\d+\.to(\.|$)/;

/** SendGrid names the epoch second in which its window starts anew. */
function secondsUntil(epochSecond: string | string[] | undefined, now: number): number | undefined {
  if (typeof epochSecond !== 'string' || !/^\d+$/.test(epochSecond)) return undefined;
  return Math.max(0, Math.ceil(Number(epochSecond) - now / 1000));
}
