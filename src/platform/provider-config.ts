import { createECDH } from 'node:crypto';
import { z } from 'zod';
import { defined } from './defined.js';

const url = z.url();
/** Bytes of an uncompressed point of P-256, and of the number that is its private key. */
const VAPID_PUBLIC_BYTES = 65;
const VAPID_PRIVATE_BYTES = 32;

const base64url = (bytes: number) =>
  z
    .string()
    .refine(
      (text) => /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes,
      `must be ${bytes} bytes in base64url`,
    );

/** The variables of the environment that providers are configured by. */
export const providerVariables = {
  APNS_URL: url.optional(),
  APNS_TEAM_ID: z.string().optional(),
  APNS_KEY_ID: z.string().optional(),
  APNS_PRIVATE_KEY: z.string().optional(),
  APNS_TOPIC: z.string().optional(),
  FCM_URL: url.optional(),
  FCM_PROJECT_ID: z.string().optional(),
  FCM_CLIENT_EMAIL: z.string().optional(),
  FCM_PRIVATE_KEY: z.string().optional(),
  FCM_TOKEN_URL: url.optional(),
  VAPID_PUBLIC_KEY: base64url(VAPID_PUBLIC_BYTES).optional(),
  VAPID_PRIVATE_KEY: base64url(VAPID_PRIVATE_BYTES).optional(),
  VAPID_SUBJECT: z
    .string()
    .regex(/^(mailto:|https:\/\/)./, 'must start with mailto: or https://')
    .optional(),
  WEB_PUSH_HOSTS: z.string().optional(),
  SENDGRID_URL: url.optional(),
  SENDGRID_API_KEY: z.string().optional(),
  SENDGRID_FROM: z.string().optional(),
  SENDGRID_TEMPLATE_ID: z.string().optional(),
  SENDGRID_WEBHOOK_PUBLIC_KEY: z.string().optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  SMTP_FROM: z.email().optional(),
  EMAIL_PROVIDER: z.enum(['sendgrid', 'smtp']).optional(),
  TWILIO_URL: url.optional(),
  TWILIO_ACCOUNT_SID: z.string().optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM: z.string().optional(),
};

export interface ApnsConfig {
  /** Scheme, host and port, e.g. `https://api.push.apple.com`. */
  readonly url: string;
  readonly teamId: string;
  readonly keyId: string;
  /** The .p8 key: PEM, P-256. */
  readonly privateKey: string;
  /** The app's bundle identifier. */
  readonly topic: string;
}

export interface FcmConfig {
  readonly url: string;
  readonly projectId: string;
  readonly clientEmail: string;
  /** PEM, RSA. */
  readonly privateKey: string;
  /** Where the OAuth 2.0 token is asked for. */
  readonly tokenUrl: string;
}

export interface WebPushConfig {
  /** VAPID: the application server's key pair, base64url, and whom a push service may write to. */
  readonly publicKey: string;
  readonly privateKey: string;
  readonly subject: string;
  /** Besides the known push services, hosts (with their port where it is not 443) that subscriptions may name. */
  readonly hosts: readonly string[];
}

export interface SendGridConfig {
  readonly url: string;
  readonly apiKey: string;
  /** The sender's mail address. */
  readonly from: string;
  /** The dynamic template that lays out `subject` and `html_body`. */
  readonly templateId: string;
  /** Base64 DER of the event webhook's public key; without it no webhook is accepted. */
  readonly webhookPublicKey?: string;
}

export interface SmtpConfig {
  /** `smtp://user:password@host:port`, or `smtps:` for TLS from the start. */
  readonly url: string;
  /** The sender's mail address. */
  readonly from: string;
}

export interface TwilioConfig {
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
  /** The sender's number in E.164. */
  readonly from: string;
}

/** A provider that is absent is off: its channel has nobody to send by. */
export interface ProvidersConfig {
  readonly apns?: ApnsConfig;
  readonly fcm?: FcmConfig;
  readonly webPush?: WebPushConfig;
  readonly sendgrid?: SendGridConfig;
  readonly smtp?: SmtpConfig;
  readonly twilio?: TwilioConfig;
}

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The providers that the environment names, of two providers of mail one. A provider is off, or on with all that it
 * needs: half a provider is a fault.
 *
 * @param faults gets a line for each fault
 */
export function readProviders(env: Variables, faults: string[]): ProvidersConfig {
  const whole = wholeProviders(env, faults);
  const webPush = whole('Web Push', {
    publicKey: 'VAPID_PUBLIC_KEY',
    privateKey: 'VAPID_PRIVATE_KEY',
    subject: 'VAPID_SUBJECT',
  });
  if (webPush && !isPair(webPush)) faults.push('VAPID_PRIVATE_KEY does not belong to VAPID_PUBLIC_KEY');
  const smtp = whole('SMTP', { url: 'SMTP_URL', from: 'SMTP_FROM' });
  const sendgrid = whole(
    'SendGrid',
    {
      url: 'SENDGRID_URL',
      apiKey: 'SENDGRID_API_KEY',
      from: 'SENDGRID_FROM',
      templateId: 'SENDGRID_TEMPLATE_ID',
      webhookPublicKey: 'SENDGRID_WEBHOOK_PUBLIC_KEY',
    },
    ['webhookPublicKey'],
  );
  const wanted = env.EMAIL_PROVIDER;
  if (wanted === 'smtp' && !smtp) faults.push('SMTP_URL is missing (EMAIL_PROVIDER is smtp)');
  if (wanted === 'sendgrid' && !sendgrid) faults.push('SENDGRID_URL is missing (EMAIL_PROVIDER is sendgrid)');
  const bySmtp = wanted === 'smtp' || !sendgrid;
  return defined({
    apns: whole('APNs', {
      url: 'APNS_URL',
      teamId: 'APNS_TEAM_ID',
      keyId: 'APNS_KEY_ID',
      privateKey: 'APNS_PRIVATE_KEY',
      topic: 'APNS_TOPIC',
    }),
    fcm: whole('FCM', {
      url: 'FCM_URL',
      projectId: 'FCM_PROJECT_ID',
      clientEmail: 'FCM_CLIENT_EMAIL',
      privateKey: 'FCM_PRIVATE_KEY',
      tokenUrl: 'FCM_TOKEN_URL',
    }),
    webPush: webPush && { ...webPush, hosts: hostList(env.WEB_PUSH_HOSTS) },
    sendgrid: bySmtp ? undefined : sendgrid,
    smtp: bySmtp ? smtp : undefined,
    twilio: whole('Twilio', {
      url: 'TWILIO_URL',
      accountSid: 'TWILIO_ACCOUNT_SID',
      authToken: 'TWILIO_AUTH_TOKEN',
      from: 'TWILIO_FROM',
    }),
  });
}

/** Reads a provider's variables; in PEM keys `\n` may be written as two characters, as many secret stores do. */
function wholeProviders(env: Variables, faults: string[]) {
  return function whole<Shape extends Record<string, string>>(
    name: string,
    names: Shape,
    optional: readonly (keyof Shape)[] = [],
  ): { [Key in keyof Shape]: string } | undefined {
    const entries = Object.entries(names);
    if (entries.every(([, variable]) => env[variable] === undefined)) return undefined;
    const missing = entries.filter(
      ([key, variable]) => !optional.includes(key) && env[variable] === undefined,
    );
    for (const [, variable] of missing)
      faults.push(`${variable} is missing (${name} is otherwise configured)`);
    return defined(
      Object.fromEntries(entries.map(([key, variable]) => [key, env[variable]?.replaceAll('\\n', '\n')])),
    ) as { [Key in keyof Shape]: string };
  };
}

/** Whether two keys are one pair. What is no key at all has a fault already, so it passes here. */
function isPair({ publicKey, privateKey }: { publicKey?: string; privateKey?: string }): boolean {
  if (!publicKey || !providerVariables.VAPID_PUBLIC_KEY.safeParse(publicKey).success) return true;
  if (!privateKey || !providerVariables.VAPID_PRIVATE_KEY.safeParse(privateKey).success) return true;
  const pair = createECDH('prime256v1');
  try {
    pair.setPrivateKey(privateKey, 'base64url');
  } catch {
    return false;
  }
  return pair.getPublicKey().equals(Buffer.from(publicKey, 'base64url'));
}

const hostList = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== '');
