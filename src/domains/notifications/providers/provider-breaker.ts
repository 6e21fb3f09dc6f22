import { createCircuitBreaker, type FailureReason } from '../../../platform/circuit-breaker.js';
import type { Clock } from '../../../platform/clock.js';
import { createFailureRecord } from './failure-record.js';
import type { ProviderErrorCode, ProviderOutcome } from './provider.js';

/** No shorter than a call may take: calls from before it opened have ended when the first probe goes. */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
/** How soon to ask again while the probe is on its way. */
const PROBE_MS = 1_000;

/**
 * Keeps calls from a service that is down. Opens after 10 failures in a row, after 3 in a row that lie 10 s apart and more, or when
 * more than half of 20 calls and more failed within 10 s. Then it waits for 5 s, and lets one call through: if that fails as well,
 * it waits twice as long, up to a minute.
 *
 * @param random uniform in [0, 1): spreads the probes of many processes
 */
export function createProviderBreaker(clock: Clock, random: () => number) {
  const record = createFailureRecord(clock);
  const circuit = createCircuitBreaker<ProviderOutcome>({
    now: () => clock.now(),
    waits: {
      firstMs: FIRST_WAIT_MS,
      longestMs: LONGEST_WAIT_MS,
      spread: (ms) => ms * (1 + random() / 4),
    },
    isFailedAnswer: (outcome) => !showsLife(outcome),
    onSuccess: record.wentThrough,
    opensAt: (failure) => wasDown(failure) && record.failed(),
    hasReached: wasDown,
  });

  return {
    /** Milliseconds since the epoch until which no call may be made; null while one may. */
    openUntil(): number | null {
      switch (circuit.state) {
        case 'closed':
          return null;
        case 'open':
          return circuit.probeAt > clock.now() ? circuit.probeAt : null;
        case 'probing':
          return clock.now() + PROBE_MS;
      }
    },
    /**
     * Makes a call, where one may be made: its outcome decides about the others. A failure says for how long the service
     * has failed all of them; see `downForMs`.
     */
    async run(call: () => Promise<ProviderOutcome>): Promise<ProviderOutcome> {
      const outcome = await circuit.run(call);
      const downForMs = isDown(outcome) ? record.downForMs() : null;
      return outcome.kind === 'failed' && downForMs !== null ? { ...outcome, downForMs } : outcome;
    },
  };
}

const downCodes: readonly ProviderErrorCode[] = ['PROVIDER_DOWN', 'APNS_DOWN', 'PROVIDER_TIMEOUT'];

/** The service failed, rather than refused. */
const isDown = (outcome: ProviderOutcome): boolean =>
  outcome.kind === 'failed' && downCodes.includes(outcome.code);

const wasDown = (failure: FailureReason<ProviderOutcome>): boolean =>
  'value' in failure && isDown(failure.value);

/** The service answered. What we refuse ourselves (too long, no address) says nothing of it, and has no status. */
const showsLife = (outcome: ProviderOutcome): boolean =>
  outcome.kind !== 'failed' || (!isDown(outcome) && outcome.status !== undefined);
