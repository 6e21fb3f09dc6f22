import type { Registry } from 'prom-client';
import type { Tier } from '../../platform/gate.js';
import type { Logger } from '../../platform/logger.js';
import type { ServerWatch } from '../../platform/server-watch.js';
import { atMostOneASecond } from './at-most-one-a-second.js';
import { createCounterLog } from './counter-log.js';
import { createCounterStore } from './counters/counter-store.js';
import { type GuardedRedis, openGuardedRedis } from './counters/guarded-redis.js';
import { StoreUnreachable } from './counters/store.js';
import { declaredTier } from './declared-tier.js';
import { createFailOpenEvents, type FailOpenEvents } from './fail-open-events.js';
import { createNamedCharges, type NamedCheck, type NamedOutcome } from './named-charges.js';
import { sharedUse } from './owners.js';

/** A limit that all share: about so many in any stretch of so many seconds. */
export interface SharedQuota {
  readonly id: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** Limits that other domains declare. What the counters cannot be asked for is admitted, counted as a fail-open event. */
export interface Quotas {
  /**
   * Counts names in windows of users. A name that is in a window already fits it, and is not counted again there.
   *
   * @returns for each check, in order: null where it is admitted, else which of its windows stays full for the longest,
   *   and until when; then it is counted nowhere
   */
  charge(checks: readonly NamedCheck[]): Promise<readonly QuotaRefusal[]>;
  /** Counts one: 0; or nothing, where the quota is used up: milliseconds until one fits. */
  chargeShared(quota: SharedQuota): Promise<number>;
  /** Disconnects, whatever Redis does. What is on its way is admitted. */
  close(): Promise<void>;
}

export type QuotaRefusal = { readonly window: number; readonly retryAfterMs: number } | null;

/**
 * Connects in the background.
 *
 * @param redisUrls where counters are: one address is a single Redis, several are seeds of a Cluster
 * @param server watches that single Redis where it is also the processes' own
 */
export function openQuotas(deps: {
  redisUrls: readonly string[];
  /** The timeout of one command to the counters. */
  timeoutMs: number;
  server?: ServerWatch | undefined;
  logger: Logger;
  metrics: Registry;
}): Quotas {
  const { redisUrls: urls, timeoutMs, logger, metrics } = deps;
  const log = createCounterLog(logger, urls, 'quotas are not kept');
  return createQuotas({
    redis: openGuardedRedis({ urls, timeoutMs, server: deps.server, ...log }),
    failOpen: createFailOpenEvents(metrics),
    onError: (err) => logger.error({ err }, 'a quota could not be checked'),
  });
}

/**
 * @param onError gets errors that are not of a connection, once a second at most
 * @param heldTime microseconds since the epoch, in place of Redis's clock: for tests
 */
export function createQuotas(deps: {
  redis: GuardedRedis;
  failOpen: FailOpenEvents;
  onError: (error: unknown) => void;
  heldTime?: () => number;
}): Quotas {
  const { redis, failOpen, heldTime } = deps;
  const names = createNamedCharges(redis, heldTime);
  const store = createCounterStore(redis, heldTime);
  const report = atMostOneASecond(deps.onError);
  const tiers = new WeakMap<SharedQuota, Tier>();

  function letThrough(error: unknown): void {
    failOpen.count(error);
    // A connection that cannot be reached is logged where it is opened.
    if (!(error instanceof StoreUnreachable) || error.errorType === 'command') report(error);
  }

  function refusalIn(outcome: NamedOutcome): QuotaRefusal {
    if (outcome.kind === 'refused') return outcome;
    if (outcome.kind === 'unasked') letThrough(outcome.error);
    return null;
  }

  function tierOf(quota: SharedQuota): Tier {
    const known = tiers.get(quota);
    if (known) return known;
    const made = sharedTier(quota);
    tiers.set(quota, made);
    return made;
  }

  return {
    charge: async (checks) => (await names.charge(checks)).map(refusalIn),

    async chargeShared(quota) {
      try {
        const { admitted, readings } = await store.charge([sharedUse(tierOf(quota), 1)]);
        return admitted ? 0 : Math.max(1, readings[0]?.retryAfterMs ?? 0);
      } catch (error) {
        letThrough(error);
        return 0;
      }
    },

    close: () => store.close(),
  };
}

const sharedTier = ({ id, max, windowSeconds }: SharedQuota): Tier =>
  declaredTier({
    key: 'quota',
    value: id,
    level: 'global',
    scope: 'global',
    algorithm: 'sliding_window_counter',
    windowSeconds,
    limit: max,
  });
