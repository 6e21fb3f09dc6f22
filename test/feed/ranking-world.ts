import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createRanking, type Ranking } from '../../src/domains/feed/ranking/index.js';
import type { Predictor } from '../../src/domains/feed/ranking/predictor.js';
import { loadRankingSettings } from '../../src/domains/feed/ranking/settings.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { createTestDatabase } from '../support/database.js';
import { startTestRedis } from '../support/redis.js';

export const START = Date.parse('2026-11-22T12:00:00Z');
export const MINUTE = 60_000;
export const DAY = 86_400_000;

/** Ranking on a real Postgres and Redis of its own, with a clock that a test sets. */
export interface RankingWorld {
  readonly ranking: Ranking;
  readonly postgres: Postgres;
  readonly redis: Redis;
  readonly clock: { at: number; now(): number };
  readonly ids: ReturnType<typeof uuidV7Ids>;
  /** Another process on the same servers. */
  another(own?: {
    predictor?: Predictor;
    redis?: Redis;
    postgres?: Postgres;
    metrics?: Registry;
    monotonic?: () => number;
    timeoutMs?: number;
  }): Ranking;
  post(
    authorId: string,
    own?: Partial<Record<'content' | 'visibility' | 'deleted' | 'shares', string>>,
  ): Promise<string>;
  stopRedis(): Promise<void>;
  close(): Promise<void>;
}

const settings = loadRankingSettings();

export async function openRankingWorld(): Promise<RankingWorld> {
  const [database, redisServer] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const options = { max: 4, applicationName: 'ranking test', onError: () => undefined };
  const postgres = openPostgres(database.url, options);
  const redis = openRedis(redisServer.url.split(','), () => undefined);
  const clock = { at: START, now: () => clock.at };
  const ids = uuidV7Ids(systemClock);
  const logger = pino({ level: 'silent' });
  const another: RankingWorld['another'] = (own = {}) =>
    createRanking({
      postgres,
      redis,
      clock,
      logger,
      metrics: new Registry(),
      settings,
      // However busy the machine is.
      monotonic: () => 0,
      timeoutMs: 10_000,
      ...own,
    });
  await postgres.query(
    `INSERT INTO users (user_id, display_name) SELECT id, id FROM unnest($1::text[]) AS id`,
    [['ann', 'ben', 'cat', 'dan', 'eve']],
  );
  return {
    ranking: another(),
    postgres,
    redis,
    clock,
    ids,
    another,
    async post(authorId, own = {}) {
      const postId = ids.next();
      await postgres.query(
        `INSERT INTO posts (post_id, author_id, content, visibility, position, created_at, deleted_at, shared_post_id)
         SELECT $1, id, $3, $4, 1, now(), $5, $6 FROM users WHERE user_id = $2`,
        [
          postId,
          authorId,
          own.content ?? 'hello',
          own.visibility ?? 'public',
          own.deleted ?? null,
          own.shares ?? null,
        ],
      );
      return postId;
    },
    stopRedis: () => redisServer.stop(),
    async close() {
      redis.disconnect();
      await postgres.close();
      await Promise.all([database.drop(), redisServer.stop()]);
    },
  };
}
