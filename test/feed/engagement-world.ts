import { randomUUID } from 'node:crypto';
import { Registry } from 'prom-client';
import { createCounts } from '../../src/domains/feed/engagement/counts.js';
import { createEngagement, type Engagement } from '../../src/domains/feed/engagement/index.js';
import { createNoticeMetrics } from '../../src/domains/feed/engagement/notices/send.js';
import { createRelationCache } from '../../src/domains/feed/graph/relations.js';
import { createAuthorStore } from '../../src/domains/feed/posts/author-store.js';
import { createContentPolicy } from '../../src/domains/feed/posts/content-policy.js';
import { createPostStore } from '../../src/domains/feed/posts/post-store.js';
import type { PostCounts, Visibility } from '../../src/domains/feed/types.js';
import type { Role } from '../../src/platform/auth/auth.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import type { CacheLease } from '../../src/platform/cache/cache-lease.js';
import { systemClock } from '../../src/platform/clock.js';
import { createEventLog, type EventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { createTestDatabase } from '../support/database.js';
import { heldLease } from '../support/held-lease.js';
import { outboxOn } from '../support/outbox.js';
import { startTestRedis } from '../support/redis.js';

/** Reactions and comments on a real Postgres and Redis of their own. */
export interface EngagementWorld {
  readonly engagement: Engagement;
  readonly log: EventLog;
  readonly postgres: Postgres;
  readonly redis: Redis;
  users(...userIds: string[]): Promise<void>;
  /** A post that is there, whoever published it in whatever way. */
  post(
    authorId: string,
    own?: { content?: string; visibility?: Visibility; sharedPostId?: string },
  ): Promise<string>;
  follow(follower: string, followee: string): Promise<void>;
  block(userId: string, blocked: string): Promise<void>;
  mute(userId: string, muted: string): Promise<void>;
  /** Counted from the rows themselves. */
  countRows(postId: string): Promise<PostCounts>;
  close(): Promise<void>;
}

/** @param writtenBackAt see `createCounts` */
export async function openEngagementWorld(writtenBackAt?: number): Promise<EngagementWorld> {
  const [database, server] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const postgres = openPostgres(database.url, { max: 10, applicationName: 'test', onError: () => undefined });
  const redis = openRedis(server.url.split(','), () => undefined);
  // The lease of these tests is held from the first connection on.
  await redis.ping();
  const ids = uuidV7Ids(systemClock);
  const log = createEventLog({ postgres, ids });
  const engagement = engagementOn({ postgres, redis, log }, { writtenBackAt });
  return { engagement, log, postgres, redis, ...fixtures(postgres), close };

  async function close(): Promise<void> {
    redis.disconnect();
    await postgres.close();
    await Promise.all([database.drop(), server.stop()]);
  }
}

/** Counts in Redis; people and posts always from Postgres, since tests write rows behind the caches' backs. */
export function engagementOn(
  { postgres, redis, log }: { postgres: Postgres; redis: Redis; log: EventLog },
  own: { metrics?: Registry; notifyCloseFriends?: boolean; writtenBackAt?: number | undefined } = {},
): Engagement {
  const ids = uuidV7Ids(systemClock);
  const counts = createCounts({ postgres, redis, ids, lease: heldLease(redis) }, own.writtenBackAt);
  const uncached = { postgres, redis, ids, clock: systemClock, lease: lostLease };
  const authors = createAuthorStore(uncached);
  return createEngagement({
    postgres,
    outbox: outboxOn(postgres),
    log,
    ids,
    counts,
    noticeMetrics: createNoticeMetrics(own.metrics ?? new Registry()),
    config: { notifyCloseFriends: own.notifyCloseFriends ?? true },
    hiddenLabels: new Set(['adult']),
    relations: createRelationCache(uncached),
    posts: createPostStore({ ...uncached, authors, counts, cdnUrl: 'https://cdn.test' }),
    contentPolicy: createContentPolicy(),
  });
}

const lostLease: CacheLease = {
  isHeld: () => false,
  read: async () => undefined,
  invalidate: async () => undefined,
};

/** People and posts as rows, whatever the rest of the feed makes of them. */
export function fixtures(postgres: Postgres) {
  const edge = (table: string, columns: string) => async (one: string, other: string) => {
    await postgres.query(
      `INSERT INTO ${table} (${columns}, created_at)
       SELECT a.id, b.id, now() FROM users a, users b WHERE a.user_id = $1 AND b.user_id = $2`,
      [one, other],
    );
  };
  return {
    async users(...userIds: string[]) {
      await postgres.query(
        'INSERT INTO users (user_id, display_name, last_seen_at) SELECT id, id, now() FROM unnest($1::text[]) AS id',
        [userIds],
      );
    },
    async post(
      authorId: string,
      own: { content?: string; visibility?: Visibility; sharedPostId?: string } = {},
    ) {
      const { rows } = await postgres.query<{ post_id: string }>(
        `INSERT INTO posts (post_id, author_id, content, visibility, distribution, position, created_at, shared_post_id)
         SELECT $2, id, $3, $4, 'push', floor(random() * 1e12), now(), $5 FROM users WHERE user_id = $1
         RETURNING post_id`,
        [
          authorId,
          randomUUID(),
          own.content ?? 'hello',
          own.visibility ?? 'public',
          own.sharedPostId ?? null,
        ],
      );
      return rows[0]!.post_id;
    },
    follow: edge('follows', 'follower_id, followee_id'),
    block: edge('blocks', 'user_id, blocked_id'),
    mute: edge('mutes', 'user_id, muted_id'),
    async countRows(postId: string): Promise<PostCounts> {
      const { rows } = await postgres.query<{ kind: string; total: number }>(
        `SELECT kind, count(*) AS total FROM reactions WHERE post_id = $1 GROUP BY kind
         UNION ALL SELECT 'COMMENT', count(*) FROM comments WHERE post_id = $1 AND deleted_at IS NULL
         UNION ALL SELECT 'SHARE', count(*) FROM posts WHERE shared_post_id = $1 AND deleted_at IS NULL`,
        [postId],
      );
      const of = (kind: string): number => rows.find((row) => row.kind === kind)?.total ?? 0;
      return {
        reactions: {
          LIKE: of('LIKE'),
          LOVE: of('LOVE'),
          HAHA: of('HAHA'),
          WOW: of('WOW'),
          SAD: of('SAD'),
          ANGRY: of('ANGRY'),
        },
        comments: of('COMMENT'),
        shares: of('SHARE'),
      };
    },
  };
}

export const callerOf = (userId: string, ...roles: Role[]): Caller => ({
  viewer: { userId, roles: new Set<Role>(['user', ...roles]), plan: 'free' },
  correlationId: `test-${userId}`,
});
