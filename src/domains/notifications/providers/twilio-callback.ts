import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { TwilioConfig } from '../../../platform/config.js';
import { ok, type Result, refused } from '../../../platform/errors.js';

/** A callback as it came in. */
export interface TwilioRequest {
  /** The whole public URL that Twilio called, with its query: it is part of what is signed. */
  readonly url: string;
  /** The form-encoded body. */
  readonly body: string;
}

const form = z.object({
  MessageSid: z.string().min(1).max(64),
  MessageStatus: z.enum([
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
  ]),
  ErrorCode: z.string().regex(/^\d+$/).optional(),
});
const query = z.object({ deliveryId: z.string().min(1).max(200) });

/** One step of the document's SMS status chain. */
export interface TwilioStatus {
  readonly deliveryId: string;
  readonly messageSid: string;
  readonly status: z.infer<typeof form>['MessageStatus'];
  /** Twilio's number for why a message was not delivered. */
  readonly errorCode?: string;
}

/**
 * Believes a status callback only with Twilio's signature (HMAC-SHA1 over the URL and the sorted form).
 * Twilio signs no time, so an old callback may be repeated: applying it must be idempotent.
 *
 * Refused with SIGNATURE_REFUSED or CALLBACK_MALFORMED.
 *
 * @param headers names in lower case
 */
export function readTwilioCallback(
  request: TwilioRequest,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  config: Pick<TwilioConfig, 'authToken'>,
): Result<TwilioStatus> {
  const fields = [...new URLSearchParams(request.body)];
  const given = headers['x-twilio-signature'];
  if (typeof given !== 'string' || !matches(given, signature(request.url, fields, config.authToken))) {
    return refused('SIGNATURE_REFUSED', 'The callback does not carry a valid X-Twilio-Signature.');
  }
  const status = form.safeParse(Object.fromEntries(fields));
  const named = query.safeParse(Object.fromEntries(URL.parse(request.url)?.searchParams ?? []));
  if (!status.success || !named.success) {
    return refused(
      'CALLBACK_MALFORMED',
      'The callback lacks MessageSid, a known MessageStatus or deliveryId.',
    );
  }
  const { MessageSid, MessageStatus, ErrorCode } = status.data;
  return ok({
    deliveryId: named.data.deliveryId,
    messageSid: MessageSid,
    status: MessageStatus,
    ...(ErrorCode !== undefined && { errorCode: ErrorCode }),
  });
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
