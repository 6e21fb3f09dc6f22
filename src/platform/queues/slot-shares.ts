/** Of all slots, so many are never lent to anybody but the first queue. */
const RESERVE = 0.2;

/**
 * Slots that several queues share: each has its own part of them, and may borrow what the others leave idle.
 *
 * A queue may always use its own slots, whatever the others do: so a borrower never keeps the owner waiting, and more
 * than `slots` may run for a moment while what was lent comes back. Idle slots are lent, the last fifth of all to the
 * first queue alone.
 *
 * @param shares of `slots`, most urgent queue first
 */
export function createSlotShares(slots: number, shares: readonly number[]) {
  const own = shares.map((share) => Math.max(1, Math.floor(share * slots)));
  const running = shares.map(() => 0);
  let total = 0;
  let lending = 1;

  /** What is urgent may always borrow: lending less is for its sake. */
  const lendable = (queue: number): number =>
    Math.floor(queue === 0 ? slots : slots * (1 - RESERVE) * lending) - total;

  return {
    /** How many more parts of jobs a queue may start now. */
    free: (queue: number): number => Math.max(0, own[queue]! - running[queue]!, lendable(queue)),
    take(queue: number): void {
      running[queue]! += 1;
      total += 1;
    },
    release(queue: number): void {
      running[queue]! -= 1;
      total -= 1;
    },
    /** @param part from 0 (nothing is lent but to the first queue) to 1 */
    setLending(part: number): void {
      lending = part;
    },
  };
}
