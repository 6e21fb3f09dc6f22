import { hash } from 'node:crypto';
import type { Tier } from '../../platform/gate.js';

/** A limit that code declares, not a rule. */
export interface Declared extends Pick<Tier, 'algorithm' | 'windowSeconds' | 'limit' | 'level' | 'scope'> {
  /** What kind of thing is limited: no key that a rule document can write. */
  readonly key: string;
  readonly value: string;
}

/** The tier of the rule `key=value`. */
export function declaredTier({ key, value, ...limit }: Declared): Tier {
  const { algorithm, windowSeconds } = limit;
  const name = `per_${windowSeconds}_seconds`;
  const identity = JSON.stringify([[[key, value]], algorithm, windowSeconds, name]);
  return {
    ...limit,
    rule: `${key}=${value}`,
    name,
    counts: 'requests',
    perWindow: limit.limit,
    softLimit: null,
    action: 'reject',
    fail: 'open',
    shadow: false,
    cost: 1,
    counterId: hash('sha256', identity).slice(0, 16),
  };
}
