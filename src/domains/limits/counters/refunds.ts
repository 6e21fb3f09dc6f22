import type { Receipt, ReceiptEntry } from '../../../platform/gate.js';
import { encodeRefund } from './encoding.js';
import type { GuardedRedis } from './guarded-redis.js';
import { scripts } from './scripts.js';
import { counterOf } from './store.js';

/** Long enough to sum up the refunds of many requests, short against any window. */
const GATHER_MS = 5;
const REFUNDS_A_CALL = 256;

export type Refunds = ReturnType<typeof createRefunds>;

/**
 * Refunds charges. A store that is away loses refunds: that over-charges one window.
 *
 * @param slotOf refunds of one slot may travel in one call
 */
export function createRefunds(deps: {
  redis: GuardedRedis;
  time: () => number | '';
  slotOf: (entry: ReceiptEntry) => string;
}) {
  const { redis, time, slotOf } = deps;
  let gathered = new Map<string, Map<ReceiptEntry['mark'], ReceiptEntry>>();
  let timer: NodeJS.Timeout | undefined;

  /** Soon, summed up by counter. */
  function add(receipt: Receipt): void {
    for (const entry of receipt) {
      const counter = counterOf(entry);
      const marks = gathered.get(counter) ?? new Map<ReceiptEntry['mark'], ReceiptEntry>();
      gathered.set(counter, marks);
      const sum = (marks.get(entry.mark)?.charge ?? 0) + entry.charge;
      marks.set(entry.mark, { ...entry, charge: sum });
    }
    if (gathered.size > 0) timer ??= setTimeout(() => void flush(), GATHER_MS);
  }

  /** Sends what is gathered; resolves when it is done or lost. Never rejects. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const entries = [...gathered.values()].flatMap((marks) => [...marks.values()]);
    gathered = new Map();
    await send(entries);
  }

  /** Now; resolves when it is done or lost. Never rejects. */
  async function send(entries: Receipt): Promise<void> {
    const calls: Promise<unknown>[] = [];
    for (const ofSlot of Map.groupBy(entries, slotOf).values())
      for (let from = 0; from < ofSlot.length; from += REFUNDS_A_CALL)
        calls.push(call(ofSlot.slice(from, from + REFUNDS_A_CALL)));
    await Promise.allSettled(calls);
  }

  async function call(entries: Receipt): Promise<void> {
    const args: (string | number)[] = [time()];
    for (const { tier, charge, mark } of entries) args.push(encodeRefund(tier, charge), mark);
    await redis.run(
      scripts.refund,
      entries.map((entry) => entry.key),
      args,
    );
  }

  return { add, send, flush };
}
