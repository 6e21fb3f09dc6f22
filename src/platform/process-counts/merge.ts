import { z } from 'zod';
import { type Counts, counts, type Histogram } from './counts.js';

/** What a process contributes: its counts, and when it took them, by its own monotonic clock in milliseconds. */
export const contribution = z.object({ at: z.number(), counts });
export type Contribution = Readonly<z.infer<typeof contribution>>;

/** What is known of one process. */
interface KnownProcess {
  readonly newest: Contribution;
  /** When the newest contribution was first seen, by the reader's monotonic clock in milliseconds. */
  readonly seenAt: number;
  /** What it counted between its last two contributions; undefined before there are two. */
  readonly last: { readonly ms: number; readonly counts: Counts } | undefined;
}

/** What is known of each process, by its id. */
export type KnownProcesses = ReadonlyMap<string, KnownProcess>;

/** A process that was killed, or cannot reach Redis, counts for as long. */
const COUNTS_FOR_MS = 2_500;
/** A process without a new contribution for so long is forgotten: what it contributes later says nothing of the last second. */
const KNOWN_FOR_MS = 5_000;

/** Takes in what was read. Pure: the order of the contributions does not matter, and reading one twice changes nothing. */
export function takeIn(
  known: KnownProcesses,
  read: ReadonlyMap<string, Contribution>,
  now: number,
): KnownProcesses {
  const next = new Map([...known].filter(([, { seenAt }]) => now - seenAt < KNOWN_FOR_MS));
  for (const [id, newest] of read) {
    const before = known.get(id);
    if (before && newest.at <= before.newest.at) continue;
    const last = next.has(id) && before ? between(before.newest, newest) : undefined;
    next.set(id, { newest, seenAt: now, last });
  }
  return next;
}

/** Processes among those read of which nothing new was heard for so long that they are gone: their contributions can be removed. */
export const goneAmong = (
  known: KnownProcesses,
  read: ReadonlyMap<string, Contribution>,
): readonly string[] => [...read.keys()].filter((id) => !known.has(id));

const between = (before: Contribution, after: Contribution): KnownProcess['last'] => ({
  ms: after.at - before.at,
  counts: {
    counters: mapValues(after.counts.counters, (value, name) =>
      increase(before.counts.counters[name] ?? 0, value),
    ),
    histograms: mapValues(after.counts.histograms, (value, name) =>
      histogramBetween(before.counts.histograms[name], value),
    ),
  },
});

/** What was counted in between; a count that went back was begun anew. */
const increase = (before: number, after: number): number => (after >= before ? after - before : after);

const histogramBetween = (before: Histogram | undefined, after: Histogram): Histogram => ({
  bounds: after.bounds,
  counts: after.counts.map((count, bucket) =>
    before && hasSameBounds(before, after) ? increase(before.counts[bucket] ?? 0, count) : count,
  ),
});

/** What all processes together do. */
export interface Totals {
  /** How many processes it is of. */
  readonly processes: number;
  readonly perSecond: Readonly<Partial<Record<string, number>>>;
  /** What was counted between the last two contributions of each. */
  readonly histograms: Readonly<Partial<Record<string, Histogram>>>;
}

/**
 * Sums up what is known: rates are sums of the processes' rates, each over the time that its process measured; histograms are
 * added bucket by bucket, so that a quantile of the sum is one of all values. Pure.
 */
export function totalsOf(known: KnownProcesses, now: number): Totals {
  const counting = [...known.values()].flatMap(({ seenAt, last }) =>
    last && now - seenAt < COUNTS_FOR_MS ? [last] : [],
  );
  const perSecond: Record<string, number> = {};
  const histograms: Record<string, Histogram> = {};
  for (const { ms, counts } of counting) {
    for (const [name, count] of Object.entries(counts.counters))
      perSecond[name] = (perSecond[name] ?? 0) + (count * 1_000) / ms;
    for (const [name, one] of Object.entries(counts.histograms))
      histograms[name] = added(histograms[name], one);
  }
  return { processes: counting.length, perSecond, histograms };
}

/** Of two with different bounds, as two versions of the product may have them, the one that counted more. */
function added(sum: Histogram | undefined, one: Histogram): Histogram {
  if (!sum) return one;
  if (!hasSameBounds(sum, one)) return totalOf(one) > totalOf(sum) ? one : sum;
  return { bounds: sum.bounds, counts: sum.counts.map((count, bucket) => count + (one.counts[bucket] ?? 0)) };
}

const totalOf = ({ counts }: Histogram): number => counts.reduce((sum, count) => sum + count, 0);

const hasSameBounds = (one: Histogram, other: Histogram): boolean =>
  one.bounds.length === other.bounds.length &&
  one.bounds.every((bound, bucket) => bound === other.bounds[bucket]);

const mapValues = <T, U>(record: Readonly<Record<string, T>>, of: (value: T, name: string) => U) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value, name)]));
