import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ok, type Result, refused } from '../../../../platform/errors.js';
import type { DeliveryReport } from '../../delivery/report-state.js';
import type { ProviderCallback } from '../declare.js';
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
  read({ url, body, headers }, config) {
    const status = readTwilioCallback({ url, body: body.toString('utf8') }, headers, config);
    return status.ok ? ok(status.value ? [reportOf(status.value)] : []) : status;
  },
};

/** What a step of the document's SMS status chain means for its delivery. */
function reportOf({ deliveryId, messageSid, status, errorCode }: TwilioStatus): DeliveryReport {
  const base = { deliveryId, providerId: messageSid };
  switch (status) {
    case 'accepted':
    case 'scheduled':
    case 'queued':
    case 'sending':
    case 'sent':
      return { ...base, kind: 'sent' };
    case 'delivered':
    case 'read':
      return { ...base, kind: 'delivered' };
    case 'undelivered':
    case 'failed':
    case 'canceled':
      return { ...base, kind: 'failed', reason: errorCode ? `${status}: ${errorCode}` : status };
  }
}

/** A callback as it came in. */
export interface TwilioRequest {
  /** The whole public URL that Twilio called, with its query: it is part of what is signed. */
  readonly url: string;
  /** The form-encoded body. */
  readonly body: string;
}

const statuses = [
  'accepted',
  'scheduled',
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'failed',
  'canceled',
  'read',
] as const;

/** `SmsSid` and `SmsStatus` are the same under their older names. */
const form = z
  .object({
    MessageSid: z.string().trim().min(1).max(64).optional().catch(undefined),
    SmsSid: z.string().trim().min(1).max(64).optional().catch(undefined),
    MessageStatus: z.string().trim().min(1).optional().catch(undefined),
    SmsStatus: z.string().trim().min(1).optional().catch(undefined),
    ErrorCode: z.string().trim().regex(/^\d+$/).optional().catch(undefined),
  })
  .transform((fields) => ({
    messageSid: fields.MessageSid ?? fields.SmsSid,
    status: (fields.MessageStatus ?? fields.SmsStatus)?.toLowerCase(),
    errorCode: fields.ErrorCode,
  }));
const known = z.enum(statuses);
const query = z.object({ deliveryId: z.string().trim().min(1).max(200) });

/** One step of the document's SMS status chain. */
export interface TwilioStatus {
  readonly deliveryId: string;
  readonly messageSid: string;
  readonly status: (typeof statuses)[number];
  /** Twilio's number for why a message was not delivered. */
  readonly errorCode?: string;
}

/**
 * Trusts a status callback only with Twilio's signature (HMAC-SHA1 over the URL and the sorted form).
 * Twilio signs no time, so an old callback may be repeated: applying it must be idempotent.
 *
 * Refused with SIGNATURE_REFUSED or CALLBACK_MALFORMED.
 *
 * @param headers names in lower case
 * @returns null for a status that nothing here follows
 */
export function readTwilioCallback(
  request: TwilioRequest,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  config: Pick<TwilioConfig, 'authToken'>,
): Result<TwilioStatus | null> {
  const fields = [...new URLSearchParams(request.body)];
  const given = headers['x-twilio-signature'];
  if (typeof given !== 'string' || !isSigned(request.url, fields, given, config.authToken)) {
    return refused('SIGNATURE_REFUSED', 'The callback does not carry a valid X-Twilio-Signature.');
  }
  const { messageSid, status, errorCode } = form.parse(Object.fromEntries(fields));
  const named = query.safeParse(Object.fromEntries(URL.parse(request.url)?.searchParams ?? []));
  if (messageSid === undefined || status === undefined || !named.success) {
    return refused('CALLBACK_MALFORMED', 'The callback lacks MessageSid, MessageStatus or deliveryId.');
  }
  const followed = known.safeParse(status);
  if (!followed.success) return ok(null);
  return ok({
    deliveryId: named.data.deliveryId,
    messageSid,
    status: followed.data,
    ...(errorCode !== undefined && { errorCode }),
  });
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
