import { LRUCache } from 'lru-cache';
import type { Gate, GateRequest, Verdict } from './gate.js';
import { OPERATION_ENDPOINT, SIGN_IN_ENDPOINT } from './passage.js';

const KEPT_CALLERS = 10_000;
const SPELL_MS = 1_000;
/** Work that was done for a refusal, and that nobody is charged for. */
const REFUSALS_BORNE = 5;

/** A second that begins with a refusal. */
interface Spell {
  readonly endsAt: number;
  refusals: number;
  last: Verdict;
}

/**
 * A gate that spares the process the work of what is refused after it: an operation has been read by then, and perhaps
 * prepared; wrong credentials have been looked up. Of a caller who had more than five operations refused within a
 * second, `foresee` refuses whatever else he sends to GraphQL until that second is over, as the last one was; of a
 * network with more than five refused guesses, every other guess.
 *
 * Charges nothing by itself. 10,000 callers, by user, else by network, and networks of guesses are remembered.
 *
 * @param monotonic milliseconds
 */
export function createSparingGate(gate: Gate, monotonic: () => number = () => performance.now()): Gate {
  const spells = new LRUCache<string, Spell>({ max: KEPT_CALLERS });
  return {
    foresee(request) {
      const spared = refusedLike(request);
      if (spared) {
        gate.refusedAlike(request, spared);
        return spared;
      }
      const verdict = gate.foresee(request);
      // A sign-in alone is foreseen before anything is looked up.
      if (verdict && !isSignInAlone(request)) noteGuess(request, verdict);
      return verdict;
    },
    async decide(request, waiter) {
      const verdict = await gate.decide(request, waiter);
      noteGuess(request, verdict);
      // What is refused for want of counters is refused by its own rule: the caller's other operations may go on.
      const isOverALimit = verdict.outcome === 'REJECT' && verdict.decidedBy !== 'unreachable';
      if (isOverALimit && request.queryCost !== null) note(callerOf(request), verdict);
      return verdict;
    },
    refusedAlike: (request, verdict) => gate.refusedAlike(request, verdict),
    refund: (verdict) => gate.refund(verdict),
    settle: (verdict, actualCost) => gate.settle(verdict, actualCost),
  };

  function refusedLike(request: GateRequest): Verdict | undefined {
    if (spells.size === 0) return undefined;
    const { endpoints } = request;
    if (endpoints.has(OPERATION_ENDPOINT)) return refusedTo(callerOf(request));
    return isSignInAlone(request) ? refusedTo(guesserOf(request)) : undefined;
  }

  function refusedTo(whom: string): Verdict | undefined {
    const spell = spells.get(whom);
    const leftMs = (spell?.endsAt ?? 0) - monotonic();
    if (!spell || spell.refusals <= REFUSALS_BORNE || leftMs <= 0) return undefined;
    // What was too large for ever says nothing of what comes now.
    return spell.last.impossible ? { ...spell.last, impossible: false, retryAfterMs: leftMs } : spell.last;
  }

  /** A guess whose arrival is refused is charged to nobody, `login` included: and was looked up all the same. */
  function noteGuess(request: GateRequest, verdict: Verdict): void {
    if (verdict.outcome === 'REJECT' && isGuess(request)) note(guesserOf(request), verdict);
  }

  function note(whom: string, verdict: Verdict): void {
    const now = monotonic();
    const spell = spells.get(whom);
    if (!spell || now >= spell.endsAt) {
      spells.set(whom, { endsAt: now + SPELL_MS, refusals: 1, last: verdict });
      return;
    }
    spell.refusals += 1;
    spell.last = verdict;
  }
}

const isGuess = ({ endpoints }: GateRequest): boolean => endpoints.has(SIGN_IN_ENDPOINT);
const isSignInAlone = (request: GateRequest): boolean => request.endpoints.size === 1 && isGuess(request);
const guesserOf = ({ caller }: GateRequest): string => `guesses from ${caller.network}`;
const callerOf = ({ caller: { userId, network } }: GateRequest): string =>
  userId === null ? `n:${network}` : `u:${userId}`;
