import type { Tier } from '../../platform/gate.js';
import { createChargeOrAdmit } from './charge-or-admit.js';
import { declaredTier } from './declared-tier.js';
import { ownUse } from './owners.js';

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

/** The field `Type.name` has the counter of a rule `field=Type.name`, which no rule document can write. */
export function createFieldLimiter(deps: Parameters<typeof createChargeOrAdmit>[0]): FieldLimiter {
  const chargeOrAdmit = createChargeOrAdmit(deps);
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
      const refusal = await chargeOrAdmit([ownUse(owner, tierOf(field, limit, windowSeconds), charge)]);
      return refusal?.retryAfterMs ?? null;
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
