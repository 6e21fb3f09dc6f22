import { randomUUID } from 'node:crypto';
import type { EventToAppend } from './stores/store.ts';

/** Who writes what. */
export interface Workload {
  /** Over all processes. */
  readonly writers: number;
  readonly processes: 1 | 2;
  /** `spread`: each writer has streams of its own, 10,000 together; `hot`: all write to the same 10. */
  readonly streams: 'spread' | 'hot';
}

const spreadStreams = 10_000;
const hotStreams = 10;

/** Every combination that is measured. */
export const workloads: readonly Workload[] = [
  { writers: 1, processes: 1, streams: 'spread' },
  { writers: 64, processes: 1, streams: 'spread' },
  { writers: 256, processes: 1, streams: 'spread' },
  { writers: 1, processes: 1, streams: 'hot' },
  { writers: 64, processes: 1, streams: 'hot' },
  { writers: 256, processes: 1, streams: 'hot' },
  { writers: 64, processes: 2, streams: 'spread' },
  { writers: 256, processes: 2, streams: 'spread' },
  { writers: 64, processes: 2, streams: 'hot' },
  { writers: 256, processes: 2, streams: 'hot' },
];

/** Its name in ratios and figures, e.g. `64-writers-hot-2-processes`. */
export function nameOf({ writers, processes, streams }: Workload): string {
  return [
    writers === 1 ? '1-writer' : `${writers}-writers`,
    ...(streams === 'hot' ? ['hot'] : []),
    ...(processes === 1 ? [] : [`${processes}-processes`]),
  ].join('-');
}

/** The `count`th event of a writer: about 200 bytes of JSON. */
export function eventOf({ writers, streams }: Workload, writer: number, count: number): EventToAppend {
  const own = Math.ceil(spreadStreams / writers);
  const stream = streams === 'hot' ? `hot${(writer + count) % hotStreams}` : `w${writer}s${count % own}`;
  return {
    streamId: `Account-${stream}`,
    type: 'MoneyDeposited',
    data: {
      accountId: stream,
      amount: `${100 + (count % 900)}.00`,
      currency: 'EUR',
      depositedBy: `writer-${writer}`,
      reference: `deposit number ${count} of writer ${writer}`,
      note: 'a few words that a teller might have written down on this day',
    },
    commandId: randomUUID(),
  };
}
