import type { CounterReading, CounterUse } from './counters/store.js';
import { waitBehindHead } from './line-pace.js';

/** Places in the line of one counter, in all lines of this process, and of one owner in a line that owners share. */
const MOST_IN_LINE = 100;
const MOST_IN_ALL = 1_000;
const MOST_OF_ONE_OWNER = 10;

/** Milliseconds that a request may wait, all its lines together. */
export const LONGEST_WAIT_MS = 10_000;

/** A line as somebody finds it who comes anew. */
export interface Standing {
  /** What the store last said to those in line. */
  readonly reading: CounterReading;
  /** Milliseconds until a place at its end would come up, at the earliest. */
  readonly waitMs: number;
}

/** A place in the line of one counter. */
export interface Place {
  readonly key: string;
  /**
   * Waits for the head of the line, and there until the store may admit.
   *
   * @returns false when the wait would not end in time, or the signal aborted: the place is lost
   */
  turn(): Promise<boolean>;
  /** The store refused the head: it keeps its place, and its next turn comes when this reading says. */
  again(reading: CounterReading): void;
  /** Gives the place up; the next moves up. May be called more than once. */
  leave(): void;
}

/** Lines of requests that wait for their counters: first come, first served, within this process. */
export interface Throttle {
  /** The line of a counter, where there is one: whoever comes anew with this use must queue behind it. */
  standing(use: CounterUse): Standing | undefined;
  /**
   * Takes the last place in a counter's line.
   *
   * @param owner who waits: one owner has 10 places in a line that others share
   * @param wait `refused`: what the store just said; absent where only the line stands in the way
   * @returns undefined where the line or the process is full, or the place cannot come up by `deadline`
   */
  join(
    use: CounterUse,
    owner: string,
    wait: { refused?: CounterReading; deadline: number; signal?: AbortSignal },
  ): Place | undefined;
  /** How many wait, in all lines. */
  waiting(): number;
}

interface Line {
  readonly waiters: Waiter[];
  reading: CounterReading;
  /** Until when the store said to wait, to whomever it was. */
  refusedUntil: number;
}

interface Waiter {
  readonly use: CounterUse;
  readonly owner: string;
  notBefore: number;
  readonly deadline: number;
  /** Present while the waiter waits for its turn; not while it tries. */
  answer: ((isTurn: boolean) => void) | null;
  timer: NodeJS.Timeout | undefined;
}

/** @param monotonic milliseconds; deadlines are told by it */
export function createThrottle(monotonic: () => number): Throttle {
  const lines = new Map<string, Line>();
  let waiting = 0;

  function refuse(line: Line, waiter: Waiter, reading: CounterReading): void {
    waiter.notBefore = monotonic() + reading.retryAfterMs;
    line.reading = reading;
    line.refusedUntil = waiter.notBefore;
  }

  /** When a place at the end comes up, at the earliest. */
  function endOf({ waiters, refusedUntil }: Line, { tier, charge }: CounterUse): number {
    const head = waiters[0]?.use.charge ?? 0;
    const behind = waiters.reduce((sum, { use }) => sum + use.charge, charge) - head;
    return Math.max(monotonic(), refusedUntil) + waitBehindHead(tier, head, behind);
  }

  const isFull = ({ waiters }: Line, { tier }: CounterUse, owner: string): boolean =>
    waiters.length >= MOST_IN_LINE ||
    (tier.scope === 'global' &&
      waiters.filter((waiter) => waiter.owner === owner).length >= MOST_OF_ONE_OWNER);

  /** Lets the head go when its time comes, or sends it away if that is too late. */
  function moveUp(line: Line): void {
    const head = line.waiters[0];
    if (!head?.answer) return;
    clearTimeout(head.timer);
    const waitMs = head.notBefore - monotonic();
    if (waitMs <= 0) answer(head, true);
    else if (head.notBefore > head.deadline) answer(head, false);
    else head.timer = setTimeout(() => answer(head, true), Math.ceil(waitMs));
  }

  function answer(waiter: Waiter, isTurn: boolean): void {
    clearTimeout(waiter.timer);
    const tell = waiter.answer;
    waiter.answer = null;
    tell?.(isTurn);
  }

  function placeOf(line: Line, waiter: Waiter, signal: AbortSignal | undefined): Place {
    const { key } = waiter.use;
    const giveUp = (): void => {
      if (!waiter.answer) return;
      place.leave();
      answer(waiter, false);
    };
    const place: Place = {
      key,
      async turn() {
        if (signal?.aborted) {
          place.leave();
          return false;
        }
        const { promise, resolve } = Promise.withResolvers<boolean>();
        waiter.answer = resolve;
        if (line.waiters[0] === waiter) moveUp(line);
        else waiter.timer = setTimeout(giveUp, waiter.deadline - monotonic());
        const isTurn = await promise;
        if (!isTurn) place.leave();
        return isTurn;
      },
      again: (reading) => refuse(line, waiter, reading),
      leave() {
        const index = line.waiters.indexOf(waiter);
        if (index === -1) return;
        signal?.removeEventListener('abort', giveUp);
        line.waiters.splice(index, 1);
        waiting -= 1;
        if (line.waiters.length === 0) lines.delete(key);
        else if (index === 0) moveUp(line);
      },
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    return place;
  }

  return {
    standing(use) {
      const line = lines.get(use.key);
      return line && { reading: line.reading, waitMs: endOf(line, use) - monotonic() };
    },

    join(use, owner, { refused, deadline, signal }) {
      const now = monotonic();
      const standing = lines.get(use.key);
      const line = standing ?? (refused && { waiters: [], reading: refused, refusedUntil: now });
      if (!line || isFull(line, use, owner) || waiting >= MOST_IN_ALL || signal?.aborted) return undefined;
      const soonest = now + (refused?.retryAfterMs ?? 0);
      if (Math.max(soonest, standing ? endOf(standing, use) : 0) > deadline) return undefined;
      const waiter: Waiter = { use, owner, notBefore: now, deadline, answer: null, timer: undefined };
      if (refused) refuse(line, waiter, refused);
      line.waiters.push(waiter);
      lines.set(use.key, line);
      waiting += 1;
      return placeOf(line, waiter, signal);
    },

    waiting: () => waiting,
  };
}
