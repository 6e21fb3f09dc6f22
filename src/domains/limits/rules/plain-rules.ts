import type { Tier } from '../../../platform/gate.js';
import type { ValueMatch } from './endpoint-match.js';

/** Seconds of each unit that a rule may name. */
export const SECONDS_OF = { second: 1, minute: 60, hour: 3_600, day: 86_400 } as const;
export type Unit = keyof typeof SECONDS_OF;

/** What a descriptor may be about. */
export const KEYS = [
  'global',
  'remote_address',
  'user_id',
  'endpoint',
  'plan',
  'api_key',
  'query_cost',
] as const;
export type Key = (typeof KEYS)[number];

/** A step of a rule's path, from the root. */
export interface PathStep {
  readonly key: Key;
  readonly match: ValueMatch;
}

/** A checked rule as plain data: it can cross from one thread to another. */
export interface PlainRule extends PathStep {
  /** The rule's own, before a deeper rule replaces any. */
  readonly tiers: readonly Tier[];
  /** `unlimited`: lifts every tier above it on its path. */
  readonly unlimited: boolean;
  readonly rules: readonly PlainRule[];
}

/** A checked document as plain data. */
export interface PlainRules {
  readonly domain: string;
  readonly rules: readonly PlainRule[];
}
