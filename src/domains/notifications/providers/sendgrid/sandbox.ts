import { createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../../platform/clock.js';
import {
  defineStandIn,
  header,
  idsOf,
  jsonBody,
  keyPair,
  pem,
  type Reply,
  type SandboxProvider,
  type SandboxWorld,
} from '../stand-in.js';

const text = z.record(z.string(), z.string());
/** Of a mail as it leaves: SendGrid asks its callers to encode what is not ASCII. */
const mailHeaders = z.record(
  z.string().regex(/^[!-9;-~]+$/, 'Invalid header name.'),
  z
    .string()
    .max(900)
    .regex(/^[ -~]*$/, 'Header values must be ASCII.'),
);
const person = z.object({ email: z.email('Does not contain a valid address.'), name: z.string().optional() });
const mail = z.looseObject({
  from: person,
  template_id: z.string(),
  personalizations: z
    .array(
      z.looseObject({
        to: z.array(person).min(1),
        dynamic_template_data: z.record(z.string(), z.unknown()),
        custom_args: text.optional(),
        headers: mailHeaders.optional(),
      }),
    )
    .min(1)
    .max(1000),
  headers: mailHeaders.optional(),
  custom_args: text.optional(),
  categories: z.array(z.string().max(255)).max(10).optional(),
});
type Mail = z.infer<typeof mail>;

/** Headers that SendGrid sets itself and refuses from senders. */
const RESERVED = [
  'x-sg-id',
  'x-sg-eid',
  'received',
  'dkim-signature',
  'content-type',
  'to',
  'from',
  'subject',
];
const MAX_CUSTOM_ARGS_BYTES = 10_000;

const problems: Readonly<Record<number, string>> = {
  401: 'The provided authorization grant is invalid, expired, or revoked',
  413: 'The mail is too large.',
  429: 'too many requests',
};

const credentials = keyPair.extend({ apiKey: z.string(), from: z.string(), templateId: z.string() });
type Credentials = z.infer<typeof credentials>;

export const sendGridStandIn = defineStandIn({
  credentials,
  makeCredentials: () => ({
    ...pem(generateKeyPairSync('ec', { namedCurve: 'P-256' })),
    apiKey: `SG.${randomBytes(16).toString('base64url')}.${randomBytes(32).toString('base64url')}`,
    from: 'news@tidings.example',
    templateId: `d-${randomBytes(16).toString('hex')}`,
  }),
  settings({ apiKey, from, templateId, publicKey }, url) {
    const webhookPublicKey = createPublicKey(publicKey)
      .export({ format: 'der', type: 'spki' })
      .toString('base64');
    return { url, apiKey, from, templateId, webhookPublicKey };
  },
  open: openSendGrid,
});

/** SendGrid v3 mail/send with dynamic templates, and its signed event webhook. */
function openSendGrid(
  credentials: Credentials,
  { eventUrl, callbacks, clock }: SandboxWorld,
): SandboxProvider {
  function report(sent: Mail, to: string, messageId: string, outcome = 'delivered'): void {
    const url = eventUrl();
    if (!url || outcome === 'none') return;
    const [kind, own] = ofOutcome(outcome);
    const event = {
      ...sent.custom_args,
      ...sent.personalizations[0]?.custom_args,
      email: to,
      timestamp: Math.floor(clock.now() / 1000),
      event: kind,
      ...(sent.categories && { category: sent.categories }),
      'smtp-id': `<${messageId}@geopod-ismtpd-1>`,
      sg_event_id: randomBytes(24).toString('base64url'),
      // What was answered, and which servers handled it.
      sg_message_id: `${messageId}.recvd-6f9c9d5b7d-x8v2k-1-${randomBytes(4).toString('hex').toUpperCase()}-1E.0`,
      ...own,
    };
    const body = JSON.stringify([event]);
    callbacks.post([
      { url, request: () => ({ headers: signed(body, credentials.privateKey, clock), body }) },
    ]);
  }

  return {
    serves: (path) => path.startsWith('/v3/'),
    async judge(request) {
      if (request.path !== '/v3/mail/send') return problem(404, 'not found');
      if (request.method !== 'POST') return problem(405, 'method not allowed');
      if (header(request, 'authorization') !== `Bearer ${credentials.apiKey}`) return refusal(401, undefined);
      if (!header(request, 'content-type')?.startsWith('application/json')) {
        return problem(415, 'Content-Type should be application/json.');
      }
      const parsed = mail.safeParse(jsonBody(request));
      if (!parsed.success) return invalid(parsed.error);
      const wrong = checkMail(parsed.data, credentials);
      if (wrong) return wrong;
      const to = parsed.data.personalizations[0]?.to[0]?.email ?? '';
      const messageId = randomBytes(16).toString('base64url');
      return {
        message: {
          to,
          providerId: messageId,
          ...idsOf({ ...parsed.data.custom_args, ...parsed.data.personalizations[0]?.custom_args }),
          body: parsed.data,
        },
        reply: { status: 202, headers: { 'x-message-id': messageId } },
        afterwards: (outcome) => report(parsed.data, to, messageId, outcome),
      };
    },
    refusal,
  };
}

function checkMail(sent: Mail, credentials: Credentials): Reply | undefined {
  if (sent.from.email !== credentials.from) {
    return problem(403, 'The from address does not match a verified Sender Identity.', 'from');
  }
  if (sent.template_id !== credentials.templateId) {
    return problem(400, 'The template_id must be a valid GUID of yours.', 'template_id');
  }
  const reserved = Object.keys(sent.headers ?? {}).find((name) => RESERVED.includes(name.toLowerCase()));
  if (reserved) return problem(400, 'The header is reserved.', `headers.${reserved}`);
  if (Buffer.byteLength(JSON.stringify(sent.custom_args ?? {})) > MAX_CUSTOM_ARGS_BYTES) {
    return problem(400, 'The custom_args are too long.', 'custom_args');
  }
  return undefined;
}

/** The event that ends a mail's way, and what it says besides. */
function ofOutcome(outcome: string): [kind: string, own: object] {
  const reason = 'as the sandbox was asked to';
  switch (outcome) {
    case 'delivered':
      return ['delivered', { response: '250 OK' }];
    case 'bounce':
      return ['bounce', { type: 'bounce', status: '5.1.1', reason: `550 5.1.1 ${reason}`, tls: 1 }];
    case 'blocked':
      return ['bounce', { type: 'blocked', status: '5.7.1', reason: `550 5.7.1 ${reason}`, tls: 1 }];
    case 'deferred':
      return ['deferred', { response: `451 4.3.0 ${reason}`, attempt: '1' }];
    default:
      return [outcome, { reason }];
  }
}

function signed(body: string, privateKey: string, clock: Clock): Record<string, string> {
  const timestamp = String(Math.floor(clock.now() / 1000));
  return {
    'content-type': 'application/json',
    'x-twilio-email-event-webhook-timestamp': timestamp,
    'x-twilio-email-event-webhook-signature': sign(
      'sha256',
      Buffer.from(timestamp + body),
      privateKey,
    ).toString('base64'),
  };
}

function refusal(status: number, reason: string | undefined): Reply {
  return problem(status, reason ?? problems[status] ?? 'An error occurred.');
}

function invalid(error: z.ZodError): Reply {
  const errors = error.issues.map(({ path, message }) => ({
    message,
    field: path.join('.') || null,
    help: null,
  }));
  return { status: 400, body: { errors } };
}

function problem(status: number, message: string, field: string | null = null): Reply {
  return { status, body: { errors: [{ message, field, help: null }] } };
}
