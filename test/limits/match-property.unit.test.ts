import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Use } from '../../src/domains/limits/rules/rules.js';
import type { RateLimitRequest } from '../../src/platform/gate.js';
import { compiled } from './compiled.js';
import { type Descriptor, naiveCharges } from './naive-match.js';

const VALUES: Record<string, string[]> = {
  global: [],
  remote_address: ['192.0.2.1', '192.0.*'],
  user_id: ['alice', 'a*', '*e', 'al*e', 'bob'],
  plan: ['free', 'pro', 'p*', '*r*'],
  api_key: ['00000000000000a1', '00000000000000a*'],
  query_cost: [],
  endpoint: ['GET /a', 'GET /*', '*a', 'Query.feed', 'Query.*', '*.*', 'login', 'Mutation.pay', '*'],
};

const limit = fc.record({
  requests_per_unit: fc.integer({ min: 10, max: 99 }),
  cost: fc.integer({ min: 1, max: 3 }),
});
const limits: fc.Arbitrary<Descriptor['limits']> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.dictionary(fc.constantFrom('second', 'minute', 'hour', 'day'), limit, { minKeys: 1 }),
  },
  { weight: 1, arbitrary: fc.constantFrom('open' as const, 'closed' as const) },
);

const { descriptors } = fc.letrec<{ descriptors: Descriptor[]; descriptor: Descriptor }>((tie) => ({
  descriptors: fc.array(tie('descriptor'), { maxLength: 5, depthIdentifier: 'rules' }),
  descriptor: fc.constantFrom(...Object.keys(VALUES)).chain((key) =>
    fc.record({
      key: fc.constant(key),
      value: fc.constantFrom(null, ...(VALUES[key] ?? [])),
      limits,
      descriptors: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'rules' },
        fc.constant<Descriptor[]>([]),
        tie('descriptors'),
      ),
    }),
  ),
}));

/** Leaves out what a document is refused for: duplicates, and rules that could never hold. */
function sound(rules: readonly Descriptor[], above: readonly Descriptor[] = []): Descriptor[] {
  const seen = new Set<string>();
  return rules.flatMap((rule) => {
    const path = [...above, rule];
    const keys = path.map(({ key }) => key);
    const name = `${rule.key} ${rule.value === '*' ? null : rule.value}`;
    const endpoint = path.find(({ key }) => key === 'endpoint')?.value ?? '';
    const isRoute = endpoint === 'login' || endpoint.startsWith('GET ');
    const isOfKnownCallers = ['user_id', 'plan', 'api_key'].some((key) => keys.includes(key));
    const isContradiction =
      new Set(keys).size < keys.length ||
      (isOfKnownCallers && (keys.includes('remote_address') || endpoint === 'login')) ||
      (isRoute && keys.includes('query_cost'));
    if (seen.has(name) || isContradiction) return [];
    seen.add(name);
    return [{ ...rule, descriptors: sound(rule.descriptors, path) }];
  });
}

const toDocument = (rules: readonly Descriptor[]): unknown[] =>
  rules.map(({ key, value, limits: own, descriptors: inside }) => ({
    key,
    ...(value !== null && { value }),
    ...(typeof own === 'string'
      ? { unlimited: true, fail: own }
      : { rate_limits: Object.entries(own).map(([unit, each]) => ({ unit, ...each })) }),
    ...(inside.length > 0 && { descriptors: toDocument(inside) }),
  }));

const caller = fc.oneof(
  fc.record({
    userId: fc.constantFrom('alice', 'bob', 'ae'),
    plan: fc.constantFrom('free', 'pro', 'team'),
    apiKeyId: fc.constantFrom(null, '00000000000000a1', '00000000000000a2', '00000000000000b1'),
    network: fc.constant('192.0.2.1'),
  }),
  fc.record({
    userId: fc.constant(null),
    plan: fc.constant(null),
    apiKeyId: fc.constant(null),
    network: fc.constantFrom('192.0.2.1', '198.51.100.1'),
  }),
);
const counted = (...names: string[]) =>
  fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 3 })), {
    selector: ([name]) => name,
  });
const request = fc.record({
  caller,
  routes: counted('GET /a', 'GET /b', 'POST /graphql', 'login'),
  fields: counted('Query.feed', 'Query.a', 'Mutation.pay'),
  queryCost: fc.constantFrom(null, 0, 1, 40),
});

/** What is charged where; fails on a tier that comes twice. */
function charges(uses: readonly Use[]): Map<string, number> {
  const all = new Map(
    uses.map(({ tier, charge }) => [`${tier.rule} ${tier.name} ${tier.counterId}`, charge]),
  );
  expect(all.size).toBe(uses.length);
  return all;
}

const plainly = (all: ReadonlyMap<string, number>) =>
  [...all].map(([name, charge]) => `${name.split(' ').slice(0, -1).join(' ')} ×${charge}`).sort();

it('the part `whole` matches what `request` and `operation` match: nothing is charged twice or left out', () => {
  fc.assert(
    fc.property(descriptors, fc.array(request, { minLength: 1, maxLength: 4 }), (drawn, requests) => {
      const rules = compiled(JSON.stringify({ domain: 'd', descriptors: toDocument(sound(drawn)) }));
      for (const { caller, routes, fields, queryCost } of requests) {
        const of = (part: RateLimitRequest['part'], endpoints: [string, number][], cost: number | null) =>
          charges(rules.match({ caller, part, endpoints: new Map(endpoints), queryCost: cost }));
        const parts = of('request', routes, null);
        for (const [name, charge] of of('operation', fields, queryCost)) {
          parts.set(name, (parts.get(name) ?? 0) + charge);
        }
        expect(plainly(of('whole', [...routes, ...fields], queryCost))).toEqual(plainly(parts));
      }
    }),
    { numRuns: 200 },
  );
});

it('a match is what going through all rules one by one finds', () => {
  fc.assert(
    fc.property(
      descriptors,
      fc.array(request, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('request' as const, 'operation' as const, 'whole' as const),
      (drawn, requests, part) => {
        const tree = sound(drawn);
        const rules = compiled(JSON.stringify({ domain: 'd', descriptors: toDocument(tree) }));
        for (const { caller, routes, fields, queryCost } of requests) {
          const endpoints = new Map([
            ...(part === 'operation' ? [] : routes),
            ...(part === 'request' ? [] : fields),
          ]);
          const asked: RateLimitRequest = { caller, endpoints, queryCost, part };
          expect(plainly(charges(rules.match(asked)))).toEqual(plainly(naiveCharges(tree, asked)));
        }
      },
    ),
    { numRuns: 200 },
  );
});
