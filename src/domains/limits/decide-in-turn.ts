import type { RateLimitDecision, Tier, TierReading } from '../../platform/gate.js';
import { type CounterReading, type CounterUse, counterOf } from './counters/store.js';
import { decideCancelled, decideFromMemory } from './decide.js';
import { LONGEST_WAIT_MS, type QueuePosition, type Throttle } from './throttle.js';

/** What one attempt to charge led to. */
export interface Attempt {
  readonly decision: RateLimitDecision;
  /** The throttling counter whose queue the request has to join. Null where the decision is final. */
  readonly throttled: {
    readonly use: CounterUse;
    /** The store's reading; null where the request waits only because others do. */
    readonly refused: CounterReading | null;
  } | null;
}

interface Queues {
  readonly throttle: Throttle;
  readonly monotonic: () => number;
  readonly onWait: (tier: Tier) => void;
  readonly refund: (decision: RateLimitDecision) => void;
}

/**
 * Attempts to charge until the decision is final. Where a counter that throttles refuses, or has a queue already, waits in
 * its queue and attempts again at its head: 10 s at most, all queues together. A request that finds the queue full, or no
 * time left, gets the refusal, with the wait of the queue's end. One whose client has left meanwhile is CANCELLED,
 * whatever its last attempt led to, which is refunded.
 *
 * @param leaving aborts when the client has left; called only where the request waits
 */
export async function decideInTurn(
  queues: Queues,
  uses: readonly CounterUse[],
  { owner, leaving }: { owner: string; leaving: (() => AbortSignal) | undefined },
  charge: () => Promise<Attempt>,
): Promise<RateLimitDecision> {
  const wait: { left: AbortSignal | undefined; for: TierReading | null } = { left: undefined, for: null };
  const { decision } = await attemptUntilFinal(queues, uses, owner, charge, (refusal) => {
    wait.for = refusal.decisive;
    wait.left ??= leaving?.();
    return wait.left;
  });
  if (!wait.left?.aborted) return decision;
  queues.refund(decision);
  return decideCancelled(wait.for);
}

/** @param onThrottled gets each refusal that has to be waited for; returns what ends the wait */
async function attemptUntilFinal(
  { throttle, monotonic, onWait }: Queues,
  uses: readonly CounterUse[],
  owner: string,
  charge: () => Promise<Attempt>,
  onThrottled: (refusal: RateLimitDecision) => AbortSignal | undefined,
): Promise<Attempt> {
  const deadline = monotonic() + LONGEST_WAIT_MS;
  let position: QueuePosition | undefined;
  let attempt = behindQueue(uses, throttle) ?? (await charge());
  try {
    while (attempt.throttled) {
      const { use, refused } = attempt.throttled;
      const signal = onThrottled(attempt.decision);
      if (refused && position?.counter === counterOf(use)) {
        position.again(refused);
      } else {
        position?.leave();
        position = throttle.join(use, owner, {
          deadline,
          ...(refused && { refused }),
          ...(signal && { signal }),
        });
        if (!position) return refusalNow(use, throttle) ?? attempt;
        onWait(use.tier);
      }
      if (!(await position.turn())) return refusalNow(use, throttle) ?? attempt;
      attempt = await charge();
    }
    return attempt;
  } finally {
    position?.leave();
  }
}

/** Whether requests may have to wait for a tier; shadow tiers make nobody wait. */
export const makesWait = ({ tier }: CounterUse): boolean => tier.action === 'throttle' && !tier.shadow;

/** A new request joins the queue even where the store would admit it now. */
function behindQueue(uses: readonly CounterUse[], throttle: Throttle): Attempt | undefined {
  for (const use of uses) {
    const refusal = makesWait(use) && refusalNow(use, throttle);
    if (refusal) return { ...refusal, throttled: { use, refused: null } };
  }
  return undefined;
}

function refusalNow(use: CounterUse, throttle: Throttle): Attempt | undefined {
  const queue = throttle.stateOf(use);
  if (!queue) return undefined;
  const decision = decideFromMemory(use.tier, queue.reading, Math.ceil(queue.waitMs));
  return { decision, throttled: null };
}
