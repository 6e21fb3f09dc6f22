import { LRUCache } from 'lru-cache';
import type { Gate, GateCaller, GateRequest, Verdict } from './gate.js';
import { OPERATION_ENDPOINT } from './passage.js';

const KEPT_CALLERS = 10_000;
const SPELL_MS = 1_000;
/** An operation that is refused has been read by then, and perhaps prepared: work that nobody is charged for. */
const REFUSALS_BORNE = 5;

/** A second that begins with a refused operation. */
interface Spell {
  readonly endsAt: number;
  refusals: number;
  last: Verdict;
}

/**
 * A gate that spares the process the work of operations that are refused: of a caller who had more than five refused
 * within a second, `foresee` refuses whatever else he sends to GraphQL until that second is over, as the last one was.
 * Charges nothing by itself. 10,000 callers are remembered, by user, else by network.
 *
 * @param monotonic milliseconds
 */
export function createSparingGate(gate: Gate, monotonic: () => number = () => performance.now()): Gate {
  const spells = new LRUCache<string, Spell>({ max: KEPT_CALLERS });
  return {
    foresee: (request) => refusedLike(request) ?? gate.foresee(request),
    async decide(request, waiter) {
      const verdict = await gate.decide(request, waiter);
      // What is refused for want of counters is refused by its own rule: the caller's other operations may go on.
      const isOverALimit = verdict.outcome === 'REJECT' && verdict.decidedBy !== 'unreachable';
      if (isOverALimit && request.queryCost !== null) note(request.caller, verdict);
      return verdict;
    },
    refund: (verdict) => gate.refund(verdict),
    settle: (verdict, actualCost) => gate.settle(verdict, actualCost),
  };

  function refusedLike({ caller, endpoints }: GateRequest): Verdict | undefined {
    if (spells.size === 0 || !endpoints.has(OPERATION_ENDPOINT)) return undefined;
    const spell = spells.get(keyOf(caller));
    if (!spell || spell.refusals <= REFUSALS_BORNE || monotonic() >= spell.endsAt) return undefined;
    return spell.last;
  }

  function note(caller: GateCaller, verdict: Verdict): void {
    const key = keyOf(caller);
    const now = monotonic();
    const spell = spells.get(key);
    if (!spell || now >= spell.endsAt) {
      spells.set(key, { endsAt: now + SPELL_MS, refusals: 1, last: verdict });
      return;
    }
    spell.refusals += 1;
    spell.last = verdict;
  }
}

const keyOf = ({ userId, network }: GateCaller): string => (userId === null ? `n:${network}` : `u:${userId}`);
