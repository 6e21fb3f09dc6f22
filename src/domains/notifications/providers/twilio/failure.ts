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

const refusal = z.object({ code: z.number().int(), message: z.string() });

const { down, unavailable, credentials, rejected, rejectedForNow, limited, noAddress, tooLarge } = meanings;
const { hardBounce, softBounceForNow, stopped } = meanings;

/** Twilio's numbers for messages. Those of 30xxx mostly come by callback, when a message was taken already. */
export const twilioMeanings: Readonly<Record<number, Meaning>> = {
  10001: credentials, // the account is not active
  20003: credentials,
  20005: credentials, // the account is not active
  20404: rejected,
  20429: limited,
  20500: down,
  20503: unavailable,

  21211: hardBounce, // not a number
  21212: rejected, // our number is none
  21217: hardBounce, // does not look like a number
  21265: hardBounce, // a short code
  21266: rejected, // to ourselves
  21408: rejected, // we may not send to that region
  21602: rejected, // no text
  21603: rejected, // no sender
  21604: noAddress, // no recipient
  21606: rejected, // our number cannot send there
  21608: rejected, // a trial account, and the recipient is not verified
  21609: rejected, // the callback's address
  21610: stopped, // the recipient wrote STOP; the number is fine, and START opens it again
  21611: limited, // our number's queue is full
  21612: rejected, // no route from our number to that one
  21614: hardBounce, // not a mobile number
  21617: tooLarge,
  21635: hardBounce, // a landline
  21659: rejected, // our number is not one of Twilio's
  21660: credentials, // our number is another account's

  30001: limited, // the queue is full
  30002: credentials, // the account is suspended
  30003: softBounceForNow, // the handset cannot be reached: switched off, say
  30004: rejected, // blocked
  30005: hardBounce, // nobody has that number
  30006: hardBounce, // a landline, or a carrier that cannot be reached
  30007: rejected, // filtered as spam
  30008: rejectedForNow, // unknown
  30009: rejectedForNow, // a segment is missing
  30010: rejected, // dearer than we allow
  30034: rejected, // our number is not registered for the US
  63038: limited, // the account's messages of a day
};

const byStatus: Readonly<Record<number, Meaning>> = {
  401: credentials,
  403: credentials,
  429: limited,
};

/**
 * Twilio's numbered errors first (they are stable), then the HTTP status. A 503 without a number is not Twilio's own: a gateway may have
 * written it after it had handed the message on.
 */
export function twilioFailure(answer: Answer, now: number): Failed {
  const { status } = answer;
  const error = refusal.safeParse(readJson(answer.body)).data;
  const reason = error ? `${error.code}: ${error.message}` : `HTTP ${status}`;
  const meaning =
    (error && entryOf(twilioMeanings, error.code)) ??
    entryOf(byStatus, status) ??
    (status >= 500 ? down : rejected);
  return judged(meaning, reason, status, retryAfterSeconds(answer.headers['retry-after'], now));
}
