import { pino } from 'pino';
import { beginFanOuts, createFeed, type Feed } from '../../src/domains/feed/index.js';
import type { Viewer } from '../../src/platform/auth.js';
import type { Caller } from '../../src/platform/caller.js';
import { systemClock } from '../../src/platform/clock.js';
import { createEventLog, type EventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres.js';
import { openRedis, type Redis } from '../../src/platform/redis.js';
import { createWakeUpPublisher } from '../../src/platform/wake-ups.js';
import { createTestDatabase } from '../support/database.js';
import { startTestRedis } from '../support/redis.js';

/** The feed on a real Postgres and Redis of its own, with fan-out run by hand so that a test decides when. */
export interface FeedWorld {
  readonly feed: Feed;
  readonly log: EventLog;
  readonly postgres: Postgres;
  readonly redis: Redis;
  /** Notes the fan-outs of these posts, as the projector does, and runs them. */
  fanOut(...postIds: string[]): Promise<void>;
  close(): Promise<void>;
}

const silent = pino({ level: 'silent' });

export async function openFeedWorld(): Promise<FeedWorld> {
  const [database, redisServer] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const postgres = openPostgres(database.url, {
    max: 4,
    applicationName: 'feed test',
    onError: () => undefined,
  });
  const redis = openRedis(redisServer.url, () => undefined);
  const ids = uuidV7Ids(systemClock);
  const log = createEventLog({ postgres, ids });
  const wakeUps = createWakeUpPublisher(redis);
  const feed = createFeed({ postgres, redis, log, wakeUps, clock: systemClock, ids });
  return {
    feed,
    log,
    postgres,
    redis,
    async fanOut(...postIds) {
      for (const postId of await beginFanOuts(postgres, postIds)) await feed.fanOut(postId, silent);
    },
    async close() {
      redis.disconnect();
      await postgres.close();
      await Promise.all([database.drop(), redisServer.stop()]);
    },
  };
}

export const viewerOf = (userId: string): Viewer => ({ userId, roles: new Set(['user']), plan: 'free' });
export const callerOf = (userId: string): Caller => ({
  viewer: viewerOf(userId),
  correlationId: `test-${userId}`,
});
