import type { Tier } from '../../platform/gate.js';

/** Where a rule's path goes on after an endpoint's value, which may hold slashes itself. */
const NEXT_KEY = /\/(?:global|remote_address|user_id|endpoint|plan|api_key|query_cost)(?:[=/]|$)/;
const ENDPOINT = /(?:^|\/)endpoint=/;

const endpoints = new WeakMap<Tier, string | null>();

/** The endpoint, or the pattern of endpoints, that a tier's rule names; null where it names none. */
export function endpointLabelOf(tier: Tier): string | null {
  const known = endpoints.get(tier);
  if (known !== undefined) return known;
  const named = readEndpoint(tier.rule);
  endpoints.set(tier, named);
  return named;
}

function readEndpoint(rule: string): string | null {
  const start = ENDPOINT.exec(rule);
  if (!start) return null;
  const rest = rule.slice(start.index + start[0].length);
  const end = rest.search(NEXT_KEY);
  return end === -1 ? rest : rest.slice(0, end);
}
