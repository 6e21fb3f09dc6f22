import { z } from 'zod';
import { defined } from '../../platform/defined.js';
import { redisAddresses } from '../../platform/redis/redis-address.js';

export const limitsVariables = {
  RATE_LIMIT_RULES: z.string().min(1).optional(),
  RATE_LIMIT_REDIS_URL: redisAddresses.optional(),
  RATE_LIMIT_TIMEOUT_MS: z.coerce.number().int().min(5).max(10_000).default(50),
};

export interface LimitsConfig {
  /** A file's path or an http(s) URL; undefined: the rules that ship with the product. */
  readonly rules?: string;
  /** Where counters are: one address is a single Redis, several are seeds of a Cluster. */
  readonly redisUrls: readonly string[];
  /** The timeout of one command to the counters. */
  readonly timeoutMs: number;
}

/** @param redisUrls where counters are unless a variable of their own says so */
export const readLimits = (
  e: z.infer<z.ZodObject<typeof limitsVariables>>,
  redisUrls: readonly string[],
): LimitsConfig => ({
  ...defined({ rules: e.RATE_LIMIT_RULES }),
  redisUrls: e.RATE_LIMIT_REDIS_URL ?? redisUrls,
  timeoutMs: e.RATE_LIMIT_TIMEOUT_MS,
});
