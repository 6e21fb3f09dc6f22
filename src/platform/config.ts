import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import {
  type FeedConfig,
  feedVariables,
  type MediaConfig,
  mediaVariables,
  readFeed,
  readMedia,
} from '../domains/feed/config.js';
import { defined } from './defined.js';
import {
  type EventArchiveConfig,
  eventArchiveFaults,
  eventArchiveVariables,
  readEventArchive,
} from './event-archive-config.js';
import {
  type NotificationLimitsConfig,
  notificationLimitVariables,
  readNotificationLimits,
} from './notification-limits-config.js';
import type { ConfiguredTimeouts } from './postgres-timeouts.js';
import { type ProvidersConfig, providerVariables, readProviders } from './provider-config.js';

export type { EventArchiveConfig } from './event-archive-config.js';
export type { ConfiguredLimit, NotificationLimitsConfig } from './notification-limits-config.js';
export type {
  ApnsConfig,
  FcmConfig,
  ProvidersConfig,
  SendGridConfig,
  SmtpConfig,
  TwilioConfig,
  WebPushConfig,
} from './provider-config.js';

const port = z.coerce.number().int().min(0).max(65_535);
const url = z.url();

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

/** What quiet hours do to a notification type: drop it, hold it back until they end, or nothing. */
export type QuietHoursRule = 'drop' | 'defer' | 'bypass';

/** `TYPE=defer,OTHER_TYPE=bypass` */
const quietHours = z.string().transform((text, context) =>
  Object.fromEntries(
    text.split(',').map((part) => {
      const [, type = '', rule = ''] = /^\s*(\w{1,64})\s*=\s*(drop|defer|bypass)\s*$/.exec(part) ?? [];
      if (!type)
        context.addIssue(`${JSON.stringify(part)} is not like NEW_MESSAGE=defer (drop, defer, bypass)`);
      return [type, rule as QuietHoursRule];
    }),
  ),
);

const startupTimeout = z.coerce.number().int().min(0).max(3_600_000).default(60_000);

/** Milliseconds; 0: the settings of the role in the database hold. */
const databaseTimeout = z.coerce.number().int().min(0).max(86_400_000).optional();

export const environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(4000),
  WORKER_HOST: z.string().min(1).optional(),
  WORKER_PORT: port.default(4001),
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_READYZ: z.stringbool().default(true),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).max(200).default(10),
  DATABASE_STATEMENT_TIMEOUT_MS: databaseTimeout,
  DATABASE_REBUILD_STATEMENT_TIMEOUT_MS: databaseTimeout,
  DATABASE_LOCK_TIMEOUT_MS: databaseTimeout,
  DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS: databaseTimeout,
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
  STARTUP_TIMEOUT_MS: startupTimeout,
  SHUTDOWN_DELAY_MS: z.coerce.number().int().min(0).max(600_000).optional(),
  SHUTDOWN_GRACE_MS: z.coerce.number().int().min(0).default(20_000),
  EVENT_STREAM_LENGTH: z.coerce.number().int().min(0).max(10_000_000).default(0),
  EVENT_STREAM_NATS_URL: z
    .url({ protocol: /^(nats|tls)$/, error: 'must be a URL that starts with nats:// or tls://' })
    .optional(),
  MAX_RESPONSE_BYTES: z.coerce.number().int().min(65_536).max(268_435_456).default(8_388_608),

  ...feedVariables,
  ...mediaVariables,
  ...eventArchiveVariables,
  ...providerVariables,
  ...notificationLimitVariables,
  TRACK_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  QUIET_HOURS: quietHours.optional(),
  // Ids are remembered for a day: what they stand for must be there for longer.
  RETENTION_DAYS: z.coerce.number().int().min(2).max(3_650).default(90),
  INBOX_RETENTION_DAYS: z.coerce.number().int().min(2).max(3_650).default(365),
});
type Environment = z.infer<typeof environment>;

/** After how many days what is over is deleted. */
export interface RetentionConfig {
  /** Requests with their deliveries and history, settled dead letters, resolved alerts. */
  readonly days: number;
  /** Items of in-app inboxes. */
  readonly inboxDays: number;
}

export interface NotificationsConfig {
  readonly retention: RetentionConfig;
  /** What quiet hours do, for types that differ from the default. */
  readonly quietHours: Readonly<Record<string, QuietHoursRule>>;
  /** Signs the links in mails; undefined where neither TRACK_SECRET nor AUTH_SECRET is set: mails are not tracked. */
  readonly trackSecret?: string;
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
  /** The interface of `workerPort`. */
  readonly workerHost: string;
  /** Where the worker answers `/metrics`, `/healthz` and `/readyz`. */
  readonly workerPort: number;
  /** Where an api answers `/metrics` and tells all of `/readyz`; undefined: on its public port. */
  readonly metricsPort?: number;
  /** The interface of `metricsPort`. */
  readonly metricsHost: string;
  /** Whether the public port has a `/readyz` beside it. */
  readonly publicReadyz: boolean;
  readonly databaseUrl: string;
  readonly databasePoolMax: number;
  readonly databaseTimeouts: ConfiguredTimeouts;
  readonly redisUrl: string;
  /** Where the outside world reaches the API; callbacks of providers go there. */
  readonly baseUrl: string;
  readonly trackUrl: string;
  readonly cdnUrl: string;
  readonly feed: FeedConfig;
  readonly media: MediaConfig;
  /** Undefined: old events stay in Postgres, and there are none elsewhere. */
  readonly eventArchive?: EventArchiveConfig;
  /** Browser origins, besides the API's own, that may open a WebSocket or call the API. */
  readonly allowedOrigins: readonly string[];
  readonly auth: AuthConfig;
  readonly limits: LimitsConfig;
  /** Networks, as CIDRs, of proxies whose forwarding header is believed. */
  readonly trustedProxies: readonly string[];
  /** The only forwarding header that the proxies write; undefined: X-Forwarded-For where it is present, else Forwarded. */
  readonly forwardedHeader?: 'x-forwarded-for' | 'forwarded';
  /** How long a process that starts waits for Postgres and Redis. */
  readonly startupTimeoutMs: number;
  /** How long an api that drains serves on, for load balancers to notice; then comes the grace. */
  readonly shutdownDelayMs: number;
  readonly shutdownGraceMs: number;
  /** How many events the outgoing stream keeps; 0: there is none. */
  readonly eventStreamLength: number;
  /** Where it is instead of `redisUrl`. */
  readonly eventStreamNats?: URL;
  /** Of one answer; see `DocumentLimits.maxResponseBytes`. */
  readonly maxResponseBytes: number;
  readonly providers: ProvidersConfig;
  readonly notifications: NotificationsConfig;
  /** Limits of notifications that differ from the product's own. */
  readonly notificationLimits: NotificationLimitsConfig;
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
  if (present.MEDIA_S3_BUCKET && !present.CDN_URL)
    faults.push('CDN_URL is missing: what MEDIA_S3_BUCKET holds is not served below BASE_URL');
  if (present.EVENT_STREAM_NATS_URL && !Number(present.EVENT_STREAM_LENGTH))
    faults.push('EVENT_STREAM_LENGTH is missing: how many events stay at EVENT_STREAM_NATS_URL');
  faults.push(...eventArchiveFaults(present));
  if (!present.AUTH_SECRET && !present.AUTH_JWKS_URL) faults.push('AUTH_SECRET or AUTH_JWKS_URL is missing');
  if (!parsed.success || faults.length > 0) throw new ConfigError(faults);
  const e = parsed.data;
  const baseUrl = trimSlash(e.BASE_URL ?? `http://${e.HOST === '0.0.0.0' ? 'localhost' : e.HOST}:${e.PORT}`);
  return {
    environment: e.NODE_ENV,
    logLevel: e.LOG_LEVEL,
    host: e.HOST,
    port: e.PORT,
    workerHost: e.WORKER_HOST ?? e.HOST,
    workerPort: e.WORKER_PORT,
    ...defined({ metricsPort: metricsPortOf(e) }),
    metricsHost: e.METRICS_HOST,
    publicReadyz: e.PUBLIC_READYZ,
    databaseUrl: e.DATABASE_URL,
    databasePoolMax: e.DATABASE_POOL_MAX,
    databaseTimeouts: defined({
      statementMs: e.DATABASE_STATEMENT_TIMEOUT_MS,
      rebuildStatementMs: e.DATABASE_REBUILD_STATEMENT_TIMEOUT_MS,
      lockMs: e.DATABASE_LOCK_TIMEOUT_MS,
      idleInTransactionMs: e.DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS,
    }),
    redisUrl: e.REDIS_URL,
    baseUrl,
    trackUrl: trimSlash(e.TRACK_URL ?? `${baseUrl}/t`),
    cdnUrl: trimSlash(e.CDN_URL ?? `${baseUrl}/media`),
    feed: readFeed(e, e.AUTH_SECRET ?? e.DATABASE_URL),
    media: readMedia(e),
    ...defined({ eventArchive: readEventArchive(e) }),
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
    startupTimeoutMs: e.STARTUP_TIMEOUT_MS,
    // Two probes of a load balancer that asks every 2 s, and a little; nobody stands in front of a laptop.
    shutdownDelayMs: e.SHUTDOWN_DELAY_MS ?? (e.NODE_ENV === 'production' ? 5_000 : 0),
    shutdownGraceMs: e.SHUTDOWN_GRACE_MS,
    maxResponseBytes: e.MAX_RESPONSE_BYTES,
    eventStreamLength: e.EVENT_STREAM_LENGTH,
    ...(e.EVENT_STREAM_NATS_URL !== undefined && { eventStreamNats: new URL(e.EVENT_STREAM_NATS_URL) }),
    providers,
    notificationLimits: readNotificationLimits(e),
    notifications: {
      quietHours: e.QUIET_HOURS ?? {},
      retention: { days: e.RETENTION_DAYS, inboxDays: e.INBOX_RETENTION_DAYS },
      ...defined({ trackSecret: e.TRACK_SECRET ?? e.AUTH_SECRET }),
    },
  };
}

/** Far enough above `PORT` for several apis on one machine. */
const METRICS_PORT_DISTANCE = 1_000;

/** In production apart unless it is told to be the public one; elsewhere only where it is told to be apart. */
function metricsPortOf({ NODE_ENV, PORT, METRICS_PORT }: Environment): number | undefined {
  if (METRICS_PORT !== undefined) return METRICS_PORT === PORT && PORT !== 0 ? undefined : METRICS_PORT;
  if (NODE_ENV !== 'production') return undefined;
  if (PORT === 0) return 0;
  return PORT + METRICS_PORT_DISTANCE <= 65_535 ? PORT + METRICS_PORT_DISTANCE : PORT - METRICS_PORT_DISTANCE;
}

/**
 * The one setting of a command that has no need for the others.
 *
 * @returns milliseconds
 * @throws ConfigError
 */
export function readStartupTimeout(env: NodeJS.ProcessEnv): number {
  const parsed = startupTimeout.safeParse(env.STARTUP_TIMEOUT_MS || undefined);
  if (!parsed.success)
    throw new ConfigError([`STARTUP_TIMEOUT_MS is not valid: ${parsed.error.issues[0]!.message}`]);
  return parsed.data;
}

/**
 * The settings of the log's archive alone, for a command that has no need for the others.
 *
 * @throws ConfigError
 */
export function readArchiveTarget(env: NodeJS.ProcessEnv): EventArchiveConfig['target'] {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const { MEDIA_S3_ENDPOINT, MEDIA_S3_REGION } = mediaVariables;
  const parsed = z
    .object({ ...eventArchiveVariables, MEDIA_S3_ENDPOINT, MEDIA_S3_REGION })
    .safeParse(present);
  const faults = eventArchiveFaults(present);
  for (const issue of parsed.error?.issues ?? [])
    faults.push(`${issue.path.join('.')} ${describe(issue, present)}`);
  const archive = parsed.success ? readEventArchive(parsed.data) : undefined;
  if (faults.length === 0 && !archive) faults.push('EVENT_ARCHIVE_S3_BUCKET or EVENT_ARCHIVE_DIR is missing');
  if (!archive || faults.length > 0) throw new ConfigError(faults);
  return archive.target;
}

function describe(issue: z.core.$ZodIssue, env: Record<string, unknown>): string {
  return env[String(issue.path[0])] === undefined ? 'is missing' : `is not valid: ${issue.message}`;
}

const trimSlash = (text: string): string => text.replace(/\/+$/, '');
