import type { Registry } from 'prom-client';
import type { Tier } from '../../platform/gate.js';
import { KEY_PREFIX } from '../../platform/redis/redis.js';
import { createChargeOrAdmit, type DeclaredRefusal } from './charge-or-admit.js';
import { openCounters } from './counter-log.js';
import type { BatchLimits } from './counters/check-batches.js';
import { createCounterStore } from './counters/counter-store.js';
import type { GuardedRedis } from './counters/guarded-redis.js';
import type { CounterUse } from './counters/store.js';
import { type Declared, declaredTier } from './declared-tier.js';
import { createFailOpenEvents, type FailOpenEvents } from './fail-open-events.js';
import { sharedUse } from './owners.js';

/** So many in any stretch of so many seconds. */
export interface Quota {
  /** Names the quota among a user's, or among those that all share. Never holds `}:`. */
  readonly id: string;
  readonly max: number;
  readonly windowSeconds: number;
}

/** One name that is to be counted in some windows of a user, in all of them or in none. */
export interface NamedCheck {
  readonly userId: string;
  /** Kept for as long as the window, so it had better be short. */
  readonly name: string;
  /** One or more, each of an id of its own. */
  readonly windows: readonly Quota[];
}

export type Quotas = ReturnType<typeof createQuotas>;

/** Nobody waits for a single check, so batches are larger; and a call for thousands must not be late for itself. */
const LONG_BATCHES: BatchLimits = { checksABatch: 256, batchesAtOnce: 2 };
/** Calls of more checks than this let others pass. */
const MANY = 64;

/** See `openCounters`. */
export function openQuotas(deps: Parameters<typeof openCounters>[0] & { metrics: Registry }): Quotas {
  const { logger, metrics } = deps;
  return createQuotas({
    redis: openCounters(deps, 'quotas are not kept'),
    failOpen: createFailOpenEvents(metrics),
    onError: (err) => logger.error({ err }, 'a quota could not be checked'),
  });
}

/**
 * Limits that other domains declare. What the counters cannot be asked for is admitted, counted as a fail-open event.
 *
 * @param onError gets errors that are not of a connection
 * @param heldTime microseconds since the epoch, in place of Redis's clock: for tests
 */
export function createQuotas(deps: {
  redis: GuardedRedis;
  failOpen: FailOpenEvents;
  onError: (error: unknown) => void;
  heldTime?: () => number;
}) {
  const store = createCounterStore(deps.redis, deps.heldTime, LONG_BATCHES);
  const chargeOrAdmit = createChargeOrAdmit({ ...deps, store });
  const sharedTier = tiersOf({ level: 'global', scope: 'global', algorithm: 'sliding_window_counter' });
  const userTier = tiersOf({ level: 'user', scope: 'caller', algorithm: 'sliding_window_log' });

  const namedUses = ({ userId, name, windows }: NamedCheck): CounterUse[] =>
    windows.map((window) => ({
      tier: userTier(window),
      owner: `u:${userId}`,
      key: `${KEY_PREFIX}:quota:{u:${userId}}:${window.id}`,
      charge: 1,
      name,
    }));

  return {
    /**
     * Counts names in windows of users. A name that is in a window already fits it, and is not counted again there.
     *
     * @returns for each check, in order, of which each sees what those before it charged: null where it is admitted, else
     *   which of its windows stays full for the longest, and until when; then it is counted nowhere
     */
    charge: (checks: readonly NamedCheck[]): Promise<readonly DeclaredRefusal[]> =>
      Promise.all(checks.map((check) => chargeOrAdmit(namedUses(check), checks.length > MANY))),

    /** Counts one, about exactly: 0; or nothing, where the quota is used up: milliseconds until one fits. */
    chargeShared: async (quota: Quota): Promise<number> =>
      (await chargeOrAdmit([sharedUse(sharedTier(quota), 1)]))?.retryAfterMs ?? 0,

    /** Disconnects, whatever Redis does. What is on its way is admitted. */
    close: store.close,
  };
}

/** Makes the tiers of quotas, each once. */
function tiersOf(kind: Pick<Declared, 'level' | 'scope' | 'algorithm'>): (quota: Quota) => Tier {
  const known = new WeakMap<Quota, Tier>();
  return (quota) => {
    const { id, max, windowSeconds } = quota;
    const tier =
      known.get(quota) ?? declaredTier({ ...kind, key: 'quota', value: id, windowSeconds, limit: max });
    known.set(quota, tier);
    return tier;
  };
}
