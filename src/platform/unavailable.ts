import pg from 'pg';
import { DeadlineExceeded } from './deadline.js';
import { isConnectionError, lacksPartition } from './postgres/postgres.js';

/** Something that the process stands on cannot serve for now. */
export interface Unavailability {
  /** When to try again; whole seconds, at least 1. */
  readonly retryAfterSeconds: number;
}

/** A connection comes back, or one of a pool becomes free, within seconds. */
export const SHORTLY: Unavailability = { retryAfterSeconds: 2 };
/** Space on a disk or in memory is made by people, a partition by a worker. */
const LATER: Unavailability = { retryAfterSeconds: 30 };

/**
 * The one place that decides what is the fault of a dependency that is away, starting, full, read-only or silent from what
 * is the fault of a request or of the code: Postgres, Prisma, Redis, and the disk or S3 store of media.
 *
 * @returns null where the error says nothing of that kind, in any of its causes
 */
export function unavailability(error: unknown): Unavailability | null {
  for (const one of withCauses(error)) {
    const found = ofOne(one);
    if (found) return found;
  }
  return null;
}

export const isUnavailable = (error: unknown): boolean => unavailability(error) !== null;

/**
 * A Redis that answers and cannot serve now, whatever it is asked: it loads its data, is a replica or cut off from its
 * master, is full, cannot save, lacks replicas, is busy in another script, moves its slots, or does not know us.
 * Redis 6 wraps what a script meets: `ERR Error running script …: -OOM …`.
 */
export const isRedisRefusal = (error: Error): boolean =>
  /(?:^|: -?)(?:LOADING|READONLY|MASTERDOWN|OOM|MISCONF|NOREPLICAS|BUSY|CLUSTERDOWN|MOVED|ASK|TRYAGAIN|NOAUTH|WRONGPASS) /.test(
    error.message,
  );

/** What ioredis, BullMQ and our own code say of a Redis that cannot be reached. Their classes are not exported. */
const REDIS_AWAY =
  /^(Connection is closed|Reached the max retries per request|Command timed out|Socket timeout|Stream isn't writeable|Cluster isn't ready|Failed to refresh slots cache|None of startup nodes is available|Cluster is disconnect|Node is disconnected|Redis is away)/;

/**
 * SQLSTATE 53 (disk full, out of memory, too many connections), 58030 (the disk fails), 57014 (canceled by an operator
 * or a timeout), 55P03 (a lock did not come in time), 40P01 and 40001 (a deadlock, a serialization failure: rolled back
 * as a whole, and others went on); what is a lost connection besides, `isConnectionError` knows.
 */
const NO_SPACE = /^(53[012]|53000|58030)/;
const PASSING = /^(08|57P|57014|55P03|40P01|40001|53|25006|25P0[34])/;
/**
 * Prisma's: no free connection, a transaction that could not begin or end in time, a deadlock or serialization failure,
 * too many connections.
 */
const PRISMA_BUSY: ReadonlySet<unknown> = new Set(['P2024', 'P2028', 'P2034', 'P2037']);
/** The system has no space, no memory, or no file handles. */
const SYSTEM_FULL: ReadonlySet<unknown> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'ENOMEM',
  'EMFILE',
  'ENFILE',
]);

function ofOne(error: Error): Unavailability | null {
  const { code } = error as NodeJS.ErrnoException;
  if (lacksPartition(error)) return LATER;
  if (error instanceof pg.DatabaseError) return ofSqlState(code);
  if (SYSTEM_FULL.has(code)) return LATER;
  if (error instanceof DeadlineExceeded || PRISMA_BUSY.has(code)) return SHORTLY;
  if (REDIS_AWAY.test(error.message) || isRedisRefusal(error)) return SHORTLY;
  if (isConnectionError(error)) return SHORTLY;
  return ofPrisma(error) ?? ofS3(error);
}

function ofSqlState(code: string | undefined): Unavailability | null {
  if (NO_SPACE.test(code ?? '')) return LATER;
  return PASSING.test(code ?? '') ? SHORTLY : null;
}

/** Prisma keeps the SQLSTATE inside of what its adapter threw. */
function ofPrisma(error: Error): Unavailability | null {
  const { originalCode } = error as { originalCode?: unknown };
  return typeof originalCode === 'string' ? ofSqlState(originalCode) : null;
}

/** What the SDK throws for an answer of the store: its own fault, or asked too often. */
function ofS3(error: Error): Unavailability | null {
  const { $metadata } = error as { $metadata?: { readonly httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  if (status >= 500 || status === 429) return SHORTLY;
  return /^(SlowDown|TimeoutError|RequestTimeout)$/.test(error.name) ? SHORTLY : null;
}

const DEEPEST = 5;

/** The error, what caused it, and those that it stands for. */
function* withCauses(error: unknown, depth = 0): Generator<Error> {
  if (!(error instanceof Error)) {
    // Prisma's adapter describes errors by plain objects.
    if (depth > 0 && typeof error === 'object' && error !== null && 'originalCode' in error)
      yield Object.assign(new Error(), { originalCode: error.originalCode });
    return;
  }
  if (depth > DEEPEST) return;
  yield error;
  yield* withCauses(error.cause, depth + 1);
  if (error instanceof AggregateError) for (const one of error.errors) yield* withCauses(one, depth + 1);
  const { meta } = error as { meta?: { readonly driverAdapterError?: unknown } };
  if (meta?.driverAdapterError) yield* withCauses(meta.driverAdapterError, depth + 1);
}
