import {
  type CircuitBreakerPolicy,
  CircuitState,
  circuitBreaker,
  handleWhen,
  type IBackoff,
  type IHalfOpenAfterBackoffContext,
} from 'cockatiel';
import { StoreUnreachable } from './store.js';

/** How long an open breaker waits before its first probe. */
const FIRST_WAIT_MS = 100;
/** The waits double up to this. A node that fails again within it after it closed has relapsed: its waits go on doubling. */
const LONGEST_WAIT_MS = 1_000;

/** The node cannot count, and the next command to it would fail as well: opens its breaker. */
export class NodeUnfit extends StoreUnreachable {}

/** The circuit breaker of one node. Probes in the background close it again; it admits no caller before. */
export interface NodeBreaker {
  readonly isClosed: boolean;
  /**
   * Sends a command. One NodeUnfit opens the breaker.
   *
   * @param key one of the command's keys
   * @throws StoreUnreachable at once while the breaker is not closed
   */
  run<Answer>(key: string, send: () => Promise<Answer>): Promise<Answer>;
  /** Ends the probes. */
  stop(): void;
}

export interface NodeBreakerOptions {
  /** Asks the node in the background whether it can count; rejects when it cannot. `key` is one of its keys. */
  probe: (key: string) => Promise<unknown>;
  onState: (state: 'open' | 'closed') => void;
  /** Milliseconds. */
  monotonic: () => number;
  /** 0 to 1: spreads the probes of many processes over the last quarter of the wait. */
  random?: () => number;
}

type Wait = IBackoff<IHalfOpenAfterBackoffContext>;

export function createNodeBreaker({
  probe,
  onState,
  monotonic,
  random = Math.random,
}: NodeBreakerOptions): NodeBreaker {
  let failedKey = '';
  let lastWait = 0;
  let closedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let isReportedOpen = false;
  let stopped = false;

  const policy: CircuitBreakerPolicy = circuitBreaker(
    // Whatever a probe rejects with, the node did not answer it.
    handleWhen((error) => error instanceof NodeUnfit || policy.state !== CircuitState.Closed),
    {
      breaker: {
        state: null,
        success: () => undefined,
        // Commands that were sent before it opened, and those that closing ends, change nothing.
        failure: () => !stopped && policy.state === CircuitState.Closed,
      },
      halfOpenAfter: {
        next: () => wait(monotonic() - closedAt < LONGEST_WAIT_MS ? longer(lastWait) : FIRST_WAIT_MS),
      },
    },
  );
  policy.onStateChange((state) => {
    if (stopped || state === CircuitState.HalfOpen) return;
    const isOpen = state === CircuitState.Open;
    if (isOpen) timer = setTimeout(sendProbe, Math.max(1, lastWait * (1 - random() / 4)));
    else closedAt = monotonic();
    // A failed probe opens it again without its having been closed.
    if (isOpen !== isReportedOpen) onState(isOpen ? 'open' : 'closed');
    isReportedOpen = isOpen;
  });

  /** The library compares times of the machine's clock, which may jump: it never waits, and the timer decides. */
  function wait(ms: number): Wait {
    lastWait = ms;
    return { duration: Number.NEGATIVE_INFINITY, next: () => wait(longer(ms)) };
  }

  function sendProbe(): void {
    policy.execute(() => probe(failedKey)).catch(() => undefined);
  }

  return {
    get isClosed() {
      return policy.state === CircuitState.Closed;
    },
    run(key, send) {
      // The library would let it through as the probe.
      if (policy.state !== CircuitState.Closed) return Promise.reject(new StoreUnreachable('breaker_open'));
      return policy.execute(() =>
        send().catch((error: unknown) => {
          if (policy.state === CircuitState.Closed) failedKey = key;
          throw error;
        }),
      );
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

const longer = (wait: number): number => Math.min(LONGEST_WAIT_MS, wait * 2);
