import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../../platform/clock.js';
import { ok, type Result, refused } from '../../../../platform/errors.js';
import type { DeliveryReport } from '../../delivery/report-state.js';
import { isBotName } from '../../tracking/bots.js';
import type { CallbackRequest, ProviderCallback } from '../declare.js';
import { entryOf, readJson } from '../failure.js';
import type { AddressFault } from '../provider.js';
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
  read: readSendGridCallback,
};

/** A signature older than this is not trusted, so that a copied webhook cannot be played back later. */
const MAX_AGE_SECONDS = 600;
/** The last second of the year 9999. */
const MAX_SECONDS = 253_402_300_799;

/** What each of SendGrid's events means for its delivery. */
const kinds: Readonly<Record<string, DeliveryReport['kind']>> = {
  processed: 'sent',
  deferred: 'sent',
  delivered: 'delivered',
  bounce: 'failed',
  blocked: 'failed',
  dropped: 'failed',
  open: 'opened',
  click: 'clicked',
  unsubscribe: 'unsubscribed',
  group_unsubscribe: 'unsubscribed',
  spamreport: 'unsubscribed',
};

/** What SendGrid's kinds of bounce, and a complaint, say of the address. An `expired` one was deferred until SendGrid gave up. */
const faults: Readonly<Record<string, AddressFault>> = {
  'bounce bounce': 'HARD_BOUNCE',
  'bounce blocked': 'SOFT_BOUNCE',
  'bounce expired': 'SOFT_BOUNCE',
  blocked: 'SOFT_BOUNCE',
  spamreport: 'COMPLAINT',
  // Not sent, since SendGrid's own list has the address: these are its reasons, word for word.
  'dropped bounced address': 'HARD_BOUNCE',
  'dropped invalid': 'HARD_BOUNCE',
  'dropped spam reporting address': 'COMPLAINT',
};

/** What an event may lack without being lost: it is null, of another type or absent. */
const optionalText = z.string().optional().catch(undefined);

const event = z.object({
  event: z.string().trim().toLowerCase(),
  /** The recipient. */
  email: optionalText,
  /** Epoch seconds. */
  timestamp: z.coerce.number().int().positive().max(MAX_SECONDS).optional().catch(undefined),
  /** The id that SendGrid answered when it took the mail, with a suffix; see `namesSameMessage`. */
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
type MailEvent = z.infer<typeof event>;

const ids = z.object({ deliveryId: z.string().trim().min(1).max(200) });
/** The ids stand beside SendGrid's own fields, or in `unique_args`, by which API the mail was sent. */
const named = z.union([ids, z.object({ unique_args: ids }).transform((e) => e.unique_args)]);

/**
 * Trusts an event webhook only with SendGrid's ECDSA signature over the timestamp and the raw body, not
 * older than 10 minutes. Events that are none of ours (other kinds, or without our ids) are left out.
 *
 * Refused with WEBHOOK_OFF, SIGNATURE_REFUSED, SIGNATURE_EXPIRED or CALLBACK_MALFORMED.
 */
export function readSendGridCallback(
  { body, headers }: CallbackRequest,
  config: Pick<SendGridConfig, 'webhookPublicKey'>,
  clock: Clock,
): Result<readonly DeliveryReport[]> {
  if (!config.webhookPublicKey)
    return refused('WEBHOOK_OFF', 'SENDGRID_WEBHOOK_PUBLIC_KEY is not configured.');
  const given = headers['x-twilio-email-event-webhook-signature'];
  const timestamp = headers['x-twilio-email-event-webhook-timestamp'];
  if (typeof given !== 'string' || typeof timestamp !== 'string') {
    return refused('SIGNATURE_REFUSED', 'The webhook is not signed.');
  }
  if (!isSigned(Buffer.concat([Buffer.from(timestamp), body]), given, config.webhookPublicKey)) {
    return refused('SIGNATURE_REFUSED', 'The webhook does not carry a valid signature.');
  }
  const age = Math.abs(clock.now() / 1000 - Number(timestamp));
  if (!(age <= MAX_AGE_SECONDS)) return refused('SIGNATURE_EXPIRED', 'The webhook was not signed just now.');
  const events = z.array(z.unknown()).safeParse(readJson(body.toString('utf8')));
  if (!events.success) return refused('CALLBACK_MALFORMED', 'The webhook is not a list of events.');
  return ok(events.data.flatMap((value) => toReport(value, clock)));
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

function toReport(value: unknown, clock: Clock): DeliveryReport[] {
  const parsed = event.safeParse(value);
  const of = named.safeParse(value);
  if (!parsed.success || !of.success) return [];
  const kind = entryOf(kinds, parsed.data.event);
  if (!kind) return [];
  const base = { deliveryId: of.data.deliveryId, kind, providerId: parsed.data.sg_message_id };
  switch (kind) {
    case 'opened':
    case 'clicked':
      return [{ ...base, ...fetched(parsed.data) }];
    case 'failed': {
      const { timestamp } = parsed.data;
      const at = timestamp === undefined ? undefined : endOfSecond(timestamp, clock);
      return [{ ...base, reason: reasonOf(parsed.data), at, ...addressOf(parsed.data) }];
    }
    case 'unsubscribed': {
      const { event: via, timestamp } = parsed.data;
      return [{ ...base, detail: { via }, at: endOfSecond(timestamp, clock), ...addressOf(parsed.data) }];
    }
    default:
      return [base];
  }
}

function fetched({
  useragent = '',
  sg_machine_open,
  url,
}: MailEvent): Pick<DeliveryReport, 'suspectedBot' | 'detail'> {
  const detail = {
    ...(url !== undefined && { url }),
    ...(useragent !== '' && { user_agent: useragent }),
  };
  return { suspectedBot: sg_machine_open === true || isBotName(useragent), detail };
}

/** What an event says of its address, if anything. */
function addressOf({
  event: kind,
  type,
  reason,
  email,
}: MailEvent): Pick<DeliveryReport, 'address' | 'addressFault'> {
  const own = kind === 'bounce' ? type : kind === 'dropped' ? reason : undefined;
  const addressFault = entryOf(faults, own === undefined ? kind : `${kind} ${own.trim().toLowerCase()}`);
  return addressFault ? { addressFault, ...(email && { address: email.trim() }) } : {};
}

/** A bounce that is none for good says so: `bounce: blocked: 421 …`. */
function reasonOf({ event: kind, type = '', reason, response }: MailEvent): string {
  const isOther = kind === 'bounce' && type !== 'bounce';
  return [kind, isOther ? type : '', reason ?? response ?? ''].filter((part) => part !== '').join(': ');
}

/**
 * SendGrid reports whole seconds: what a user chose within that second came before. Where it reports none, it is the one of the
 * callback.
 */
const endOfSecond = (seconds: number | undefined, clock: Clock): Date =>
  new Date((seconds === undefined ? clock.now() : seconds * 1000) + 999);
