import { isDataError } from './postgres/postgres.js';
import { forEverybody } from './wake-ups/reader.js';

export interface GroupCommitOptions<Item, Outcome> {
  /** One call for many: an outcome for each item, in order. Where it rejects, all of them do. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Outcome[]>;
  /** At most so many items a call. */
  readonly maxItems: number;
  /** Items of one key never share a call. */
  readonly keyOf?: (item: Item) => string;
  /** What an item weighs; a call carries `maxWeight`, or one item that is heavier. */
  readonly weightOf?: (item: Item) => number;
  readonly maxWeight?: number;
  /** Calls on their way at once; 1 unless set. */
  readonly callsAtOnce?: number;
  /** When a call goes beside another. Unless set, it does wherever it may, and the first takes all that it may carry. */
  readonly beside?: Beside;
  /** Whether what gathered meanwhile is rejected with the same error, since it would wait for the same silence; never unless set. */
  readonly endsAll?: (error: unknown) => boolean;
}

/** Calls that wait for one another in the database: two at once keep it busy, and each takes as long as both. */
export interface Beside {
  /** Only where at least so many items wait; where there are more, they are divided evenly among the calls that may go. */
  readonly least: number;
  /** Only while calls are quick: the last one took no longer than this, and none that is on its way has. Of the first nothing is known yet. */
  readonly withinMs: number;
}

interface Waiting<Item, Outcome> {
  readonly item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/**
 * Makes many calls one. While as many calls as may be are on their way, the next items gather; a lone item goes at
 * once, with whatever else came in the same turn of the event loop. An item that the database cannot take spoils
 * only itself: its call is made again, item by item.
 */
export function groupCommit<Item, Outcome>(
  options: GroupCommitOptions<Item, Outcome>,
): (item: Item) => Promise<Outcome> {
  const { commit, maxItems, keyOf, weightOf = () => 0, maxWeight = Number.POSITIVE_INFINITY } = options;
  const { callsAtOnce = 1, beside, endsAll = () => false } = options;
  let waiting: Waiting<Item, Outcome>[] = [];
  /** So many at the head are sent one by one, since their call failed on one of them. */
  let retriesLeft = 0;
  /** The oldest first. */
  const onTheirWay = new Set<{ readonly since: number; readonly isRetry: boolean }>();
  /** Infinite until a call has ended, so that the first goes alone where calls go beside one another. */
  let lastTookMs = Number.POSITIVE_INFINITY;
  let isScheduled = false;

  const mayGo = (): boolean =>
    waiting.length > 0 && onTheirWay.size < callsAtOnce && (onTheirWay.size === 0 || mayGoBeside());

  const mayGoBeside = (): boolean =>
    !beside || (waiting.length >= beside.least && isQuick(beside.withinMs) && !isRetrying());

  /** Items that are sent one by one keep their order: no call goes beside them. */
  const isRetrying = (): boolean => retriesLeft > 0 || [...onTheirWay].some(({ isRetry }) => isRetry);

  function isQuick(withinMs: number): boolean {
    const [oldest] = onTheirWay;
    return lastTookMs <= withinMs && (!oldest || performance.now() - oldest.since <= withinMs);
  }

  function schedule(): void {
    if (isScheduled || !mayGo()) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      while (mayGo()) goNext();
    });
  }

  /** How many of those that wait the next call takes at most, so that each call that may go gets as many. */
  function share(): number {
    if (!beside || !isQuick(beside.withinMs)) return waiting.length;
    const calls = Math.min(callsAtOnce - onTheirWay.size, Math.floor(waiting.length / beside.least));
    return Math.ceil(waiting.length / Math.max(1, calls));
  }

  function goNext(): void {
    const isRetry = retriesLeft > 0;
    const items = take(isRetry ? 1 : Math.min(maxItems, share()));
    if (isRetry) retriesLeft -= 1;
    void forEverybody(() => send(items, isRetry));
  }

  /** The next call's items, in order; one whose key is there already stays for a later call. */
  function take(most: number): Waiting<Item, Outcome>[] {
    const keys = new Set<string>();
    const taken: Waiting<Item, Outcome>[] = [];
    const left: Waiting<Item, Outcome>[] = [];
    let weight = 0;
    for (const [index, one] of waiting.entries()) {
      const added = weight + weightOf(one.item);
      if (taken.length === most || (taken.length > 0 && added > maxWeight)) {
        waiting = [...left, ...waiting.slice(index)];
        return taken;
      }
      const key = keyOf?.(one.item);
      if (key !== undefined && keys.has(key)) {
        left.push(one);
        continue;
      }
      if (key !== undefined) keys.add(key);
      weight = added;
      taken.push(one);
    }
    waiting = left;
    return taken;
  }

  async function send(batch: readonly Waiting<Item, Outcome>[], isRetry: boolean): Promise<void> {
    const call = { since: performance.now(), isRetry };
    onTheirWay.add(call);
    try {
      const outcomes = await commit(batch.map(({ item }) => item));
      if (outcomes.length !== batch.length)
        throw new Error(`${outcomes.length} outcomes for ${batch.length} items`);
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index]!);
    } catch (error) {
      fail(batch, error);
    }
    onTheirWay.delete(call);
    lastTookMs = performance.now() - call.since;
    schedule();
  }

  function fail(batch: readonly Waiting<Item, Outcome>[], error: unknown): void {
    if (batch.length > 1 && isDataError(error)) {
      waiting.unshift(...batch);
      retriesLeft += batch.length;
      return;
    }
    for (const one of batch) one.reject(error);
    if (!endsAll(error)) return;
    retriesLeft = 0;
    for (const one of waiting.splice(0)) one.reject(error);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
