import ipaddr from 'ipaddr.js';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const url = z.url();
/** PEM text; `\n` may be written as two characters, as many secret stores do. */
const pem = z.string().transform((text) => text.replaceAll('\\n', '\n'));

/** Networks separated by commas; a bare address is a network of one. */
const cidrs = z.string().transform((text, context) =>
  text.split(',').map((part) => {
    const one = part.trim();
    const cidr = one.includes('/') ? one : `${one}/${one.includes(':') ? 128 : 32}`;
    if (!ipaddr.isValidCIDR(cidr))
      context.addIssue(`${JSON.stringify(one)} is not a network like 10.0.0.0/8`);
    return cidr;
  }),
);

const environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(4000),
  WORKER_PORT: port.default(4001),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).max(200).default(10),
  REDIS_URL: z.string().regex(/^rediss?:\/\//, 'must start with redis:// or rediss://'),
  BASE_URL: url.optional(),
  TRACK_URL: url.optional(),
  CDN_URL: url.optional(),
  ALLOWED_ORIGINS: z.string().optional(),
  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  AUTH_JWKS_URL: url.optional(),
  AUTH_ISSUER: z.string().optional(),
  AUTH_AUDIENCE: z.string().optional(),
  RATE_LIMIT_RULES: z.string().min(1).optional(),
  RATE_LIMIT_REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\/[^,]+(,rediss?:\/\/[^,]+)*$/, 'must be redis:// addresses, separated by commas')
    .optional(),
  RATE_LIMIT_TIMEOUT_MS: z.coerce.number().int().min(5).max(10_000).default(50),
  TRUSTED_PROXIES: cidrs.optional(),
  FORWARDED_HEADER: z.enum(['x-forwarded-for', 'forwarded']).optional(),
  SHUTDOWN_GRACE_MS: z.coerce.number().int().min(0).default(20_000),

  APNS_URL: url.optional(),
  APNS_TEAM_ID: z.string().optional(),
  APNS_KEY_ID: z.string().optional(),
  APNS_PRIVATE_KEY: pem.optional(),
  APNS_TOPIC: z.string().optional(),
  FCM_URL: url.optional(),
  FCM_PROJECT_ID: z.string().optional(),
  FCM_CLIENT_EMAIL: z.string().optional(),
  FCM_PRIVATE_KEY: pem.optional(),
  FCM_TOKEN_URL: url.optional(),
  SENDGRID_URL: url.optional(),
  SENDGRID_API_KEY: z.string().optional(),
  SENDGRID_FROM: z.string().optional(),
  SENDGRID_TEMPLATE_ID: z.string().optional(),
  SENDGRID_WEBHOOK_PUBLIC_KEY: z.string().optional(),
  TWILIO_URL: url.optional(),
  TWILIO_ACCOUNT_SID: z.string().optional(),
  TWILIO_AUTH_TOKEN: z.string().optional(),
  TWILIO_FROM: z.string().optional(),
});
type Environment = z.infer<typeof environment>;

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

export interface SendGridConfig {
  readonly url: string;
  readonly apiKey: string;
  /** The sender's mail address. */
  readonly from: string;
  /** The dynamic template that lays out `subject` and `html_body`. */
  readonly templateId: string;
  /** Base64 DER of the event webhook's public key; without it no webhook is believed. */
  readonly webhookPublicKey?: string;
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
  readonly sendgrid?: SendGridConfig;
  readonly twilio?: TwilioConfig;
}

export interface AuthConfig {
  readonly secret?: string;
  readonly jwksUrl?: string;
  readonly issuer?: string;
  readonly audience?: string;
}

export interface LimitsConfig {
  /** A file's path or an http(s) URL; undefined: the rules that ship with the product. */
  readonly rules?: string;
  /** Where counters are: one address is a single Redis, several are seeds of a Cluster. */
  readonly redisUrls: readonly string[];
  /** What one command of theirs may take. */
  readonly timeoutMs: number;
}

export interface Config {
  readonly environment: Environment['NODE_ENV'];
  readonly logLevel: Environment['LOG_LEVEL'];
  readonly host: string;
  readonly port: number;
  /** Where the worker answers `/metrics`, `/healthz` and `/readyz`. */
  readonly workerPort: number;
  readonly databaseUrl: string;
  readonly databasePoolMax: number;
  readonly redisUrl: string;
  /** Where the outside world reaches the API; callbacks of providers go there. */
  readonly baseUrl: string;
  readonly trackUrl: string;
  readonly cdnUrl: string;
  /** Browser origins, besides the API's own, that may open a WebSocket or call the API. */
  readonly allowedOrigins: readonly string[];
  readonly auth: AuthConfig;
  readonly limits: LimitsConfig;
  /** Networks, as CIDRs, of proxies whose forwarding header is believed. */
  readonly trustedProxies: readonly string[];
  /** The only forwarding header that the proxies write; undefined: X-Forwarded-For where it is present, else Forwarded. */
  readonly forwardedHeader?: 'x-forwarded-for' | 'forwarded';
  readonly shutdownGraceMs: number;
  readonly providers: ProvidersConfig;
}

/** What was wrong with the environment: every fault at once, one readable line each. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`configuration: ${faults.join('; ')}`);
    this.name = 'ConfigError';
  }
}

/**
 * Parses the environment once.
 *
 * @throws ConfigError naming every variable that is missing or wrong
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const parsed = environment.safeParse(present);
  const faults = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${describe(issue, present)}`);
  const providers = readProviders(present, faults);
  if (!present.AUTH_SECRET && !present.AUTH_JWKS_URL) faults.push('AUTH_SECRET or AUTH_JWKS_URL is missing');
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  const e = parsed.data;
  const baseUrl = trimSlash(e.BASE_URL ?? `http://${e.HOST === '0.0.0.0' ? 'localhost' : e.HOST}:${e.PORT}`);
  return {
    environment: e.NODE_ENV,
    logLevel: e.LOG_LEVEL,
    host: e.HOST,
    port: e.PORT,
    workerPort: e.WORKER_PORT,
    databaseUrl: e.DATABASE_URL,
    databasePoolMax: e.DATABASE_POOL_MAX,
    redisUrl: e.REDIS_URL,
    baseUrl,
    trackUrl: trimSlash(e.TRACK_URL ?? `${baseUrl}/t`),
    cdnUrl: trimSlash(e.CDN_URL ?? `${baseUrl}/media`),
    allowedOrigins: e.ALLOWED_ORIGINS?.split(',').map((origin) => origin.trim()) ?? [],
    auth: defined({
      secret: e.AUTH_SECRET,
      jwksUrl: e.AUTH_JWKS_URL,
      issuer: e.AUTH_ISSUER,
      audience: e.AUTH_AUDIENCE,
    }),
    limits: {
      ...(e.RATE_LIMIT_RULES !== undefined && { rules: e.RATE_LIMIT_RULES }),
      redisUrls: (e.RATE_LIMIT_REDIS_URL ?? e.REDIS_URL).split(','),
      timeoutMs: e.RATE_LIMIT_TIMEOUT_MS,
    },
    trustedProxies: e.TRUSTED_PROXIES ?? [],
    ...(e.FORWARDED_HEADER !== undefined && { forwardedHeader: e.FORWARDED_HEADER }),
    shutdownGraceMs: e.SHUTDOWN_GRACE_MS,
    providers,
  };
}

/** A provider is off, or on with all that it needs: half a provider is a fault. */
function readProviders(env: Record<string, string | undefined>, faults: string[]): ProvidersConfig {
  function whole<Shape extends Record<string, string>>(
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
  }
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
    sendgrid: whole(
      'SendGrid',
      {
        url: 'SENDGRID_URL',
        apiKey: 'SENDGRID_API_KEY',
        from: 'SENDGRID_FROM',
        templateId: 'SENDGRID_TEMPLATE_ID',
        webhookPublicKey: 'SENDGRID_WEBHOOK_PUBLIC_KEY',
      },
      ['webhookPublicKey'],
    ),
    twilio: whole('Twilio', {
      url: 'TWILIO_URL',
      accountSid: 'TWILIO_ACCOUNT_SID',
      authToken: 'TWILIO_AUTH_TOKEN',
      from: 'TWILIO_FROM',
    }),
  });
}

function describe(issue: z.core.$ZodIssue, env: Record<string, unknown>): string {
  return env[String(issue.path[0])] === undefined ? 'is missing' : `is not valid: ${issue.message}`;
}

/** The object without its undefined members, as `exactOptionalPropertyTypes` wants it. */
function defined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>;
  };
}

const trimSlash = (text: string): string => text.replace(/\/+$/, '');
