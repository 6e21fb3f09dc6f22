import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../platform/clock.js';
import type { SendGridConfig } from '../../../platform/config.js';
import { ok, type Result, refused } from '../../../platform/errors.js';
import { readJson } from './failure.js';

/** A signature older than this is not believed, so that a copied webhook cannot be played back later. */
const MAX_AGE_SECONDS = 600;

const event = z.object({
  event: z.enum([
    'processed',
    'deferred',
    'delivered',
    'bounce',
    'dropped',
    'open',
    'click',
    'unsubscribe',
    'group_unsubscribe',
    'spamreport',
  ]),
  /** Epoch seconds. */
  timestamp: z.number().int().nonnegative(),
  email: z.string(),
  deliveryId: z.string().min(1).max(200),
  notificationId: z.string().min(1).max(200),
  sg_event_id: z.string().optional(),
  sg_message_id: z.string().optional(),
  reason: z.string().optional(),
  url: z.string().optional(),
  useragent: z.string().optional(),
  /** No person's open, as SendGrid sees it: Apple's Mail Privacy Protection. */
  sg_machine_open: z.boolean().optional().catch(undefined),
});

/** What became of a mail that we sent. */
export interface MailEvent {
  readonly kind: z.infer<typeof event>['event'];
  readonly deliveryId: string;
  readonly notificationId: string;
  readonly address: string;
  readonly at: Date;
  /** SendGrid's id of this event: the same on every repeat of it. */
  readonly eventId?: string;
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
  return ok(events.data.flatMap(readEvent));
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

function readEvent(value: unknown): MailEvent[] {
  const parsed = event.safeParse(value);
  if (!parsed.success) return [];
  const e = parsed.data;
  return [
    {
      kind: e.event,
      deliveryId: e.deliveryId,
      notificationId: e.notificationId,
      address: e.email,
      at: new Date(e.timestamp * 1000),
      ...(e.sg_event_id !== undefined && { eventId: e.sg_event_id }),
      ...(e.sg_message_id !== undefined && { messageId: e.sg_message_id }),
      ...(e.reason !== undefined && { reason: e.reason }),
      ...(e.url !== undefined && { url: e.url }),
      ...(e.useragent !== undefined && { userAgent: e.useragent }),
      ...(e.sg_machine_open && { isMachine: true }),
    },
  ];
}
