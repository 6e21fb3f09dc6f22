import {
  CircuitState,
  circuitBreaker,
  type FailureReason,
  handleWhenResult,
  type IBackoff,
  type IBreaker,
  type IHalfOpenAfterBackoffContext,
} from 'cockatiel';
import type { Clock } from '../../../platform/clock.js';
import { createFailureRun } from './failure-run.js';
import { createFailureShare } from './failure-share.js';
import type { ProviderErrorCode, ProviderOutcome } from './provider.js';

/** No shorter than a call may take: calls from before it opened have ended when the first probe goes. */
const FIRST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
/** How soon to ask again while the probe is on its way. */
const PROBE_MS = 1_000;

type Wait = IBackoff<IHalfOpenAfterBackoffContext>;

/** Keeps calls from a service that is down. */
export interface ProviderBreaker {
  /** Milliseconds since the epoch until which no call may be made; null while one may. */
  openUntil(): number | null;
  /**
   * Makes a call, where one may be made: its outcome decides about the others. A failure says for how long the service
   * has failed all of them; see `downForMs`.
   */
  run(call: () => Promise<ProviderOutcome>): Promise<ProviderOutcome>;
}

/**
 * Opens after 10 failures in a row, after 3 in a row that lie 10 s apart and more, or when more than half of 20 calls and
 * more failed within 10 s. Then it waits for 5 s, and lets one call through: if that fails as well, it waits twice as long, up to a minute.
 *
 * @param random uniform in [0, 1): spreads the probes of many processes
 */
export function createProviderBreaker(clock: Clock, random: () => number): ProviderBreaker {
  const share = createFailureShare(clock);
  const inARow = createFailureRun(clock);
  let probeAt = 0;

  const tally: IBreaker = {
    state: null,
    success(state) {
      inARow.end();
      if (state === CircuitState.HalfOpen) share.reset();
      share.add(false);
    },
    failure() {
      if (!wasDown(policy.lastFailure)) return false;
      inARow.add();
      share.add(true);
      return inARow.isLong() || share.isHigh();
    },
  };
  function wait(ms: number, until = clock.now() + ms * (1 + random() / 4)): Wait {
    probeAt = until;
    return {
      // The library reads the machine's clock; `probeAt` decides by ours, before the library is asked.
      duration: Number.NEGATIVE_INFINITY,
      // A probe that never reached the service is made again with the next call.
      next: ({ result }) => (wasDown(result) ? wait(Math.min(LONGEST_WAIT_MS, ms * 2)) : wait(ms, until)),
    };
  }
  const policy = circuitBreaker(
    handleWhenResult((outcome) => !showsLife(outcome as ProviderOutcome)),
    { breaker: tally, halfOpenAfter: { next: () => wait(FIRST_WAIT_MS) } },
  );

  return {
    openUntil() {
      switch (policy.state) {
        case CircuitState.Open:
          return probeAt > clock.now() ? probeAt : null;
        case CircuitState.HalfOpen:
          return clock.now() + PROBE_MS;
        default:
          return null;
      }
    },
    async run(call) {
      const outcome = await policy.execute(call);
      const downForMs = isDown(outcome) ? inARow.downForMs() : null;
      return outcome.kind === 'failed' && downForMs !== null ? { ...outcome, downForMs } : outcome;
    },
  };
}

const downCodes: readonly ProviderErrorCode[] = ['PROVIDER_DOWN', 'APNS_DOWN', 'PROVIDER_TIMEOUT'];

/** The service failed, rather than refused. */
const isDown = (outcome: ProviderOutcome): boolean =>
  outcome.kind === 'failed' && downCodes.includes(outcome.code);

const wasDown = (last: FailureReason<unknown> | undefined): boolean =>
  last !== undefined && 'value' in last && isDown(last.value as ProviderOutcome);

/** The service answered. What we refuse ourselves (too long, no address) says nothing of it, and has no status. */
const showsLife = (outcome: ProviderOutcome): boolean =>
  outcome.kind !== 'failed' || (!isDown(outcome) && outcome.status !== undefined);
