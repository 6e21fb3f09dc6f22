import { type PostgresServer, startPostgres } from '../../harness/postgres-server.ts';
import { migrateProduct, openProductApp } from '../../harness/product-app.ts';
import { type RedisServer, startRedis } from '../../harness/redis-server.ts';

/** An author and those who follow him, in a Postgres and a Redis of their own. */
export interface Crowd {
  readonly databaseUrl: string;
  readonly redis: RedisServer;
  readonly postgres: PostgresServer;
  readonly followers: readonly string[];
  /** The product's own parts on these servers, in this process. */
  openApp(): Promise<import('../../../src/context.js').App>;
  stop(): Promise<void>;
}

export const author = 'author';
const database = 'crowd';

/** @param count how many follow the author, all seen lately */
export async function openCrowd(count: number): Promise<Crowd> {
  const postgres = await startPostgres(60);
  const redis = await startRedis({ persistent: false }).catch(async (error) => {
    await postgres.stop();
    throw error;
  });
  const stop = async (): Promise<void> => {
    await Promise.all([postgres.stop(), redis.stop()]);
  };
  try {
    await postgres.run(`CREATE DATABASE ${database}`);
    await migrateProduct(postgres.url(database));
    await postgres.run(
      `INSERT INTO users (user_id, display_name, last_seen_at, follower_count)
       SELECT CASE WHEN n = 0 THEN '${author}' ELSE 'follower-' || n END, 'person', now(),
         CASE WHEN n = 0 THEN ${count} ELSE 0 END
       FROM generate_series(0, ${count}) n`,
      database,
    );
    await postgres.run(
      `INSERT INTO follows (follower_id, followee_id)
       SELECT f.id, a.id FROM users f, users a WHERE a.user_id = '${author}' AND f.id <> a.id`,
      database,
    );
    await postgres.run('VACUUM ANALYZE', database);
  } catch (error) {
    await stop();
    throw error;
  }
  const databaseUrl = postgres.url(database);
  return {
    databaseUrl,
    redis,
    postgres,
    followers: Array.from({ length: count }, (_, n) => `follower-${n + 1}`),
    openApp: () => openProductApp(databaseUrl, redis.url),
    stop,
  };
}
