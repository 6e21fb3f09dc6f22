import type { CounterReading, CounterUse } from './counters/store.js';
import { decideCancelled, decideRemembered } from './decide.js';
import { LONGEST_WAIT_MS, type Place, type Throttle } from './throttle.js';
import type { Decision, Tier, TierReading } from './types.js';

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
  readonly refund: (decision: Decision) => void;
}

/** Somebody who may have to wait. */
interface Waiter {
  readonly owner: string;
  /** Aborts when the client has left; asked only where somebody waits. */
  readonly signal: (() => AbortSignal) | undefined;
}

/**
 * Tries until the decision stands. Where a counter that throttles refuses, or has a line already, waits in its line
 * and tries again at its head: 10 s at most, all lines together. A request with no place left or no time left gets the
 * refusal as it stands, which is told the wait of the line's end. One whose client has left meanwhile is CANCELLED,
 * whatever became of its last try, which is refunded.
 */
export async function decideInTurn(
  waits: Waits,
  uses: readonly CounterUse[],
  { owner, signal }: Waiter,
  ask: () => Promise<Attempt>,
): Promise<Decision> {
  const wait: { gone: AbortSignal | undefined; for: TierReading | null } = { gone: undefined, for: null };
  const { decision } = await settle(waits, uses, owner, ask, (refusal) => {
    wait.for = refusal.decisive;
    wait.gone ??= signal?.();
    return wait.gone;
  });
  if (!wait.gone?.aborted) return decision;
  waits.refund(decision);
  return decideCancelled(wait.for);
}

/** @param onThrottled hears of each refusal that must be waited for; returns what ends the wait */
async function settle(
  { throttle, monotonic, onWait }: Waits,
  uses: readonly CounterUse[],
  owner: string,
  ask: () => Promise<Attempt>,
  onThrottled: (refusal: Decision) => AbortSignal | undefined,
): Promise<Attempt> {
  const deadline = monotonic() + LONGEST_WAIT_MS;
  let place: Place | undefined;
  let attempt = behindLine(uses, throttle) ?? (await ask());
  try {
    while (attempt.throttled) {
      const { use, refused } = attempt.throttled;
      const signal = onThrottled(attempt.decision);
      if (refused && place?.key === use.key) {
        place.again(refused);
      } else {
        place?.leave();
        place = throttle.join(use, owner, {
          deadline,
          ...(refused && { refused }),
          ...(signal && { signal }),
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
