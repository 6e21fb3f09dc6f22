import { pino } from 'pino';
import { Registry } from 'prom-client';
import { type FeedConfig, feedDefaults } from '../../src/domains/feed/config.js';
import {
  beginFanOuts,
  createFeed,
  type Feed,
  fanOutOutbox,
  type SpamCheck,
} from '../../src/domains/feed/index.js';
import type { CacheLease } from '../../src/platform/cache/cache-lease.js';
import { type Clock, systemClock } from '../../src/platform/clock.js';
import { createEventLog, type EventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { createWakeUpPublisher } from '../../src/platform/wake-ups/wake-ups.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { heldLease } from '../support/held-lease.js';
import { outboxOn } from '../support/outbox.js';
import { startTestRedis } from '../support/redis.js';

export { callerOf, viewerOf } from './feed-callers.js';

/** The feed on a real Postgres and Redis of its own, with fan-out run by hand so that a test decides when. */
export interface FeedWorld {
  readonly feed: Feed;
  readonly log: EventLog;
  readonly postgres: Postgres;
  readonly redis: Redis;
  readonly redisUrl: string;
  /** Notes the fan-outs of these posts, as the projector does when it comes to their events. */
  note(...postIds: string[]): Promise<void>;
  /** Notes the fan-outs of these posts where that was not done, and runs all of their authors. */
  fanOut(...postIds: string[]): Promise<void>;
  close(): Promise<void>;
}

export const silent = pino({ level: 'silent' });

export interface FeedWorldOptions {
  /** Instead of the machine's. */
  readonly clock?: Clock;
  readonly config?: Partial<FeedConfig>;
  /** Absent: whatever an author repeats is taken. */
  readonly spamCheck?: SpamCheck;
  /** Instead of a Redis of its own. */
  /** Instead of one of its own. */
  readonly database?: TestDatabase;
  /** Instead of one that is held whenever Redis is there. */
  readonly lease?: (redis: Redis, postgres: Postgres) => CacheLease;
  readonly redis?: { readonly url: string; stop(): Promise<void> };
}

export async function openFeedWorld(options: FeedWorldOptions = {}): Promise<FeedWorld> {
  const { clock = systemClock, spamCheck = async () => null } = options;
  const [database, redisServer] = await Promise.all([
    options.database ?? createTestDatabase(),
    options.redis ?? startTestRedis(),
  ]);
  const postgres = openPostgres(database.url, {
    max: 4,
    applicationName: 'feed test',
    onError: () => undefined,
  });
  const redis = openRedis(redisServer.url.split(','), () => undefined);
  // The lease of these tests is held from the first connection on.
  await redis.ping();
  const ids = uuidV7Ids(systemClock);
  const log = createEventLog({ postgres, ids });
  const wakeUps = createWakeUpPublisher(redis);
  const outbox = outboxOn(postgres);
  const feed = createFeed({
    postgres,
    redis,
    lease: options.lease?.(redis, postgres) ?? heldLease(redis),
    log,
    wakeUps,
    clock,
    ids,
    config: { ...feedDefaults, ...options.config },
    spamCheck,
    queues: { enqueueMany: async () => undefined },
    outbox,
    logger: silent,
    metrics: new Registry(),
    media: { dir: '/nowhere', maxBytes: { image: 1_000_000, video: 1_000_000 }, maxVideoSeconds: 600 },
    cdnUrl: 'https://cdn.test',
  });
  async function note(...postIds: string[]): Promise<void> {
    await feed.placePublished(postIds);
    const begun = await beginFanOuts(postgres, postIds);
    await outbox.add(
      postgres,
      fanOutOutbox,
      begun.map((payload) => ({ payload, correlationId: 'test' })),
    );
    await postgres.query(
      `WITH moved AS (
         UPDATE projector_positions SET position = $1 WHERE projector_name = 'feed-fan-out' RETURNING 1
       )
       INSERT INTO projector_positions (projector_name, position)
       SELECT 'feed-fan-out', $1 WHERE NOT EXISTS (SELECT FROM moved)`,
      [await log.head()],
    );
  }
  return {
    feed,
    log,
    postgres,
    redis,
    redisUrl: redisServer.url,
    note,
    async fanOut(...postIds) {
      await note(...postIds);
      const { rows } = await postgres.query<{ author: string }>(
        'SELECT DISTINCT author FROM fanouts WHERE post_id = ANY ($1)',
        [postIds],
      );
      for (const { author } of rows) await feed.runFanOuts(author, silent);
    },
    async close() {
      redis.disconnect();
      await postgres.close();
      await Promise.all([database.drop(), redisServer.stop()]);
    },
  };
}
