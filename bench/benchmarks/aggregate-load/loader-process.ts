import { answerParent } from '../../harness/answer-parent.ts';
import { type LoaderName, loaders } from './loaders/index.ts';
import type { Loader } from './loaders/loader.ts';
import { balanceOf, type Length, streams } from './streams.ts';

/** What a process that loads accounts does for the benchmark. */
export type LoaderMethods = typeof methods;

let loader: Loader | undefined;

const methods = {
  /** Opens a store and, in an empty one, writes every stream. */
  async open(name: LoaderName, databaseUrl: string, isEmpty: boolean): Promise<void> {
    loader = await loaders[name](databaseUrl);
    if (!isEmpty) return;
    for (const stream of [...streams.long, ...streams.short]) await loader.fill(stream);
  },

  /** Loads one after the other for so long; answers how long each took. @throws where a balance is wrong */
  async run(length: Length, seconds: number): Promise<Float64Array> {
    if (!loader) throw new Error('no store is open');
    const tookMs: number[] = [];
    const until = performance.now() + seconds * 1000;
    const expected = streams[length].map((stream) => ({ stream, balance: balanceOf(stream) }));
    while (performance.now() < until) {
      for (const { stream, balance } of expected) {
        const startedAt = performance.now();
        const loaded = await loader.load(stream);
        tookMs.push(performance.now() - startedAt);
        if (loaded !== balance)
          throw new Error(`${stream.accountId} was loaded with ${loaded}, not ${balance}`);
      }
    }
    return Float64Array.from(tookMs);
  },

  async close(): Promise<void> {
    await loader?.close();
    loader = undefined;
  },
};

answerParent(methods);
