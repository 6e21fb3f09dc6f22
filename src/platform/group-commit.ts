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
  /**
   * A call goes beside another only where at least so many items wait for it; where there are more, those that wait are divided
   * evenly among the calls that may go. Unless set, the first takes all that it may carry.
   */
  readonly leastBeside?: number;
  /** Whether what gathered meanwhile is rejected with the same error, since it would wait for the same silence; never unless set. */
  readonly endsAll?: (error: unknown) => boolean;
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
  const { callsAtOnce = 1, leastBeside, endsAll = () => false } = options;
  let waiting: Waiting<Item, Outcome>[] = [];
  /** So many at the head go one by one, since one of them is spoilt. */
  let singly = 0;
  let onTheirWay = 0;
  let isScheduled = false;

  const mayGo = (): boolean =>
    waiting.length > 0 &&
    onTheirWay < callsAtOnce &&
    (onTheirWay === 0 || waiting.length >= (leastBeside ?? 1));

  function schedule(): void {
    if (isScheduled || !mayGo()) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      while (mayGo()) void forEverybody(() => send(take()));
    });
  }

  /** How many of those that wait the next call takes at most, so that each call that may go gets as many. */
  function share(): number {
    const calls = Math.min(callsAtOnce - onTheirWay, Math.floor(waiting.length / (leastBeside ?? Infinity)));
    return Math.ceil(waiting.length / Math.max(1, calls));
  }

  /** The next call's items, in order; one whose key is there already stays for a later call. */
  function take(): Waiting<Item, Outcome>[] {
    const keys = new Set<string>();
    const taken: Waiting<Item, Outcome>[] = [];
    const left: Waiting<Item, Outcome>[] = [];
    const most = singly > 0 ? 1 : Math.min(maxItems, share());
    singly = Math.max(0, singly - 1);
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

  async function send(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    onTheirWay += 1;
    try {
      const outcomes = await commit(batch.map(({ item }) => item));
      if (outcomes.length !== batch.length)
        throw new Error(`${outcomes.length} outcomes for ${batch.length} items`);
      for (const [index, { resolve }] of batch.entries()) resolve(outcomes[index]!);
    } catch (error) {
      fail(batch, error);
    }
    onTheirWay -= 1;
    schedule();
  }

  function fail(batch: readonly Waiting<Item, Outcome>[], error: unknown): void {
    if (batch.length > 1 && isDataError(error)) {
      waiting.unshift(...batch);
      singly += batch.length;
      return;
    }
    for (const one of batch) one.reject(error);
    if (!endsAll(error)) return;
    singly = 0;
    for (const one of waiting.splice(0)) one.reject(error);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
