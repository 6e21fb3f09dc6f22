import { type Channel, type LifecycleEvent, lifecycleEvents, type Priority } from '../types.js';

/** What is counted apart. */
export interface RollupKey {
  /** Of the minute or hour; milliseconds since the epoch. */
  readonly startsAt: number;
  readonly channel: Channel;
  readonly priority: Priority;
  readonly notificationType: string;
  /** The one that the request named. */
  readonly templateId: string;
}

/** What is counted of a key; the table's columns. */
export type Counter = Lowercase<LifecycleEvent> | 'suspected_bots';

export const counters: readonly Counter[] = [
  ...lifecycleEvents.map((event) => event.toLowerCase() as Lowercase<LifecycleEvent>),
  'suspected_bots',
];

/** What a suspected bot did is counted as that, and as nothing else. */
export const counterOf = (event: LifecycleEvent, isSuspected: boolean): Counter =>
  isSuspected ? 'suspected_bots' : (event.toLowerCase() as Lowercase<LifecycleEvent>);

/** Something that happened so many times. */
export interface Occurrence extends RollupKey {
  /** Null where it is counted already. */
  readonly counter: Counter | null;
  /** How long the delivered ones had been on their way, see `bucketOf`; null for all else. */
  readonly bucket: number | null;
  readonly count: number;
}

/** All that happened of a key. */
export interface Rollup extends RollupKey {
  readonly counts: ReadonlyMap<Counter, number>;
  readonly latencies: ReadonlyMap<number, number>;
}

/** Adds up what happened, by key. */
export function rollUp(occurrences: Iterable<Occurrence>): readonly Rollup[] {
  const rollups = new Map<string, ReturnType<typeof emptyOf>>();
  for (const one of occurrences) {
    const { startsAt, channel, priority, notificationType, templateId } = one;
    const name = JSON.stringify([startsAt, channel, priority, notificationType, templateId]);
    const rollup = rollups.get(name) ?? emptyOf(one);
    rollups.set(name, rollup);
    if (one.counter !== null) add(rollup.counts, one.counter, one.count);
    if (one.bucket !== null) add(rollup.latencies, one.bucket, one.count);
  }
  return [...rollups.values()];
}

/** The same, split again, so that minutes add up to an hour. */
export function* unroll({ counts, latencies, ...key }: Rollup): Generator<Occurrence> {
  for (const [counter, count] of counts) yield { ...key, counter, bucket: null, count };
  for (const [bucket, count] of latencies) yield { ...key, counter: null, bucket, count };
}

const emptyOf = ({ startsAt, channel, priority, notificationType, templateId }: RollupKey) => ({
  ...{ startsAt, channel, priority, notificationType, templateId },
  counts: new Map<Counter, number>(),
  latencies: new Map<number, number>(),
});

const add = <Key>(counts: Map<Key, number>, key: Key, count: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + count);
