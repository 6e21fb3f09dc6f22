import { Redis } from 'ioredis';
import { RateLimiterRedis, RateLimiterUnion } from 'rate-limiter-flexible';
import type { Checker, Limit } from './checker.ts';

/** rate-limiter-flexible on ioredis; several limits by its union, which asks for each by itself. */
export async function openFlexible(redisUrl: string, limits: readonly Limit[]): Promise<Checker> {
  const redis = new Redis(redisUrl, { enableOfflineQueue: true });
  await redis.ping();
  const limiters = limits.map(
    ({ requests, windowSeconds, unit }) =>
      new RateLimiterRedis({
        storeClient: redis,
        keyPrefix: `flexible:${unit}`,
        points: requests,
        duration: windowSeconds,
      }),
  );
  const [single] = limiters;
  const limiter = limiters.length === 1 && single ? single : new RateLimiterUnion(...limiters);
  return {
    async check(user) {
      try {
        await limiter.consume(user);
        return 'admitted';
      } catch (refusal) {
        if (refusal instanceof Error) throw refusal;
        return 'refused';
      }
    },
    async close() {
      await redis.quit();
    },
  };
}
