import { Gauge, type Registry } from 'prom-client';
import { createCorrectedClock, LARGEST_TRUSTED_SKEW_MS } from './clock.js';
import { sql } from './clock-skew.sql.js';
import { withinMs } from './deadline.js';
import type { Logger } from './logging/logger.js';
import type { Queryable } from './postgres/postgres.js';
import type { Redis } from './redis/redis.js';

const CHECK_EVERY_MS = 60_000;
const ANSWER_MS = 5_000;

export interface ClockSkewOptions {
  readonly postgres: Queryable;
  readonly redis: Pick<Redis, 'time'>;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly wall?: () => number;
}

/**
 * The process's clock, compared once a minute, and whenever it steps, with Postgres' and Redis'. Where it is more than 30 s
 * away from Postgres', Postgres' time is used instead; unless Redis agrees with the process: then it is Postgres' that is
 * wrong.
 */
export function watchClock(options: ClockSkewOptions) {
  const { postgres, redis, logger, wall = Date.now } = options;
  const clock = createCorrectedClock({ wall, onStep: () => void check() });
  const skewSeconds = new Gauge({
    name: 'clock_skew_seconds',
    help: 'How far this host’s clock is ahead of another’s, as far as the round trip lets it be known',
    labelNames: ['against'],
    registers: [options.metrics],
  });
  let wasWrong = false;

  async function measure(against: 'postgres' | 'redis', read: () => Promise<number>): Promise<number | null> {
    const skew = await measureSkew(wall, () => withinMs(ANSWER_MS, read())).catch(() => null);
    if (skew === null) skewSeconds.remove({ against });
    else skewSeconds.set({ against }, skew / 1_000);
    return skew;
  }

  /** Compares now. Never rejects: a server that does not answer is left out. */
  async function check(): Promise<void> {
    const [postgresSkew, redisSkew] = await Promise.all([
      measure('postgres', async () => (await postgres.query(sql.readTime)).rows[0]!.now),
      measure('redis', async () => {
        const [seconds, microseconds] = await redis.time();
        return Number(seconds) * 1_000 + Number(microseconds) / 1_000;
      }),
    ]);
    const skew = skewToCorrect(postgresSkew, redisSkew);
    if (skew === null) return;
    clock.correct(wall() - skew);
    if ((skew !== 0) !== wasWrong) {
      wasWrong = skew !== 0;
      const fields = { postgresSkewMs: postgresSkew, redisSkewMs: redisSkew };
      if (wasWrong) logger.error(fields, 'this host’s clock is wrong; the database’s time is used instead');
      else logger.info(fields, 'this host’s clock is right again');
    }
  }

  const timer = setInterval(() => void check(), CHECK_EVERY_MS).unref();
  return { clock, check, close: (): void => clearInterval(timer) };
}

/**
 * How far `wall` is ahead of what `read` answers, in milliseconds. The answer was made at some time between question and
 * answer: 0 where `wall` may be right for all that is known.
 */
export async function measureSkew(wall: () => number, read: () => Promise<number>): Promise<number> {
  const began = performance.now();
  const answer = await read();
  const half = (performance.now() - began) / 2;
  const skew = wall() - half - answer;
  return Math.sign(skew) * Math.max(0, Math.abs(skew) - half);
}

/** By how much the process's clock is to be set back: 0 where it is to be trusted, null where nobody knows. */
export function skewToCorrect(postgresSkew: number | null, redisSkew: number | null): number | null {
  if (postgresSkew === null) return null;
  const isWrong = (skew: number): boolean => Math.abs(skew) > LARGEST_TRUSTED_SKEW_MS;
  if (!isWrong(postgresSkew)) return 0;
  return redisSkew !== null && !isWrong(redisSkew) ? 0 : postgresSkew;
}
