import { type CircuitBreaker, createCircuitBreaker } from '../../../platform/circuit-breaker.js';
import { StoreUnreachable } from './store.js';

/** How long an open breaker waits before its first probe. */
const FIRST_WAIT_MS = 100;
/** The waits double up to this. A node that fails again within it after it closed has relapsed: its waits go on doubling. */
const LONGEST_WAIT_MS = 1_000;

/** The node cannot count, and the next command to it would fail as well: opens its breaker. */
export class NodeUnfit extends StoreUnreachable {}

export type NodeBreaker = ReturnType<typeof createNodeBreaker>;

/** The circuit breaker of one node. Probes in the background close it again; it admits no caller before. */
export function createNodeBreaker({
  probe,
  onState,
  monotonic,
  random = Math.random,
}: {
  /** Asks the node in the background whether it can count; rejects when it cannot. `key` is one of its keys. */
  probe: (key: string) => Promise<unknown>;
  onState: (state: 'open' | 'closed') => void;
  /** Milliseconds. */
  monotonic: () => number;
  /** 0 to 1: spreads the probes of many processes over the last quarter of the wait. */
  random?: () => number;
}) {
  let failedKey = '';
  let timer: NodeJS.Timeout | undefined;
  let isReportedOpen = false;
  let stopped = false;

  const circuit: CircuitBreaker<unknown> = createCircuitBreaker({
    now: monotonic,
    waits: {
      firstMs: FIRST_WAIT_MS,
      longestMs: LONGEST_WAIT_MS,
      relapseMs: LONGEST_WAIT_MS,
      spread: (ms) => ms * (1 - random() / 4),
    },
    // Whatever a probe rejects with, the node did not answer it.
    isFailedError: (error) => error instanceof NodeUnfit || circuit.state !== 'closed',
    // Commands that were sent before it opened, and those that closing ends, change nothing.
    opensAt: () => !stopped && circuit.state === 'closed',
    onState(state) {
      if (stopped || state === 'probing') return;
      const isOpen = state === 'open';
      if (isOpen) timer = setTimeout(sendProbe, Math.max(1, circuit.probeAt - monotonic()));
      // A failed probe opens it again without its having been closed.
      if (isOpen !== isReportedOpen) onState(isOpen ? 'open' : 'closed');
      isReportedOpen = isOpen;
    },
  });

  function sendProbe(): void {
    circuit.run(() => probe(failedKey)).catch(() => undefined);
  }

  return {
    get isClosed(): boolean {
      return circuit.state === 'closed';
    },
    /**
     * Sends a command. One NodeUnfit opens the breaker.
     *
     * @param key one of the command's keys
     * @throws StoreUnreachable at once while the breaker is not closed
     */
    run<Answer>(key: string, send: () => Promise<Answer>): Promise<Answer> {
      if (circuit.state !== 'closed') return Promise.reject(new StoreUnreachable('breaker_open'));
      return circuit.run(() =>
        send().catch((error: unknown) => {
          if (circuit.state === 'closed') failedKey = key;
          throw error;
        }),
      );
    },
    /** Ends the probes. */
    stop(): void {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
