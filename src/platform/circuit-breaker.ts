import {
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  type FailureReason,
  handleWhen,
  type IBackoff,
  type IHalfOpenAfterBackoffContext,
} from 'cockatiel';

export type { FailureReason } from 'cockatiel';

/** How long an open circuit waits before each probe: the first time `firstMs`, then twice as long each time. */
export interface ProbeWaits {
  readonly firstMs: number;
  readonly longestMs: number;
  /** A circuit that opens again so soon after it closed goes on doubling. */
  readonly relapseMs?: number;
  /** Spreads the probes of many processes over a part of the wait. */
  readonly spread: (waitMs: number) => number;
}

export interface CircuitBreakerOptions<Answer> {
  /** Milliseconds, of any clock. */
  readonly now: () => number;
  readonly waits: ProbeWaits;
  /** Which errors are failures; none unless given. Others say nothing, except that they end a probe as a success. */
  readonly isFailedError?: (error: unknown) => boolean;
  /** Which answers are failures; none unless given. */
  readonly isFailedAnswer?: (answer: Answer) => boolean;
  readonly onSuccess?: (ofProbe: boolean) => void;
  /** Whether a failure opens the circuit. A failed probe opens it again, whatever is returned. */
  readonly opensAt: (failure: FailureReason<Answer>) => boolean;
  /** Whether a failed probe has reached the service; else the next call is the probe instead. All have unless given. */
  readonly hasReached?: (failure: FailureReason<Answer>) => boolean;
  readonly onState?: (state: CircuitBreaker<Answer>['state']) => void;
}

/** A circuit breaker whose callers look at its state before each call. */
export interface CircuitBreaker<Answer> {
  /** `closed`: calls may be made. `open`: none but the probe, at `probeAt`. `probing`: none until the probe has ended. */
  readonly state: 'closed' | 'open' | 'probing';
  /** By `now`. */
  readonly probeAt: number;
  /** Makes a call: the probe where the circuit is open. Its success closes the circuit. */
  run<Own extends Answer>(call: () => Promise<Own>): Promise<Own>;
}

type Wait = IBackoff<IHalfOpenAfterBackoffContext>;

/**
 * A circuit breaker of cockatiel's, without its clock: the library reads the machine's, which may jump. It is given no time
 * to wait for, and `probeAt` decides when a caller makes the probe.
 */
export function createCircuitBreaker<Answer>(options: CircuitBreakerOptions<Answer>): CircuitBreaker<Answer> {
  const { now, opensAt, isFailedError = () => false, isFailedAnswer = () => false } = options;
  const { hasReached = () => true } = options;
  const { firstMs, longestMs, relapseMs = 0, spread } = options.waits;
  let lastWaitMs = 0;
  let probeAt = 0;
  let closedAt = Number.NEGATIVE_INFINITY;

  function wait(ms: number, until = now() + spread(ms)): Wait {
    lastWaitMs = ms;
    probeAt = until;
    return {
      duration: Number.NEGATIVE_INFINITY,
      next: ({ result }) =>
        hasReached(result as FailureReason<Answer>) ? wait(longer(ms)) : wait(ms, until),
    };
  }

  const longer = (ms: number): number => Math.min(longestMs, ms * 2);

  /** A clock that went back since the circuit closed says nothing: that is none. */
  function isRelapse(): boolean {
    const closedForMs = now() - closedAt;
    return closedForMs >= 0 && closedForMs < relapseMs;
  }

  const policy: CircuitBreakerPolicy = circuitBreaker(
    handleWhen(isFailedError).orWhenResult((answer) => isFailedAnswer(answer as Answer)),
    {
      breaker: {
        state: null,
        success: (state) => options.onSuccess?.(state === CircuitState.HalfOpen),
        failure: () => opensAt(policy.lastFailure as FailureReason<Answer>),
      },
      halfOpenAfter: { next: () => wait(isRelapse() ? longer(lastWaitMs) : firstMs) },
    },
  );
  policy.onStateChange((state) => {
    if (state === CircuitState.Closed) closedAt = now();
    options.onState?.(nameOf(state));
  });

  return {
    get state() {
      return nameOf(policy.state);
    },
    get probeAt() {
      return probeAt;
    },
    run: (call) => policy.execute(call),
  };
}

function nameOf(state: CircuitState): CircuitBreaker<unknown>['state'] {
  if (state === CircuitState.Closed) return 'closed';
  return state === CircuitState.HalfOpen ? 'probing' : 'open';
}
