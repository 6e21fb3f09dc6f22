import type { Tier } from '../../platform/gate.js';
import { KEY_PREFIX } from '../../platform/redis.js';
import { type CounterStore, StoreUnreachable } from './counters/store.js';
import { declaredTier } from './declared-tier.js';
import type { FailOpenEvents } from './fail-open-events.js';

/** Limits of single GraphQL fields, as `@rateLimit` declares them. */
export interface FieldLimiter {
  /**
   * Charges one caller's counter of one field, in fixed windows. Never rejects: an unreachable store admits.
   *
   * @param owner `u:…` or `n:…`
   * @returns milliseconds until it may be tried again; null when admitted
   */
  consume(use: {
    field: string;
    owner: string;
    limit: number;
    windowSeconds: number;
    charge: number;
  }): Promise<number | null>;
}

/**
 * The field `Type.name` has the counter of a rule `field=Type.name`, which no rule document can write.
 *
 * @param onError gets what the store threw other than that it cannot be reached
 */
export function createFieldLimiter(deps: {
  store: Pick<CounterStore, 'charge'>;
  failOpen: FailOpenEvents;
  onError: (error: unknown) => void;
}): FieldLimiter {
  const { store, failOpen, onError } = deps;
  const tiers = new Map<string, Tier>();

  function tierOf(field: string, limit: number, windowSeconds: number): Tier {
    const declared = `${field} ${limit}/${windowSeconds}`;
    const known = tiers.get(declared);
    if (known) return known;
    const made = fieldTier(field, limit, windowSeconds);
    tiers.set(declared, made);
    return made;
  }

  return {
    async consume({ field, owner, limit, windowSeconds, charge }) {
      const tier = tierOf(field, limit, windowSeconds);
      const key = `${KEY_PREFIX}:limit:{${owner}}:${tier.counterId}`;
      try {
        const { admitted, readings } = await store.charge([{ tier, owner, key, charge }]);
        return admitted ? null : Math.max(1, readings[0]?.retryAfterMs ?? 0);
      } catch (error) {
        // A connection that cannot be reached is logged where it is opened.
        if (!(error instanceof StoreUnreachable)) onError(error);
        failOpen.count(error);
        return null;
      }
    },
  };
}

function fieldTier(field: string, limit: number, windowSeconds: number): Tier {
  return declaredTier({
    key: 'field',
    value: field,
    level: 'endpoint',
    scope: 'caller',
    algorithm: 'fixed_window',
    windowSeconds,
    limit,
  });
}
