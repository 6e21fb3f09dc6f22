import type { Registry } from 'prom-client';
import type { Clock } from '../../platform/clock.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { Postgres } from '../../platform/postgres/postgres.js';
import type { Redis } from '../../platform/redis/redis.js';
import type { ServerWatch } from '../../platform/redis/server-watch.js';
import { openCounters } from './counter-log.js';
import { createCounterStore } from './counters/counter-store.js';
import { createFailOpenEvents } from './fail-open-events.js';
import { createFieldLimiter } from './field-limiter.js';
import { createLimiter } from './limiter.js';
import { createNearLimits } from './near-limits.js';
import { type Rehearsal, rehearse } from './rehearse.js';
import { openRuleKeeper } from './reload/rule-keeper.js';

export type { FieldLimiter } from './field-limiter.js';
export type { Limiter, Preview } from './limiter.js';
export type { NearLimit } from './near-limits.js';
export { openQuotas, type Quotas } from './quotas.js';
export type { Rehearsal } from './rehearse.js';
export type { PutRules } from './reload/puts.js';
export type { RuleSet } from './reload/rule-keeper.js';
export type { RuleFault } from './rules/rules.js';

export type Limits = Awaited<ReturnType<typeof openLimits>>;

/**
 * Rate limits: rules, counters, decisions.
 *
 * @param source of the rules: a file's path or an http(s) URL
 * @param redisUrls where counters are: one address is a single Redis, several are seeds of a Cluster
 * @param endpoints every endpoint that the gate is asked about, as requests name it
 * @param subscriber a connection of its own, for a subscription; closed with the limits
 * @throws StartError when there are no good rules to start with
 */
export async function openLimits(deps: {
  source: string;
  endpoints: ReadonlySet<string>;
  redisUrls: readonly string[];
  /** The timeout of one command to the counters. */
  timeoutMs: number;
  /** Watches the counters' single Redis where it is also the processes' own. */
  server?: ServerWatch | undefined;
  postgres: Postgres;
  redis: Redis;
  subscriber: Redis;
  clock: Clock;
  logger: Logger;
  metrics: Registry;
}) {
  const { redis, logger, metrics } = deps;
  const rules = await openRuleKeeper(deps);
  const store = createCounterStore(openCounters(deps));
  const failOpen = createFailOpenEvents(metrics);
  const onError = (err: unknown): void => logger.error({ err }, 'a limit could not be checked');
  const nearLimits = createNearLimits(redis);
  const limiter = createLimiter({ rules: rules.current, store, metrics, nearLimits, onError });
  return {
    limiter,
    rules,
    fields: createFieldLimiter({ store, failOpen, onError }),
    nearLimits,
    /** See `rehearse`. A document with a fault has nobody. */
    async rehearse(document: string, count: number): Promise<readonly Rehearsal[]> {
      const checked = await rules.check(document);
      return checked.ok ? rehearse({ limiter, nearLimits }, checked.value, count) : [];
    },
    async close(): Promise<void> {
      nearLimits.close();
      rules.close();
      await store.close();
    },
  };
}
