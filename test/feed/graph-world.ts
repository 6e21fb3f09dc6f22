import { createGraph, type Graph } from '../../src/domains/feed/graph/index.js';
import {
  createRelationCache,
  type RelationCache,
  type Relations,
} from '../../src/domains/feed/graph/relations.js';
import { systemClock } from '../../src/platform/clock.js';
import { createEventLog, type EventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres, type Queryable } from '../../src/platform/postgres/postgres.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { createTestDatabase } from '../support/database.js';
import { heldLease } from '../support/held-lease.js';
import { startTestRedis } from '../support/redis.js';

/** People and how they stand to each other, on a real Postgres and Redis of their own. */
export interface GraphWorld {
  readonly graph: Graph;
  readonly relations: RelationCache;
  readonly postgres: Postgres;
  readonly redis: Redis;
  readonly redisUrl: string;
  readonly log: EventLog;
  /** Whose feeds were made cold, in order. */
  readonly cold: string[];
  /** Whose author summaries were forgotten, in order. */
  readonly forgotten: string[];
  /** The statements that relation caches sent to Postgres. */
  readonly asked: { count: number };
  /** Another process's cache of the same world, on the same Redis unless told otherwise. */
  anotherProcess(redisUrl?: string): { relations: RelationCache; redis: Redis; close(): void };
  signIn(...userIds: string[]): Promise<void>;
  close(): Promise<void>;
}

export async function openGraphWorld(options: { celebrityFollowers?: number } = {}): Promise<GraphWorld> {
  const [database, server] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const postgres = openPostgres(database.url, {
    max: 8,
    applicationName: 'graph test',
    onError: () => undefined,
  });
  const redis = openRedis(server.url.split(','), () => undefined);
  // The lease of these tests is held from the first connection on.
  await redis.ping();
  const ids = uuidV7Ids(systemClock);
  const log = createEventLog({ postgres, ids });
  const cold: string[] = [];
  const forgotten: string[] = [];
  const asked = { count: 0 };
  const counted: Queryable = {
    query: (statement, values) => {
      asked.count += 1;
      return postgres.query(statement, values);
    },
  };
  const cacheOn = (connection: Redis): RelationCache =>
    createRelationCache({ postgres: counted, redis: connection, lease: heldLease(connection), ids });
  const relations = cacheOn(redis);
  const graph = createGraph({
    clock: systemClock,
    postgres,
    log,
    relations,
    authors: { forget: async (userIds) => void forgotten.push(...userIds) },
    cache: { invalidate: async (userIds) => void cold.push(...userIds) },
    config: { celebrityFollowers: options.celebrityFollowers ?? 10_000 },
  });
  return {
    graph,
    relations,
    postgres,
    redis,
    redisUrl: server.url,
    log,
    cold,
    forgotten,
    asked,
    anotherProcess(redisUrl = server.url) {
      const connection = openRedis(redisUrl.split(','), () => undefined);
      return { relations: cacheOn(connection), redis: connection, close: () => connection.disconnect() };
    },
    async signIn(...userIds) {
      for (const userId of userIds) await graph.signIn(userId);
    },
    async close() {
      redis.disconnect();
      await postgres.close();
      await Promise.all([database.drop(), server.stop()]);
    },
  };
}

/** What a viewer's relations are, in an order that can be compared. */
export const inOrder = (relations: Relations) => ({
  follows: [...relations.follows].sort(),
  muted: [...relations.muted].sort(),
  blocked: [...relations.blocked].sort(),
  pulled: [...relations.pulled].sort(),
  keywords: relations.mutedKeywords,
});
