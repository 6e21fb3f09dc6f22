import type { RateLimitRequest } from '../../platform/gate.js';
import type { Limiter, Preview } from './limiter.js';
import type { NearLimit, NearLimits } from './near-limits.js';
import { callerNamed } from './owners.js';
import type { Rules } from './rules/rules.js';

/** What a caller near their limits meets under the rules in force, and would meet under others. */
export interface Rehearsal {
  readonly near: NearLimit;
  readonly current: Preview;
  readonly proposed: Preview;
}

/**
 * What rules that are not in force would decide about the callers nearest to their limits, if they asked for something now: a request
 * that costs 1, and that no rule for an endpoint is about. Reads counters and charges none. A tier that counts as before goes on with its
 * counter under its new limit; one with another algorithm or window begins at 0, as it would when the rules are put in force.
 *
 * Callers whose plan is not known, since a process of the version before saw them, are left out.
 *
 * @throws while Redis is away
 */
export async function rehearse(
  { limiter, nearLimits }: { limiter: Pick<Limiter, 'preview'>; nearLimits: Pick<NearLimits, 'top'> },
  rules: Rules,
  count: number,
): Promise<readonly Rehearsal[]> {
  const top = await nearLimits.top(count);
  const rehearsals = top.map(async (near): Promise<Rehearsal[]> => {
    const request = requestOf(near);
    if (!request) return [];
    const [current, proposed] = await Promise.all([
      limiter.preview(request),
      limiter.preview(request, rules),
    ]);
    return [{ near, current, proposed }];
  });
  return (await Promise.all(rehearsals)).flat();
}

function requestOf({ owner, plan, apiKeyId }: NearLimit): RateLimitRequest | null {
  if (plan === undefined || apiKeyId === undefined) return null;
  const caller = callerNamed(owner, { plan, apiKeyId });
  return { caller, endpoints: new Map(), queryCost: 1, part: 'whole' };
}
