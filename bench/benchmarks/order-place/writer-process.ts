import { answerParent } from '../../harness/answer-parent.ts';
import { orderOf } from './scenario.ts';
import { type ShopName, shops } from './shops/index.ts';
import type { Shop } from './shops/shop.ts';

/** What a process of writers does for the benchmark. */
export type WriterMethods = typeof methods;

/** One process's part of a run. */
export interface WritersRun {
  /** The numbers of its writers. */
  readonly writers: readonly number[];
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

/** What one writer was told by the shop over the whole run, the warm-up included. */
export interface WriterTold {
  readonly writer: number;
  /** The numbers of those of his orders that were accepted. */
  readonly accepted: number[];
  outOfStock: number;
  overLimit: number;
}

/** What one process's writers were told. */
export interface WritersSample {
  readonly told: readonly WriterTold[];
  /** How long each order took that was accepted within the measured seconds. */
  readonly acceptedMs: Float64Array;
  /** And each that was refused. */
  readonly refusedMs: Float64Array;
}

let shop: Shop | undefined;

const methods = {
  found: async (name: ShopName, databaseUrl: string): Promise<void> => shops[name].found(databaseUrl),

  async open(name: ShopName, databaseUrl: string): Promise<void> {
    shop = await shops[name].open(databaseUrl);
  },

  async run({ writers, warmUpSeconds, seconds }: WritersRun): Promise<WritersSample> {
    const from = performance.now() + warmUpSeconds * 1000;
    const clock: Clock = { from, until: from + seconds * 1000, acceptedMs: [], refusedMs: [] };
    const told = await Promise.all(writers.map((writer) => write(writer, clock)));
    return {
      told,
      acceptedMs: Float64Array.from(clock.acceptedMs),
      refusedMs: Float64Array.from(clock.refusedMs),
    };
  },

  async close(): Promise<void> {
    await shop?.close();
    shop = undefined;
  },
};

interface Clock {
  readonly from: number;
  readonly until: number;
  readonly acceptedMs: number[];
  readonly refusedMs: number[];
}

/** One writer: place an order, wait for the answer, place the next. */
async function write(writer: number, { from, until, acceptedMs, refusedMs }: Clock): Promise<WriterTold> {
  if (!shop) throw new Error('no shop is open');
  const told: WriterTold = { writer, accepted: [], outOfStock: 0, overLimit: 0 };
  for (let count = 0; performance.now() < until; count += 1) {
    const order = orderOf(writer, count);
    const startedAt = performance.now();
    const answer = await shop.place(order);
    const now = performance.now();
    if (answer === 'accepted') told.accepted.push(count);
    else if (answer === 'out-of-stock') told.outOfStock += 1;
    else told.overLimit += 1;
    if (now >= from && now < until) (answer === 'accepted' ? acceptedMs : refusedMs).push(now - startedAt);
  }
  return told;
}

answerParent(methods);
