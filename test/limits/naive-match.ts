import type { RateLimitRequest } from '../../src/platform/gate.js';

/** A descriptor as the property tests draw it: windows by unit, or an unlimited one with what it does on failure. */
export interface Descriptor {
  key: string;
  value: string | null;
  limits: Record<string, { requests_per_unit: number; cost: number }> | 'open' | 'closed';
  descriptors: Descriptor[];
}

type Path = readonly Descriptor[];

/** What holds for a request, found the slow and plain way; by `rule name -`. */
export function naiveCharges(rules: readonly Descriptor[], request: RateLimitRequest): Map<string, number> {
  const charges = new Map<string, number>();
  const paths = pathsOf(rules, rules, []);
  const ofRoutes = paths.filter(({ path, levels }) => {
    const rule = path.find(({ key }) => key === 'endpoint');
    const isOfRoutes = rule?.value?.startsWith('GET ') === true;
    return isOfRoutes && [...request.endpoints.keys()].some((each) => doesMatch(path, levels, each, request));
  });
  const ofRoutesBelow = (above: Path): Path[] =>
    ofRoutes
      .map(({ path }) => path)
      .filter((path) => path.length > above.length && above.every((step, index) => path[index] === step));
  for (const endpoint of [null, ...request.endpoints.keys()]) {
    const matching = paths.filter(({ path, levels }) => doesMatch(path, levels, endpoint, request));
    for (const { path } of matching) {
      if (has(path, 'endpoint') !== (endpoint !== null)) continue;
      if (request.part === 'operation' && !has(path, 'endpoint') && !has(path, 'query_cost')) continue;
      const deeper = matching
        .map((each) => each.path)
        .filter((each) => each.length > path.length && path.every((step, index) => each[index] === step))
        .filter((each) => has(each, 'endpoint') === has(path, 'endpoint'))
        .filter((each) => has(each, 'query_cost') === has(path, 'query_cost'));
      if (endpoint === null && !has(path, 'query_cost')) deeper.push(...ofRoutesBelow(path));
      for (const [name, cost] of tiersOf(path, deeper)) {
        const key = `${textOf(path)} ${name} -`;
        const points = cost * Math.max(1, request.queryCost ?? 0);
        const calls = cost * (endpoint === null ? 1 : (request.endpoints.get(endpoint) ?? 0));
        charges.set(key, has(path, 'query_cost') ? points : (charges.get(key) ?? 0) + calls);
      }
    }
  }
  return charges;
}

/** Every way from the root to a rule, with the rules beside each step. */
function pathsOf(
  rules: readonly Descriptor[],
  beside: readonly Descriptor[],
  above: readonly { step: Descriptor; beside: readonly Descriptor[] }[],
): { path: Path; levels: readonly (readonly Descriptor[])[] }[] {
  return rules.flatMap((step) => {
    const way = [...above, { step, beside }];
    const own = { path: way.map((each) => each.step), levels: way.map((each) => each.beside) };
    return [own, ...pathsOf(step.descriptors, step.descriptors, way)];
  });
}

function doesMatch(
  path: Path,
  levels: readonly (readonly Descriptor[])[],
  endpoint: string | null,
  request: RateLimitRequest,
) {
  const { userId, plan, apiKeyId, network } = request.caller;
  const isRoute = endpoint !== null && (!endpoint.includes('.') || endpoint.includes(' '));
  const values: Record<string, string | null> = {
    global: 'x',
    remote_address: userId === null ? network : null,
    user_id: userId,
    plan,
    api_key: apiKeyId,
    endpoint,
    query_cost: request.part !== 'request' && request.queryCost !== null && !isRoute ? 'x' : null,
  };
  return path.every((step, index) => {
    const value = values[step.key];
    if (value === null || value === undefined) return false;
    const rivals = levels[index]!.filter((rival) => rival.key === step.key && score(rival, value) >= 0);
    const best = Math.max(...rivals.map((rival) => score(rival, value)));
    return rivals.find((rival) => score(rival, value) === best) === step;
  });
}

/** -1: no match; 0: any; then by literal characters; exact is more than all. */
function score({ value: wanted }: Descriptor, value: string): number {
  if (wanted === null || wanted === '*') return 0;
  if (!wanted.includes('*')) return wanted === value ? 1_000 : -1;
  const pattern = wanted.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`).test(value) ? wanted.replaceAll('*', '').length : -1;
}

function tiersOf(path: Path, deeper: readonly Path[]): [name: string, cost: number][] {
  const { limits } = path.at(-1)!;
  const inside = deeper.map((each) => each.at(-1)!.limits);
  if (inside.some((each) => typeof each === 'string')) return [];
  if (limits === 'open') return [];
  if (limits === 'closed') return [['unlimited', 1]];
  return Object.entries(limits)
    .filter(([unit]) => !inside.some((each) => typeof each !== 'string' && unit in each))
    .map(([unit, { cost }]) => [`per_${unit}`, cost]);
}

const has = (path: Path, key: string): boolean => path.some((step) => step.key === key);

/** None of the values drawn needs an escape. */
const textOf = (path: Path): string =>
  path.map(({ key, value }) => (value === null || value === '*' ? key : `${key}=${value}`)).join('/');
