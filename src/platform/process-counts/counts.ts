import type { Registry } from 'prom-client';
import { z } from 'zod';

/** A metric of a process's registry: a counter, or a histogram. Of its values those count that have these labels. */
export interface MetricChoice {
  readonly metric: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What is counted over all processes, by a name of its own each. */
export interface Measured<Counter extends string, Histogram extends string> {
  readonly counters: Readonly<Record<Counter, MetricChoice>>;
  readonly histograms: Readonly<Record<Histogram, MetricChoice>>;
}

const histogram = z.object({
  /** Upper bounds of the buckets, rising. */
  bounds: z.array(z.number()),
  /** Of each bucket by itself, and of the one above the last bound. */
  counts: z.array(z.number().nonnegative()),
});
export type Histogram = Readonly<z.infer<typeof histogram>>;

/** What a process has counted since it started. A histogram that has no value yet is absent. */
export const counts = z.object({
  counters: z.record(z.string(), z.number().nonnegative()),
  histograms: z.record(z.string(), histogram),
});
export type Counts = Readonly<z.infer<typeof counts>>;

/** Reads the counts out of the metrics that a process has; what it does not have counts 0. */
export async function readCounts(registry: Registry, measured: Measured<string, string>): Promise<Counts> {
  const counters: Counts['counters'] = {};
  const histograms: Counts['histograms'] = {};
  for (const [name, choice] of Object.entries(measured.counters))
    counters[name] = countOf(choice.metric, await valuesOf(registry, choice));
  for (const [name, choice] of Object.entries(measured.histograms)) {
    const read = histogramOf(choice.metric, await valuesOf(registry, choice));
    if (read) histograms[name] = read;
  }
  return { counters, histograms };
}

/** As prom-client gives it; `metricName` says what of a histogram it is. */
interface Value {
  readonly value: number;
  readonly metricName?: string;
  readonly labels: Readonly<Partial<Record<string, string | number>>>;
}

async function valuesOf(
  registry: Registry,
  { metric, labels = {} }: MetricChoice,
): Promise<readonly Value[]> {
  const read = await registry.getSingleMetric(metric)?.get();
  const values: readonly Value[] = read?.values ?? [];
  const wanted = Object.entries(labels);
  return values.filter((value) => wanted.every(([name, text]) => value.labels[name] === text));
}

/** Of a counter its value; of a histogram how many values it has. */
const countOf = (metric: string, values: readonly Value[]): number =>
  values.reduce(
    (sum, { metricName = `${metric}_count`, value }) =>
      metricName === `${metric}_count` ? sum + value : sum,
    0,
  );

/** All label sets together. */
function histogramOf(metric: string, values: readonly Value[]): Histogram | undefined {
  const upTo = new Map<number, number>();
  for (const { metricName, labels, value } of values) {
    if (metricName !== `${metric}_bucket`) continue;
    const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
    upTo.set(bound, (upTo.get(bound) ?? 0) + value);
  }
  if (upTo.size === 0) return undefined;
  const bounds = [...upTo.keys()].sort((one, other) => one - other);
  const cumulative = bounds.map((bound) => upTo.get(bound)!);
  return {
    bounds: bounds.slice(0, -1),
    counts: cumulative.map((count, bucket) => count - (cumulative[bucket - 1] ?? 0)),
  };
}
