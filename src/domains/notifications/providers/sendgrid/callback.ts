import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../../platform/clock.js';
import { ok, type Result, refused } from '../../../../platform/errors.js';
import type { DeliveryReport } from '../../delivery/report-state.js';
import { isBotName } from '../../tracking/bots.js';
import type { ProviderCallback } from '../declare.js';
import { readJson } from '../failure.js';
import type { SendGridConfig } from './index.js';

export const sendGridCallback: ProviderCallback<SendGridConfig> = {
  about: {
    operationId: 'reportFromSendGrid',
    summary: "SendGrid's event webhook.",
    headers: z.object({
      'X-Twilio-Email-Event-Webhook-Signature': z.string(),
      'X-Twilio-Email-Event-Webhook-Timestamp': z.string(),
    }),
    body: {
      description: 'The events that SendGrid posts.',
      schema: z.array(z.looseObject({ event: z.string() })),
    },
  },
  read({ body, headers }, config, clock) {
    const events = readSendGridCallback(body, headers, config, clock);
    return events.ok ? ok(events.value.map(reportOf)) : events;
  },
};

/** What an event means for its delivery. */
function reportOf(event: MailEvent): DeliveryReport {
  const { deliveryId, kind, messageId, reason } = event;
  const base = { deliveryId, providerId: messageId };
  switch (kind) {
    case 'processed':
    case 'deferred':
      return { ...base, kind: 'sent' };
    case 'delivered':
      return { ...base, kind: 'delivered' };
    case 'open':
      return { ...base, kind: 'opened', ...fetched(event) };
    case 'click':
      return { ...base, kind: 'clicked', ...fetched(event) };
    case 'bounce':
    case 'blocked':
    case 'dropped':
      return { ...base, kind: 'failed', reason: reason ? `${kind}: ${reason}` : kind };
    case 'unsubscribe':
    case 'group_unsubscribe':
    case 'spamreport':
      return { ...base, kind: 'unsubscribed', detail: { via: kind }, at: endOfSecond(event.at) };
  }
}

function fetched({
  userAgent = '',
  isMachine,
  url,
}: MailEvent): Pick<DeliveryReport, 'suspectedBot' | 'detail'> {
  const detail = {
    ...(url !== undefined && { url }),
    ...(userAgent !== '' && { user_agent: userAgent }),
  };
  return { suspectedBot: isMachine === true || isBotName(userAgent), detail };
}

/** SendGrid reports whole seconds: what a user chose within that second came before. */
const endOfSecond = (at: Date): Date => new Date(at.getTime() + 999);

/** A signature older than this is not trusted, so that a copied webhook cannot be played back later. */
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
 * Trusts an event webhook only with SendGrid's ECDSA signature over the timestamp and the raw body, not
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
