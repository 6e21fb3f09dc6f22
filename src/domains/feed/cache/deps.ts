import type { CacheLease } from '../../../platform/cache/cache-lease.js';
import type { Ids } from '../../../platform/ids.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Redis } from '../../../platform/redis/redis.js';

/** What is cached in Redis, and used there while the process has a lease. */
export interface RedisDeps {
  readonly redis: Redis;
  /** On this very connection. Its epoch is a part of what is cached: a Redis that was replaced may have missed a change. */
  readonly lease: CacheLease;
  readonly ids: Ids;
}

/** The same, in front of Postgres. */
export interface CacheDeps extends RedisDeps {
  readonly postgres: Queryable;
}
