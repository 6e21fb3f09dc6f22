import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../../platform/clock.js';
import { upTo } from '../../platform/lru-bounds.js';
import type { Gate, GateReading, GateRequest, Verdict } from './gate.js';
import { OPERATION_ENDPOINT, SIGN_IN_ENDPOINT } from './passage.js';

const KEPT_CALLERS = 10_000;
const SPELL_MS = 1_000;
/** Work that was done for a refusal, and that nobody is charged for. */
const REFUSALS_BORNE = 5;

/** A second that begins with a refusal. */
interface Spell {
  readonly endsAt: number;
  refusals: number;
}

/** The gate's own rules, told as any other rule that refuses. */
const OPERATIONS = ownTier('refused_operations');
const SIGN_INS = ownTier('refused_sign_ins');

/**
 * A gate that spares the process the work of what is refused after it: an operation has been read by then, and perhaps
 * prepared; wrong credentials have been looked up. Of a caller who had more than five operations refused within a
 * second, `foresee` refuses whatever else they send to GraphQL until that second is over; of a network with more than
 * five refused guesses, every other guess. What is refused here may be nothing that the refusing rules hold for, so it
 * is refused by a rule of this gate's own, and may be tried again when the second is over.
 *
 * Charges nothing by itself. 10,000 callers, by user, else by network, and networks of guesses are remembered.
 *
 * @param monotonic milliseconds
 * @param clock for resets
 */
export function createSparingGate(
  gate: Gate,
  monotonic: () => number = () => performance.now(),
  clock: Clock = systemClock,
): Gate {
  const spells = new LRUCache<string, Spell>(upTo(KEPT_CALLERS));
  return {
    foresee(request) {
      const verdict = gate.foresee(request);
      // A sign-in alone is foreseen before anything is looked up.
      if (verdict && !isSignInAlone(request)) noteGuess(request, verdict);
      if (verdict?.outcome === 'REJECT') return verdict;
      const spared = sparedOf(request);
      if (!spared) return verdict;
      gate.refusedAlike(request, spared);
      return spared;
    },
    async decide(request, waiter) {
      const verdict = await gate.decide(request, waiter);
      noteGuess(request, verdict);
      // What is refused for want of counters is refused by its own rule: the caller's other operations may go on.
      const isOverALimit = verdict.outcome === 'REJECT' && verdict.decidedBy !== 'unreachable';
      if (isOverALimit && request.queryCost !== null) note(callerOf(request));
      return verdict;
    },
    refusedAlike: (request, verdict) => gate.refusedAlike(request, verdict),
    refund: (verdict) => gate.refund(verdict),
    settle: (verdict, actualCost) => gate.settle(verdict, actualCost),
  };

  function sparedOf(request: GateRequest): Verdict | undefined {
    if (spells.size === 0) return undefined;
    if (request.endpoints.has(OPERATION_ENDPOINT)) return refusalTo(callerOf(request), OPERATIONS);
    return isSignInAlone(request) ? refusalTo(guesserOf(request), SIGN_INS) : undefined;
  }

  function refusalTo(whom: string, tier: GateReading['tier']): Verdict | undefined {
    const spell = spells.get(whom);
    const leftMs = (spell?.endsAt ?? 0) - monotonic();
    if (!spell || spell.refusals <= REFUSALS_BORNE || leftMs <= 0) return undefined;
    return refusedBy({ tier, remaining: 0, resetAt: clock.now() + leftMs }, leftMs);
  }

  /** A guess whose arrival is refused is charged to nobody, `login` included: and was looked up all the same. */
  function noteGuess(request: GateRequest, verdict: Verdict): void {
    if (verdict.outcome === 'REJECT' && isGuess(request)) note(guesserOf(request));
  }

  function note(whom: string): void {
    const now = monotonic();
    const spell = spells.get(whom);
    if (!spell || now >= spell.endsAt) {
      spells.set(whom, { endsAt: now + SPELL_MS, refusals: 1 });
      return;
    }
    spell.refusals += 1;
  }
}

function ownTier(rule: string): GateReading['tier'] {
  const windowSeconds = SPELL_MS / 1_000;
  return {
    rule,
    name: 'per_second',
    level: 'user',
    counts: 'requests',
    shadow: false,
    limit: REFUSALS_BORNE,
    windowSeconds,
    perWindow: REFUSALS_BORNE,
  };
}

const refusedBy = (decisive: GateReading, retryAfterMs: number): Verdict => ({
  outcome: 'REJECT',
  readings: [],
  decisive,
  retryAfterMs,
  impossible: false,
  budget: null,
  decidedBy: 'memory',
  receipt: null,
});

const isGuess = ({ endpoints }: GateRequest): boolean => endpoints.has(SIGN_IN_ENDPOINT);
const isSignInAlone = (request: GateRequest): boolean => request.endpoints.size === 1 && isGuess(request);
const guesserOf = ({ caller }: GateRequest): string => `guesses from ${caller.network}`;
const callerOf = ({ caller: { userId, network } }: GateRequest): string =>
  userId === null ? `n:${network}` : `u:${userId}`;
