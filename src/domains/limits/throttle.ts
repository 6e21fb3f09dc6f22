import { type CounterReading, type CounterUse, counterOf } from './counters/store.js';
import { waitBehindHead } from './queue-pace.js';

/** Requests in the queue of one counter, in all queues of this process, and of one owner in a queue that owners share. */
const MOST_IN_QUEUE = 100;
const MOST_IN_ALL = 1_000;
const MOST_OF_ONE_OWNER = 10;

/** Milliseconds that a request may wait, in all queues together. */
export const LONGEST_WAIT_MS = 10_000;

/** The state of a queue for a request that would join it. */
export interface QueueState {
  /** The store's last reading for the requests in it. */
  readonly reading: CounterReading;
  /** Milliseconds until the turn of a request that joins now, at the earliest. */
  readonly waitMs: number;
}

/** A request's position in the queue of one counter. */
export interface QueuePosition {
  readonly counter: string;
  /**
   * Waits for the head of the queue, and there until the store may admit.
   *
   * @returns false when the wait would not end in time, or the signal aborted: the position is given up
   */
  turn(): Promise<boolean>;
  /** The store refused the head: it keeps its position, and its next turn comes when this reading says. */
  again(reading: CounterReading): void;
  /** Gives the position up; the next request moves up. May be called more than once. */
  leave(): void;
}

export type Throttle = ReturnType<typeof createThrottle>;

interface Queue {
  readonly requests: QueuedRequest[];
  reading: CounterReading;
  /** Until when the store's last reading said to wait. */
  refusedUntil: number;
}

interface QueuedRequest {
  readonly use: CounterUse;
  readonly owner: string;
  notBefore: number;
  readonly deadline: number;
  /** Ends the wait; null while the request asks the store. */
  answer: ((isTurn: boolean) => void) | null;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Queues of requests that wait for their counters: first in, first out, within this process.
 *
 * @param monotonic milliseconds; deadlines are by it
 */
export function createThrottle(monotonic: () => number) {
  const queues = new Map<string, Queue>();
  let waiting = 0;

  function refuse(queue: Queue, request: QueuedRequest, reading: CounterReading): void {
    request.notBefore = monotonic() + reading.retryAfterMs;
    queue.reading = reading;
    queue.refusedUntil = request.notBefore;
  }

  /** When the turn of a request that joins now comes, at the earliest. */
  function endOf({ requests, refusedUntil }: Queue, { tier, charge }: CounterUse): number {
    const head = requests[0]?.use.charge ?? 0;
    const behind = requests.reduce((sum, { use }) => sum + use.charge, charge) - head;
    return Math.max(monotonic(), refusedUntil) + waitBehindHead(tier, head, behind);
  }

  const isFull = ({ requests }: Queue, { tier }: CounterUse, owner: string): boolean =>
    requests.length >= MOST_IN_QUEUE ||
    (tier.scope === 'global' &&
      requests.filter((request) => request.owner === owner).length >= MOST_OF_ONE_OWNER);

  /** Ends the head's wait when its time comes, or at once if that is after its deadline. */
  function moveUp(queue: Queue): void {
    const head = queue.requests[0];
    if (!head?.answer) return;
    clearTimeout(head.timer);
    const waitMs = head.notBefore - monotonic();
    if (waitMs <= 0) answer(head, true);
    else if (head.notBefore > head.deadline) answer(head, false);
    else head.timer = setTimeout(() => answer(head, true), Math.ceil(waitMs));
  }

  function answer(request: QueuedRequest, isTurn: boolean): void {
    clearTimeout(request.timer);
    const endWait = request.answer;
    request.answer = null;
    endWait?.(isTurn);
  }

  function positionOf(queue: Queue, request: QueuedRequest, signal: AbortSignal | undefined): QueuePosition {
    const counter = counterOf(request.use);
    const giveUp = (): void => {
      if (!request.answer) return;
      position.leave();
      answer(request, false);
    };
    const position: QueuePosition = {
      counter,
      async turn() {
        if (signal?.aborted) {
          position.leave();
          return false;
        }
        const { promise, resolve } = Promise.withResolvers<boolean>();
        request.answer = resolve;
        if (queue.requests[0] === request) moveUp(queue);
        else request.timer = setTimeout(giveUp, request.deadline - monotonic());
        const isTurn = await promise;
        if (!isTurn) position.leave();
        return isTurn;
      },
      again: (reading) => refuse(queue, request, reading),
      leave() {
        const index = queue.requests.indexOf(request);
        if (index === -1) return;
        signal?.removeEventListener('abort', giveUp);
        queue.requests.splice(index, 1);
        waiting -= 1;
        if (queue.requests.length === 0) queues.delete(counter);
        else if (index === 0) moveUp(queue);
      },
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    return position;
  }

  return {
    /** The queue of a counter, where there is one: a new request with this use must join it. */
    stateOf(use: CounterUse): QueueState | undefined {
      const queue = queues.get(counterOf(use));
      return queue && { reading: queue.reading, waitMs: endOf(queue, use) - monotonic() };
    },

    /**
     * Joins a counter's queue at its end.
     *
     * @param owner whose request waits: one owner has 10 positions in a queue that others share
     * @param wait `refused`: the store's reading of now; absent where the request waits only because others do
     * @returns undefined where the queue or the process is full, or the turn cannot come by `deadline`
     */
    join(
      use: CounterUse,
      owner: string,
      wait: { refused?: CounterReading; deadline: number; signal?: AbortSignal },
    ): QueuePosition | undefined {
      const { refused, deadline, signal } = wait;
      const now = monotonic();
      const counter = counterOf(use);
      const existing = queues.get(counter);
      const queue = existing ?? (refused && { requests: [], reading: refused, refusedUntil: now });
      if (!queue || isFull(queue, use, owner) || waiting >= MOST_IN_ALL || signal?.aborted) return undefined;
      const soonest = now + (refused?.retryAfterMs ?? 0);
      if (Math.max(soonest, existing ? endOf(existing, use) : 0) > deadline) return undefined;
      const request: QueuedRequest = { use, owner, notBefore: now, deadline, answer: null, timer: undefined };
      if (refused) refuse(queue, request, refused);
      queue.requests.push(request);
      queues.set(counter, queue);
      waiting += 1;
      return positionOf(queue, request, signal);
    },

    /** How many requests wait, in all queues. */
    waiting: () => waiting,
  };
}
