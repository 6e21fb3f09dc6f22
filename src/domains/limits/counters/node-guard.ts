import { afterFailure, afterProbe, type Breaker, newBreaker, whenProbeIsDue } from './breaker.js';

/** The breaker of one node, with the probes that close it again. */
export interface NodeGuard {
  /** Whether the node may be asked. */
  readonly passable: boolean;
  /** A run failed on a key of this node. */
  fail(key: string): void;
  /** No more probes. */
  stop(): void;
}

export interface NodeGuardOptions {
  /** Asks the node in the background, whether it can count; rejects when it cannot. `key` is one of its keys. */
  probe: (key: string) => Promise<unknown>;
  onState: (state: 'open' | 'closed') => void;
  /** Milliseconds. */
  monotonic: () => number;
}

export function createNodeGuard({ probe, onState, monotonic }: NodeGuardOptions): NodeGuard {
  let breaker: Breaker = newBreaker;
  let failedKey = '';
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  function wait(): void {
    if (breaker.kind !== 'open' || stopped) return;
    timer = setTimeout(probeWhenDue, Math.max(1, breaker.probeAt - monotonic()));
  }

  function probeWhenDue(): void {
    breaker = whenProbeIsDue(breaker, monotonic());
    if (breaker.kind === 'half_open') {
      probe(failedKey).then(
        () => decide(true),
        () => decide(false),
      );
    } else {
      // A timer may be early by a fraction of a millisecond.
      wait();
    }
  }

  function decide(answered: boolean): void {
    breaker = afterProbe(breaker, answered, monotonic(), Math.random());
    if (breaker.kind === 'closed' && !stopped) onState('closed');
    wait();
  }

  return {
    get passable() {
      return breaker.kind === 'closed';
    },
    fail(key) {
      if (breaker.kind !== 'closed' || stopped) return;
      breaker = afterFailure(breaker, monotonic(), Math.random());
      failedKey = key;
      onState('open');
      wait();
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
