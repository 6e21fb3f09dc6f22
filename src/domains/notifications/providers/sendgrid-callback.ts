import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.js';
import type { SendGridConfig } from '../../../platform/config.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { readJson } from './failure.js';

/** A signature older than this is not believed, so that a copied webhook cannot be played back later. */
const MAX_AGE_SECONDS = 600;
/** The last second of the year 9999. */
const MAX_SECONDS = 253_402_300_799;

const kinds = [
  'processed',
  'deferred',
  'delivered',
  'bounce',
  'blocked',
  'dropped',
  'open',
  'click',
  'unsubscribe',
  'group_unsubscribe',
  'spamreport',
] as const;

/** What an event may lack without being lost: it is null, of another type or absent. */
const optionalText = z.string().optional().catch(undefined);

const ids = { deliveryId: z.string().trim().min(1).max(200), notificationId: optionalText };

/** The ids stand beside SendGrid's own fields, or in `unique_args`, by which API the mail was sent. */
const event = z.object({
  event: z.string().trim().toLowerCase().pipe(z.enum(kinds)),
  /** Epoch seconds. */
  timestamp: z.coerce.number().int().positive().max(MAX_SECONDS).optional().catch(undefined),
  email: optionalText,
  sg_event_id: optionalText,
  sg_message_id: optionalText,
  reason: optionalText,
  /** What a `deferred` or an SMTP server's refusal says, where there is no `reason`. */
  response: optionalText,
  /** Of a bounce: `bounce`, `blocked` or `expired`. */
  type: optionalText,
  url: optionalText,
  useragent: optionalText,
  /** No person's open, as SendGrid sees it: Apple's Mail Privacy Protection. */
  sg_machine_open: z.boolean().optional().catch(undefined),
});
const named = z.union([
  z.object(ids),
  z.object({ unique_args: z.object(ids) }).transform((e) => e.unique_args),
]);

/** What became of a mail that we sent. */
export interface MailEvent {
  readonly kind: (typeof kinds)[number];
  readonly deliveryId: string;
  readonly notificationId?: string;
  readonly address?: string;
  /** When it happened; when it was received, where SendGrid does not say. */
  readonly at: Date;
  /** SendGrid's id of this event: the same on every repeat of it. */
  readonly eventId?: string;
  /** The id that SendGrid answered when it took the mail, with a suffix; see `namesSameMessage`. */
  readonly messageId?: string;
  /** Why it bounced, was dropped or deferred. */
  readonly reason?: string;
  /** What was clicked. */
  readonly url?: string;
  /** By what the mail was opened or its link followed. */
  readonly userAgent?: string;
  /** SendGrid takes the open for a machine's. */
  readonly isMachine?: true;
}

/**
 * Believes an event webhook only with SendGrid's ECDSA signature over the timestamp and the raw body, not
 * older than 10 minutes. Events that are none of ours (other kinds, or without our ids) are left out.
 *
 * Refused with WEBHOOK_OFF, SIGNATURE_REFUSED, SIGNATURE_EXPIRED or CALLBACK_MALFORMED.
 *
 * @param raw the body's bytes exactly as they came in
 * @param headers names in lower case
 */
export function readSendGridCallback(
  raw: Uint8Array,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  config: Pick<SendGridConfig, 'webhookPublicKey'>,
  clock: Clock,
): Result<readonly MailEvent[]> {
  if (!config.webhookPublicKey)
    return refused('WEBHOOK_OFF', 'SENDGRID_WEBHOOK_PUBLIC_KEY is not configured.');
  const given = headers['x-twilio-email-event-webhook-signature'];
  const timestamp = headers['x-twilio-email-event-webhook-timestamp'];
  if (typeof given !== 'string' || typeof timestamp !== 'string') {
    return refused('SIGNATURE_REFUSED', 'The webhook is not signed.');
  }
  if (!isSigned(Buffer.concat([Buffer.from(timestamp), raw]), given, config.webhookPublicKey)) {
    return refused('SIGNATURE_REFUSED', 'The webhook does not carry a valid signature.');
  }
  const age = Math.abs(clock.now() / 1000 - Number(timestamp));
  if (!(age <= MAX_AGE_SECONDS)) return refused('SIGNATURE_EXPIRED', 'The webhook was not signed just now.');
  const events = z.array(z.unknown()).safeParse(readJson(Buffer.from(raw).toString('utf8')));
  if (!events.success) return refused('CALLBACK_MALFORMED', 'The webhook is not a list of events.');
  return ok(events.data.flatMap((value) => readEvent(value, clock)));
}

function isSigned(signed: Uint8Array, given: string, publicKey: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify('sha256', signed, key, Buffer.from(given, 'base64'));
  } catch {
    // An unreadable key or signature proves nothing.
    return false;
  }
}

function readEvent(value: unknown, clock: Clock): MailEvent[] {
  const parsed = event.safeParse(value);
  const of = named.safeParse(value);
  if (!parsed.success || !of.success) return [];
  const e = parsed.data;
  const { deliveryId, notificationId } = of.data;
  const reason = reasonOf(e);
  return [
    {
      kind: e.event,
      deliveryId,
      at: new Date(e.timestamp === undefined ? clock.now() : e.timestamp * 1000),
      ...(notificationId !== undefined && { notificationId }),
      ...(e.email !== undefined && { address: e.email }),
      ...(e.sg_event_id !== undefined && { eventId: e.sg_event_id }),
      ...(e.sg_message_id !== undefined && { messageId: e.sg_message_id }),
      ...(reason !== '' && { reason }),
      ...(e.url !== undefined && { url: e.url }),
      ...(e.useragent !== undefined && { userAgent: e.useragent }),
      ...(e.sg_machine_open && { isMachine: true }),
    },
  ];
}

/** A bounce that is none for good says so: `blocked: 421 …`. */
function reasonOf({ event: kind, type, reason, response }: z.infer<typeof event>): string {
  const isOther = kind === 'bounce' && type !== undefined && type !== 'bounce';
  return [isOther ? type : '', reason ?? response ?? ''].filter((part) => part !== '').join(': ');
}
