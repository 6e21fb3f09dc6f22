import type { Tier } from '../../platform/gate.js';

/** Seconds of each unit that a rule may name. */
export const SECONDS_OF = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;
export type Unit = keyof typeof SECONDS_OF;

/** A tier that holds for a request, and what it would charge. */
export interface Use {
  readonly tier: Tier;
  readonly charge: number;
}
