import type { BenchContext, Benchmark, Outcome } from '../../harness/benchmark.ts';
import { type Child, canPin, startChild } from '../../harness/child.ts';
import { type RedisServer, startRedis } from '../../harness/redis-server.ts';
import { type Contestant, median, ratiosOver } from '../../harness/rounds.ts';
import type { CheckerMethods } from './checker-process.ts';
import type { CheckerName } from './checkers/index.ts';

const ours: CheckerName = 'tidings';
const all: readonly CheckerName[] = [ours, 'counters', 'flexible'];
/** Checks a second of the document's sizing, on average and at peak, and the p99 that each may have: on average less than it asks for. */
const paces = [
  { perSecond: 5_800, limitMs: 1 },
  { perSecond: 17_400, limitMs: 5 },
] as const;
const denialsGoal = 1_000_000;

const within = (perSecond: number, limitMs: number): string => `p99-at-${perSecond}-within-${limitMs}-ms`;
const DENIALS = 'denials-over-1000000-a-second';

/** Decisions about users, one tier or four, counters in one Redis. */
export const limitCheck: Benchmark = {
  name: 'limit.check',
  summary: 'one limit and the four of a user, checked and charged: tidings, rate-limiter-flexible',
  targets: {
    'flexible-1-tier': 1.2,
    'flexible-4-tiers': 7,
    ...Object.fromEntries(paces.map(({ perSecond, limitMs }) => [within(perSecond, limitMs), 1])),
    [DENIALS]: 1,
  },
  async run(context) {
    // Counters need no durability, and a Redis of their own has none.
    const redis = await startRedis({ persistent: false });
    const core = (await canPin()) ? 0 : undefined;
    const children = new Map<CheckerName, Child<CheckerMethods>>();
    try {
      for (const name of all.filter((one) => context.takesPart(one))) {
        children.set(name, startChecker(core));
      }
      const outcomes = [
        await race(context, children, redis, 1),
        await race(context, children, redis, 4),
        ...(context.takesPart(ours) ? [await alone(context, redis)] : []),
      ];
      return {
        ratios: Object.assign({}, ...outcomes.map(({ ratios }) => ratios)),
        figures: Object.assign({}, ...outcomes.map(({ figures }) => figures)),
      };
    } finally {
      await Promise.all([...children.values()].map((child) => child.stop()));
      await redis.stop();
    }
  },
};

async function race(
  context: BenchContext,
  children: ReadonlyMap<CheckerName, Child<CheckerMethods>>,
  redis: RedisServer,
  tiers: 1 | 4,
): Promise<Outcome> {
  // Short turns: the machine's pace wavers from second to second, and everybody should meet the same.
  const [seconds, turns] = context.quick ? [0.5, 2] : [1, 4];
  const contestants: Contestant<number>[] = [];
  for (const [name, child] of children) {
    await child.call('open', name, redis.url, tiers);
    await child.call('verify', tiers, `strict-${name}-${tiers}`);
    await child.call('run', 2 * seconds);
    contestants.push({ name, measure: () => child.call('run', seconds) });
  }
  const label = tiers === 1 ? '1-tier' : '4-tiers';
  const samples = await context.rounds(
    contestants,
    (name, perSecond) => context.note(`${label} ${name}: ${Math.round(perSecond)} checks/s`),
    turns,
  );
  const figures: Record<string, number> = {};
  for (const [name, taken] of samples) figures[`${name} ${label} checks/s`] = median(taken);
  const ratios: Record<string, number> = {};
  for (const [name, ratio] of Object.entries(ratiosOver(ours, samples, (perSecond) => perSecond)))
    ratios[`${name}-${label}`] = ratio;
  const counters = samples.get('counters');
  const flexible = samples.get('flexible');
  if (counters && flexible) figures[`counters over flexible ${label}`] = median(counters) / median(flexible);
  return { ratios, figures };
}

/**
 * What only has a limit and no peer: four tiers at the document's paces, and denials from memory. Pinned to no core, as
 * a server runs: the collector's threads would else take turns with the checks.
 */
async function alone(context: BenchContext, redis: RedisServer): Promise<Outcome> {
  const ratios: Record<string, number> = {};
  const figures: Record<string, number> = {};
  const child = startChecker();
  try {
    await child.call('open', ours, redis.url, 4);
    for (const { perSecond, limitMs } of paces) {
      const pace = { perSecond, warmUpSeconds: 1, seconds: context.quick ? 2 : 8 };
      const samples = await context.rounds([{ name: ours, measure: () => child.call('pace', pace) }]);
      const taken = samples.get(ours) ?? [];
      const p99 = median(taken.map(({ p99Ms }) => p99Ms));
      context.note(`${perSecond}/s: p99 ${p99.toFixed(2)} ms`);
      figures[`tidings at ${perSecond}/s p50 ms`] = median(taken.map(({ p50Ms }) => p50Ms));
      figures[`tidings at ${perSecond}/s p99 ms`] = p99;
      figures[`tidings at ${perSecond}/s let through unasked`] = median(taken.map(({ unasked }) => unasked));
      ratios[within(perSecond, limitMs)] = limitMs / p99;
    }
    const offend = () => child.call('offend', redis.url, context.quick ? 0.5 : 2);
    const denials = (await context.rounds([{ name: ours, measure: offend }])).get(ours) ?? [];
    figures['tidings denials/s'] = median(denials);
    ratios[DENIALS] = median(denials) / denialsGoal;
  } finally {
    await child.stop();
  }
  return { ratios, figures };
}

const startChecker = (core?: number): Child<CheckerMethods> =>
  startChild<CheckerMethods>(new URL('./checker-process.ts', import.meta.url), core);
