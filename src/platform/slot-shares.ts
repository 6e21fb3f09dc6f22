/** Slots that several queues share: each has its own part of them, and may borrow what the others leave idle. */
export interface SlotShares {
  /** How many more jobs a queue may start now. */
  free(queue: number): number;
  take(queue: number): void;
  release(queue: number): void;
  /** Whether a queue that has just finished a job may start another in its place. */
  mayKeep(queue: number): boolean;
  /** From 0 (nothing is lent but to the first queue) to 1. */
  setLending(part: number): void;
}

/** Of all slots, so many are never lent to anybody but the first queue. */
const RESERVE = 0.2;

/**
 * A queue may always use its own slots, whatever the others do: so a borrower never keeps the owner waiting, and more
 * than `slots` may run for a moment while what was lent comes back. Idle slots are lent, the last fifth of all to the
 * first queue alone.
 *
 * @param shares of `slots`, most urgent queue first
 */
export function createSlotShares(slots: number, shares: readonly number[]): SlotShares {
  const own = shares.map((share) => Math.max(1, Math.floor(share * slots)));
  const running = shares.map(() => 0);
  let total = 0;
  let lending = 1;

  /** What is urgent may always borrow: lending less is for its sake. */
  const lendable = (queue: number): number =>
    Math.floor(queue === 0 ? slots : slots * (1 - RESERVE) * lending) - total;

  return {
    free: (queue) => Math.max(0, own[queue]! - running[queue]!, lendable(queue)),
    take(queue) {
      running[queue]! += 1;
      total += 1;
    },
    release(queue) {
      running[queue]! -= 1;
      total -= 1;
    },
    mayKeep: (queue) => running[queue]! <= own[queue]! || lendable(queue) >= 0,
    setLending(part) {
      lending = part;
    },
  };
}
