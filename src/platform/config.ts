import { z } from 'zod';
import { defined } from './defined.js';
import { eventArchiveFaults, eventArchiveVariables, readEventArchive } from './event-archive-config.js';
import type { ArchiveTarget } from './event-log/archive/store.js';
import { objectStoreVariables } from './object-store/store.js';
import type { ConfiguredTimeouts } from './postgres/postgres-timeouts.js';
import { redisAddresses } from './redis/redis-address.js';

// Each part of the product has such a file: its variables of the environment, and a function that reads them.
// src/config.ts composes them.

/** What was wrong with the environment: every fault at once, one readable line each. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(`configuration: ${faults.join('; ')}`);
    this.name = 'ConfigError';
  }
}

/** Variables that are set; an empty one is not. */
export type PresentVariables = Readonly<Record<string, string | undefined>>;

export const presentVariables = (env: NodeJS.ProcessEnv): PresentVariables =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/** A line for each variable that is missing or wrong. */
export const variableFaults = (
  error: { readonly issues: readonly z.core.$ZodIssue[] } | undefined,
  present: PresentVariables,
): string[] =>
  (error?.issues ?? []).map(({ path, message }) => {
    const fault = present[String(path[0])] === undefined ? 'is missing' : `is not valid: ${message}`;
    return `${path.join('.')} ${fault}`;
  });

/** Milliseconds; 0: the settings of the role in the database hold. */
const databaseTimeout = z.coerce.number().int().min(0).max(86_400_000).optional();
const url = z.url();
const databaseUrl = z.url({ protocol: /^postgres(ql)?$/ });
const databaseUrls = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(databaseUrl));

export const platformVariables = {
  NODE_ENV: z.enum(['development', 'test', 'production']).default('production'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  DATABASE_URL: databaseUrl,
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URLS: databaseUrls.optional(),
  DATABASE_REPLICA_MAX_LAG_MS: z.coerce.number().int().min(2_000).max(60_000).default(10_000),
  DATABASE_POOL_MAX: z.coerce.number().int().min(2).max(200).default(10),
  DATABASE_STATEMENT_TIMEOUT_MS: databaseTimeout,
  DATABASE_REBUILD_STATEMENT_TIMEOUT_MS: databaseTimeout,
  DATABASE_LOCK_TIMEOUT_MS: databaseTimeout,
  DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS: databaseTimeout,
  REDIS_URL: redisAddresses,
  REDIS_FEED_URL: redisAddresses.optional(),
  REDIS_QUEUE_URL: redisAddresses.optional(),
  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  AUTH_JWKS_URL: url.optional(),
  AUTH_ISSUER: z.string().optional(),
  AUTH_AUDIENCE: z.string().optional(),
  STARTUP_TIMEOUT_MS: z.coerce.number().int().min(0).max(3_600_000).default(60_000),
  SHUTDOWN_GRACE_MS: z.coerce.number().int().min(0).max(3_600_000).default(20_000),
};
type PlatformVariables = z.infer<z.ZodObject<typeof platformVariables>>;

export interface AuthConfig {
  readonly secret?: string;
  readonly jwksUrl?: string;
  readonly issuer?: string;
  readonly audience?: string;
}

/** Servers that follow the primary, and may answer reads that bear it. */
export interface ReplicaConfig {
  readonly urls: readonly string[];
  /** One that is behind by more answers none. */
  readonly maxLagMs: number;
}

/** What every process needs. */
export interface PlatformConfig {
  readonly environment: PlatformVariables['NODE_ENV'];
  readonly logLevel: PlatformVariables['LOG_LEVEL'];
  readonly databaseUrl: string;
  /** To the server itself, where `databaseUrl` leads to a pooler in transaction mode; undefined: it leads to the server. */
  readonly databaseDirectUrl: string | undefined;
  readonly databaseReplicas: ReplicaConfig;
  readonly databasePoolMax: number;
  readonly databaseTimeouts: ConfiguredTimeouts;
  /** One address: a single Redis; several: some nodes of a Cluster. So are the next two. */
  readonly redisUrls: readonly string[];
  /** Where feeds are cached. */
  readonly feedRedisUrls: readonly string[];
  /** Where the queues of jobs are. */
  readonly queueRedisUrls: readonly string[];
  readonly auth: AuthConfig;
  /** How long a process that starts waits for Postgres and Redis. */
  readonly startupTimeoutMs: number;
  readonly shutdownGraceMs: number;
}

export const readPlatform = (e: PlatformVariables): PlatformConfig => ({
  environment: e.NODE_ENV,
  logLevel: e.LOG_LEVEL,
  databaseUrl: e.DATABASE_URL,
  databaseDirectUrl: e.DATABASE_DIRECT_URL,
  databaseReplicas: { urls: e.DATABASE_REPLICA_URLS ?? [], maxLagMs: e.DATABASE_REPLICA_MAX_LAG_MS },
  databasePoolMax: e.DATABASE_POOL_MAX,
  databaseTimeouts: defined({
    statementMs: e.DATABASE_STATEMENT_TIMEOUT_MS,
    rebuildStatementMs: e.DATABASE_REBUILD_STATEMENT_TIMEOUT_MS,
    lockMs: e.DATABASE_LOCK_TIMEOUT_MS,
    idleInTransactionMs: e.DATABASE_IDLE_IN_TRANSACTION_TIMEOUT_MS,
  }),
  redisUrls: e.REDIS_URL,
  feedRedisUrls: e.REDIS_FEED_URL ?? e.REDIS_URL,
  queueRedisUrls: e.REDIS_QUEUE_URL ?? e.REDIS_URL,
  auth: defined({
    secret: e.AUTH_SECRET,
    jwksUrl: e.AUTH_JWKS_URL,
    issuer: e.AUTH_ISSUER,
    audience: e.AUTH_AUDIENCE,
  }),
  startupTimeoutMs: e.STARTUP_TIMEOUT_MS,
  shutdownGraceMs: e.SHUTDOWN_GRACE_MS,
});

/**
 * The one setting of a command that has no need for the others.
 *
 * @returns milliseconds
 * @throws ConfigError
 */
export function readStartupTimeout(env: NodeJS.ProcessEnv): number {
  const parsed = platformVariables.STARTUP_TIMEOUT_MS.safeParse(env.STARTUP_TIMEOUT_MS || undefined);
  if (!parsed.success)
    throw new ConfigError([`STARTUP_TIMEOUT_MS is not valid: ${parsed.error.issues[0]!.message}`]);
  return parsed.data;
}

/**
 * The settings of the log's archive alone, for a command that has no need for the others.
 *
 * @throws ConfigError
 */
export function readArchiveTarget(env: NodeJS.ProcessEnv): ArchiveTarget {
  const present = presentVariables(env);
  const parsed = z.object({ ...eventArchiveVariables, ...objectStoreVariables }).safeParse(present);
  const faults = [...eventArchiveFaults(present), ...variableFaults(parsed.error, present)];
  const archive = parsed.success ? readEventArchive(parsed.data) : undefined;
  if (faults.length === 0 && !archive) faults.push('EVENT_ARCHIVE_S3_BUCKET or EVENT_ARCHIVE_DIR is missing');
  if (!archive || faults.length > 0) throw new ConfigError(faults);
  return archive.target;
}
