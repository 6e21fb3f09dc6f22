import type { RateLimitCaller, RateLimitRequest, Tier } from '../../../platform/gate.js';
import { type ApplicableTier, applicableTiers } from './applicable-tiers.js';
import type { Key, PlainRule } from './plain-rules.js';
import type { RulesByKey } from './rule-tree.js';
import type { Use } from './rules.js';
import { endpointClasses, valueClasses } from './value-classes.js';

/** Requests of one shape are held against the same tiers: they differ in counts and in the operation's cost only. */
interface Shape {
  readonly tiers: readonly ApplicableTier[];
  /** The whole answer for requests that call each endpoint once; null where it varies with the cost. */
  readonly once: readonly Use[] | null;
}

/** Shapes are found by going from class to class of a request's values. */
interface Step {
  readonly next: Map<string, Step>;
  shape: Shape | undefined;
}

/** Hostile requests may bring ever new combinations of fields: the cache starts over after so many. */
const MAX_STEPS = 20_000;

const PARTS = { request: 0, operation: 1, whole: 2 } as const;

const ATTRIBUTES: readonly { key: Key; read: (caller: RateLimitCaller) => string | null }[] = [
  { key: 'plan', read: (caller) => caller.plan },
  { key: 'user_id', read: (caller) => caller.userId },
  { key: 'api_key', read: (caller) => caller.apiKeyId },
  { key: 'remote_address', read: (caller) => (caller.userId === null ? caller.network : null) },
];

/** Finds what holds for a request: a few map look-ups for a shape that was met before. */
export function createMatcher(
  rules: readonly PlainRule[],
  tree: RulesByKey,
  order: ReadonlyMap<Tier, number>,
): (request: RateLimitRequest) => readonly Use[] {
  const attributes = ATTRIBUTES.flatMap(({ key, read }) => {
    const classOf = valueClasses(rules, key);
    return classOf ? [{ read, classOf }] : [];
  });
  const classOfEndpoint = endpointClasses(rules);
  let starts = newStarts();
  let steps = 0;

  function follow(step: Step, valueClass: string): Step {
    let next = step.next.get(valueClass);
    if (next === undefined) {
      next = newStep();
      step.next.set(valueClass, next);
      steps += 1;
    }
    return next;
  }

  return (request) => {
    if (steps > MAX_STEPS) {
      starts = newStarts();
      steps = 0;
    }
    const { caller, endpoints } = request;
    let step = starts[PARTS[request.part] * 2 + (request.queryCost === null ? 0 : 1)]!;
    for (const { read, classOf } of attributes) step = follow(step, classOf(read(caller)));
    let isOnce = true;
    if (classOfEndpoint) {
      for (const endpoint of endpoints.keys()) {
        const endpointClass = classOfEndpoint(endpoint);
        if (endpointClass === null) continue;
        step = follow(step, endpointClass);
        if (endpoints.get(endpoint) !== 1) isOnce = false;
      }
    }
    step.shape ??= shapeOf(request);
    if (isOnce && step.shape.once) return step.shape.once;
    const times = isOnce ? null : timesOf(request);
    return step.shape.tiers.map((each) => useOf(each, request, times));
  };

  function timesOf(request: RateLimitRequest): number[] {
    const times: number[] = [];
    for (const endpoint of request.endpoints.keys()) {
      if (classOfEndpoint?.(endpoint) != null) times.push(request.endpoints.get(endpoint) ?? 1);
    }
    return times;
  }

  function shapeOf(request: RateLimitRequest): Shape {
    const endpoints = [...request.endpoints.keys()].filter((endpoint) => classOfEndpoint?.(endpoint) != null);
    const tiers = applicableTiers(tree, order, request, endpoints);
    if (tiers.some(({ basis }) => basis === 'cost')) return { tiers, once: null };
    return { tiers, once: Object.freeze(tiers.map((each) => Object.freeze(useOf(each, request, null)))) };
  }
}

/** @param times how often each endpoint occurs; null where each does once */
function useOf(
  { tier, basis, endpoints }: ApplicableTier,
  request: RateLimitRequest,
  times: number[] | null,
): Use {
  if (basis === 'request') return { tier, charge: tier.cost };
  if (basis === 'cost') return { tier, charge: tier.cost * Math.max(1, request.queryCost ?? 1) };
  const calls = times ? endpoints.reduce((sum, index) => sum + (times[index] ?? 1), 0) : endpoints.length;
  return { tier, charge: tier.cost * calls };
}

const newStep = (): Step => ({ next: new Map(), shape: undefined });
const newStarts = (): Step[] => Array.from({ length: 6 }, newStep);
