import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ok, type Result, refused } from '../../../../platform/errors.js';
import type { DeliveryReport } from '../../delivery/report-state.js';
import type { AddressChoice } from '../../suppressions/choose.js';
import type { CallbackReport, CallbackRequest, ProviderCallback } from '../declare.js';
import { entryOf } from '../failure.js';
import { twilioMeanings } from './failure.js';
import type { TwilioConfig } from './index.js';

export const twilioCallback: ProviderCallback<TwilioConfig> = {
  about: {
    operationId: 'reportFromTwilio',
    summary: "Twilio's status callback.",
    headers: z.object({ 'X-Twilio-Signature': z.string() }),
    body: {
      description: 'The form that Twilio posts.',
      schema: z.looseObject({ MessageSid: z.string(), MessageStatus: z.string() }),
      mediaType: 'application/x-www-form-urlencoded',
    },
  },
  read: readTwilioCallback,
};

/** What each step of the document's SMS status chain means for its delivery. */
const kinds: Readonly<Record<string, DeliveryReport['kind']>> = {
  accepted: 'sent',
  scheduled: 'sent',
  queued: 'sent',
  sending: 'sent',
  sent: 'sent',
  delivered: 'delivered',
  read: 'delivered',
  undelivered: 'failed',
  failed: 'failed',
  canceled: 'failed',
};

/** What answers mean, as Twilio itself reads them where no other words are configured there. */
const choices: Readonly<Record<string, AddressChoice['choice']>> = {
  ...Object.fromEntries(
    ['stop', 'stopall', 'unsubscribe', 'cancel', 'end', 'quit', 'revoke', 'optout'].map((word) => [
      word,
      'STOP',
    ]),
  ),
  ...Object.fromEntries(['start', 'yes', 'unstop'].map((word) => [word, 'START'])),
};

/** A message to our number. `OptOutType` says what it means to Twilio, where Advanced Opt-Out is on. */
const inbound = z.object({
  From: z.string().regex(/^\+[1-9]\d{6,14}$/),
  Body: z.string().catch(''),
  OptOutType: z.string().optional().catch(undefined),
});

/** `SmsSid` and `SmsStatus` are the same under their older names. */
const form = z
  .object({
    MessageSid: z.string().trim().min(1).max(64).optional().catch(undefined),
    SmsSid: z.string().trim().min(1).max(64).optional().catch(undefined),
    MessageStatus: z.string().trim().min(1).optional().catch(undefined),
    SmsStatus: z.string().trim().min(1).optional().catch(undefined),
    ErrorCode: z.string().trim().regex(/^\d+$/).optional().catch(undefined),
    /** The recipient's number. */
    To: z.string().trim().min(1).max(320).optional().catch(undefined),
  })
  .transform((fields) => ({
    messageSid: fields.MessageSid ?? fields.SmsSid,
    status: (fields.MessageStatus ?? fields.SmsStatus)?.toLowerCase(),
    errorCode: fields.ErrorCode,
    to: fields.To,
  }));
const query = z.object({ deliveryId: z.string().trim().min(1).max(200) });

/**
 * Trusts a status callback only with Twilio's signature (HMAC-SHA1 over the URL and the sorted form).
 * Twilio signs no time, so an old callback may be repeated: applying it must be idempotent. Messages to our number may come
 * here, too: of them STOP and START count.
 *
 * Refused with SIGNATURE_REFUSED or CALLBACK_MALFORMED.
 *
 * @returns nothing for a status that nothing here follows
 */
export function readTwilioCallback(
  { url, body, headers }: CallbackRequest,
  config: Pick<TwilioConfig, 'authToken'>,
): Result<readonly CallbackReport[]> {
  const fields = [...new URLSearchParams(body.toString('utf8'))];
  const given = headers['x-twilio-signature'];
  if (typeof given !== 'string' || !isSigned(url, fields, given, config.authToken)) {
    return refused('SIGNATURE_REFUSED', 'The callback does not carry a valid X-Twilio-Signature.');
  }
  const { messageSid, status, errorCode, to: address } = form.parse(Object.fromEntries(fields));
  if (status === 'received') return ok(choiceOf(Object.fromEntries(fields)));
  const named = query.safeParse(Object.fromEntries(URL.parse(url)?.searchParams ?? []));
  if (messageSid === undefined || status === undefined || !named.success) {
    return refused('CALLBACK_MALFORMED', 'The callback lacks MessageSid, MessageStatus or deliveryId.');
  }
  const kind = entryOf(kinds, status);
  if (!kind) return ok([]);
  const reason = errorCode ? `${status}: ${errorCode}` : status;
  const { deliveryId } = named.data;
  const base = { deliveryId, kind, providerId: messageSid };
  if (kind !== 'failed') return ok([base]);
  const addressFault = errorCode ? entryOf(twilioMeanings, errorCode)?.addressFault : undefined;
  return ok([{ ...base, reason, ...(addressFault && { addressFault, ...(address && { address }) }) }]);
}

function choiceOf(fields: Readonly<Record<string, string>>): readonly AddressChoice[] {
  const message = inbound.safeParse(fields).data;
  const choice = message && entryOf(choices, (message.OptOutType ?? message.Body).trim().toLowerCase());
  return choice ? [{ channel: 'sms', address: message.From, choice }] : [];
}

/** Twilio signs the URL with its scheme's own port or without it, whichever way it was named. */
function isSigned(
  url: string,
  fields: readonly (readonly [string, string])[],
  given: string,
  authToken: string,
): boolean {
  return spellings(url).some((spelling) => matches(given, signature(spelling, fields, authToken)));
}

function spellings(url: string): readonly string[] {
  const [, scheme, host, port, rest] = /^(https?:\/\/)([^/?#]*?)(:\d+)?([/?#].*)?$/i.exec(url) ?? [];
  if (scheme === undefined || host === undefined) return [url];
  const own = scheme.toLowerCase() === 'https://' ? ':443' : ':80';
  const tail = rest ?? '';
  return [url, `${scheme}${host}${tail}`, ...(port === undefined ? [`${scheme}${host}${own}${tail}`] : [])];
}

function signature(url: string, fields: readonly (readonly [string, string])[], authToken: string): Buffer {
  const sorted = fields.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const signed = url + sorted.map(([name, value]) => name + value).join('');
  return createHmac('sha1', authToken).update(signed, 'utf8').digest();
}

function matches(given: string, expected: Buffer): boolean {
  const bytes = Buffer.from(given, 'base64');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
