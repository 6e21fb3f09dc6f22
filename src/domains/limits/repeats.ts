import type { Denial } from './deny-cache.js';
import { ownerOf } from './owners.js';
import type { Rules } from './rules/rules.js';
import type { LimitRequest, Use } from './types.js';

/** Callers whose last refused request is kept. */
const MOST_CALLERS = 10_000;
/** A request with more is matched anew: comparing would cost as much. */
const MOST_ENDPOINTS = 8;

/** A request that memory refused. */
export interface Repeat {
  readonly rules: Rules;
  readonly request: LimitRequest;
  readonly uses: readonly Use[];
  readonly denial: Denial;
}

/**
 * The last request of each caller that memory refused. Offenders mostly send the same again: what is equal in every
 * part is held against the same tiers, so that nothing need be matched. Holds 10,000 callers, forgets the oldest.
 */
export interface Repeats {
  find(rules: Rules, request: LimitRequest): Repeat | undefined;
  keep(repeat: Repeat): void;
}

export function createRepeats(): Repeats {
  const last = new Map<string, Repeat>();
  return {
    find(rules, request) {
      if (last.size === 0) return undefined;
      const repeat = last.get(ownerOf(request.caller));
      return repeat && repeat.rules === rules && isSame(repeat.request, request) ? repeat : undefined;
    },
    keep(repeat) {
      if (repeat.request.endpoints.size > MOST_ENDPOINTS) return;
      const owner = ownerOf(repeat.request.caller);
      last.delete(owner);
      last.set(owner, repeat);
      if (last.size > MOST_CALLERS) last.delete(last.keys().next().value ?? owner);
    },
  };
}

function isSame(a: LimitRequest, b: LimitRequest): boolean {
  return (
    a.part === b.part &&
    a.queryCost === b.queryCost &&
    a.caller.plan === b.caller.plan &&
    a.caller.apiKeyId === b.caller.apiKeyId &&
    a.caller.network === b.caller.network &&
    callsSame(a.endpoints, b.endpoints)
  );
}

function callsSame(a: LimitRequest['endpoints'], b: LimitRequest['endpoints']): boolean {
  if (a.size !== b.size) return false;
  for (const endpoint of b.keys()) if (a.get(endpoint) !== b.get(endpoint)) return false;
  return true;
}
