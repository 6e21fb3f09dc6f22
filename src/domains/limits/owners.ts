import { hash } from 'node:crypto';
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
  const keyOf = ownKeys(keyPrefix(owner), caller.apiKeyId);
  const counters: CounterUse[] = [];
  let own = 0;
  for (const { tier, charge } of uses) {
    if (tier.limit === Number.POSITIVE_INFINITY) continue;
    if (tier.scope === 'global') {
      counters.push(sharedUse(tier, charge));
      continue;
    }
    const counter = { tier, owner, key: keyOf(tier), charge };
    // Matches come in this order already: what goes in between is the exception.
    if (own === counters.length) counters.push(counter);
    else counters.splice(own, 0, counter);
    own += 1;
  }
  return counters;
}

/** An owner's counter of a tier that does not count by API key. */
export const ownUse = (owner: string, tier: Tier, charge: number): CounterUse => ({
  tier,
  owner,
  key: keyPrefix(owner) + keyNameOf(tier),
  charge,
});

/** The counter of a tier that all callers share. */
export const sharedUse = (tier: Tier, charge: number): CounterUse => ({
  tier,
  owner: SHARED_OWNER,
  key: SHARED_PREFIX + (isLog(tier) ? tier.counterId : `tier:${tier.counterId}`),
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

/**
 * What holds a counter among its owner's keys. All tiers of the caller as a whole share a record, so that a check reads and
 * writes one value for them; those of an endpoint have one for each rule, so that no record grows with the number of endpoints.
 * A log has a key of its own.
 */
function keyNameOf(tier: Tier): string {
  if (isLog(tier)) return tier.counterId;
  if (tier.level !== 'endpoint') return TIERS;
  let name = endpointNames.get(tier);
  if (name === undefined) {
    name = `${TIERS}:${hash('sha256', tier.rule).slice(0, 16)}`;
    endpointNames.set(tier, name);
  }
  return name;
}
const TIERS = 'tiers';
const endpointNames = new WeakMap<Tier, string>();

const isLog = ({ algorithm }: Tier): boolean => algorithm === 'sliding_window_log';

/** Gives the keys of one caller's tiers; made once for those that share one. */
function ownKeys(prefix: string, apiKeyId: string | null): (tier: Tier) => string {
  const whole = prefix + TIERS;
  return (tier) => {
    if (tier.scope === 'api_key') return `${prefix}${apiKeyId}:${keyNameOf(tier)}`;
    const name = keyNameOf(tier);
    return name === TIERS ? whole : prefix + name;
  };
}
