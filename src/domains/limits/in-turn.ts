import type { CounterReading, CounterUse } from './counters/store.js';
import { decideRemembered } from './decide.js';
import { LONGEST_WAIT_MS, type Place, type Throttle } from './throttle.js';
import type { Decision, Tier } from './types.js';

/** What one try led to. */
export interface Attempt {
  readonly decision: Decision;
  /** Who must be waited for: a counter that throttles. Null where the decision stands. */
  readonly throttled: {
    readonly use: CounterUse;
    /** What the store said; null where only the line stands in the way. */
    readonly refused: CounterReading | null;
  } | null;
}

/** What requests that may have to wait stand on. */
interface Waits {
  readonly throttle: Throttle;
  readonly monotonic: () => number;
  readonly onWait: (tier: Tier) => void;
}

/**
 * Tries until the decision stands. Where a counter that throttles refuses, or has a line already, waits in its line
 * and tries again at its head: 10 s at most, all lines together. A request with no place left, no time left, or whose
 * signal aborted gets the refusal as it stands, which is told the wait of the line's end.
 *
 * @param owner who waits
 * @param waiter aborts when whoever waits has left; asked only where somebody waits
 */
export async function decideInTurn(
  { throttle, monotonic, onWait }: Waits,
  uses: readonly CounterUse[],
  owner: string,
  ask: () => Promise<Attempt>,
  waiter: (() => AbortSignal) | undefined,
): Promise<Attempt> {
  const deadline = monotonic() + LONGEST_WAIT_MS;
  let place: Place | undefined;
  let attempt = behindLine(uses, throttle) ?? (await ask());
  try {
    while (attempt.throttled) {
      const { use, refused } = attempt.throttled;
      if (refused && place?.key === use.key) {
        place.again(refused);
      } else {
        place?.leave();
        place = throttle.join(use, owner, {
          deadline,
          ...(refused && { refused }),
          ...(waiter && { signal: waiter() }),
        });
        if (!place) return refusalNow(use, throttle) ?? attempt;
        onWait(use.tier);
      }
      if (!(await place.turn())) return refusalNow(use, throttle) ?? attempt;
      attempt = await ask();
    }
    return attempt;
  } finally {
    place?.leave();
  }
}

/** Whether requests may have to wait for a tier; only watching ones hold nobody back. */
export const makesWait = ({ tier }: CounterUse): boolean => tier.action === 'throttle' && !tier.shadow;

/** Whoever comes anew queues behind the line, even where the store would admit them now. */
function behindLine(uses: readonly CounterUse[], throttle: Throttle): Attempt | undefined {
  for (const use of uses) {
    const refusal = makesWait(use) && refusalNow(use, throttle);
    if (refusal) return { ...refusal, throttled: { use, refused: null } };
  }
  return undefined;
}

function refusalNow(use: CounterUse, throttle: Throttle): Attempt | undefined {
  const line = throttle.standing(use);
  if (!line) return undefined;
  const decision = decideRemembered(use.tier, line.reading, Math.ceil(line.waitMs));
  return { decision, throttled: null };
}
