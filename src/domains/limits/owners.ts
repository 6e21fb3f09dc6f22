import type { RateLimitCaller, Tier } from '../../platform/gate.js';
import { KEY_PREFIX } from '../../platform/redis/redis.js';
import type { CounterUse } from './counters/store.js';
import type { Use } from './rules/rules.js';

/** The owner of the counters that all callers share. */
export const SHARED_OWNER = 'global';

/** Who owns a caller's counters: the user, else the network. */
export const ownerOf = (caller: RateLimitCaller): string =>
  caller.userId === null ? `n:${caller.network}` : `u:${caller.userId}`;

/** The caller whom `ownerOf` names. Of a user the network is not known, and counts for nothing. */
export function callerNamed(
  owner: string,
  { plan, apiKeyId }: Pick<RateLimitCaller, 'plan' | 'apiKeyId'>,
): RateLimitCaller {
  const [kind, name] = [owner.slice(0, 2), owner.slice(2)];
  return kind === 'u:'
    ? { userId: name, plan, apiKeyId, network: '' }
    : { userId: null, plan, apiKeyId, network: name };
}

/**
 * The counters that uses are held against: narrow owners first and the shared one last, else in the order given, so
 * that a caller who is over a limit of their own never holds up what all share. Unlimited tiers count nothing and are
 * left out.
 */
export function counterUses(caller: RateLimitCaller, uses: readonly Use[]): readonly CounterUse[] {
  const owner = ownerOf(caller);
  const prefix = keyPrefix(owner);
  const counters: CounterUse[] = [];
  let own = 0;
  for (const { tier, charge } of uses) {
    if (tier.limit === Number.POSITIVE_INFINITY) continue;
    if (tier.scope === 'global') {
      counters.push(sharedUse(tier, charge));
      continue;
    }
    const counter = { tier, owner, key: prefix + counterName(caller, tier), charge };
    // Matches come in this order already: what goes in between is the exception.
    if (own === counters.length) counters.push(counter);
    else counters.splice(own, 0, counter);
    own += 1;
  }
  return counters;
}

/** An owner's counter of a tier. */
export const ownUse = (owner: string, tier: Tier, charge: number): CounterUse => ({
  tier,
  owner,
  key: keyPrefix(owner) + tier.counterId,
  charge,
});

/** The counter of a tier that all callers share. */
export const sharedUse = (tier: Tier, charge: number): CounterUse => ({
  tier,
  owner: SHARED_OWNER,
  key: SHARED_PREFIX + tier.counterId,
  charge,
});

/** Counters that nobody charges, to be read in place of those that unlimited tiers do not have. */
export function standIns(caller: RateLimitCaller, uses: readonly Use[]): readonly CounterUse[] {
  return counterUses(
    caller,
    uses.slice(0, 1).map(({ tier }) => ({ tier: { ...tier, limit: 1, perWindow: 1 }, charge: 1 })),
  );
}

/** The owner in braces is a hash tag: all of an owner's counters live in one slot of a Cluster. */
const keyPrefix = (owner: string): string => `${KEY_PREFIX}:limit:{${owner}}:`;
const SHARED_PREFIX = keyPrefix(SHARED_OWNER);

const counterName = (caller: RateLimitCaller, tier: Tier): string =>
  tier.scope === 'api_key' ? `${caller.apiKeyId}:${tier.counterId}` : tier.counterId;
