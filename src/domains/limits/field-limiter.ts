import type { Tier } from '../../platform/gate.js';
import { createChargeOrAdmit } from './charge-or-admit.js';
import { declaredTier } from './declared-tier.js';
import { ownUse } from './owners.js';

export type FieldLimiter = ReturnType<typeof createFieldLimiter>;

/**
 * Limits of single GraphQL fields, as `@rateLimit` declares them. The field `Type.name` has the counter of a rule
 * `field=Type.name`, which no rule document can write.
 */
export function createFieldLimiter(deps: Parameters<typeof createChargeOrAdmit>[0]) {
  const chargeOrAdmit = createChargeOrAdmit(deps);
  const tiers = new Map<string, Tier>();

  function tierOf(field: string, limit: number, windowSeconds: number): Tier {
    const declared = `${field} ${limit}/${windowSeconds}`;
    const known = tiers.get(declared);
    if (known) return known;
    const kind = { key: 'field', level: 'endpoint', scope: 'caller', algorithm: 'fixed_window' } as const;
    const made = declaredTier({ ...kind, value: field, windowSeconds, limit });
    tiers.set(declared, made);
    return made;
  }

  return {
    /**
     * Charges one caller's counter of one field, in fixed windows. Never rejects: an unreachable store admits.
     *
     * @param use.owner `u:…` or `n:…`
     * @returns milliseconds until it may be tried again; null when admitted
     */
    async consume(use: {
      field: string;
      owner: string;
      limit: number;
      windowSeconds: number;
      charge: number;
    }): Promise<number | null> {
      const tier = tierOf(use.field, use.limit, use.windowSeconds);
      return (await chargeOrAdmit([ownUse(use.owner, tier, use.charge)]))?.retryAfterMs ?? null;
    },
  };
}
