import { describe, expect, it } from 'vitest';
import { type CircuitBreakerOptions, createCircuitBreaker } from '../../src/platform/circuit-breaker.js';

/** A circuit of calls that answer with words: `down` is a failure, and so is the error `unfit`. */
function aCircuit(own: Partial<CircuitBreakerOptions<string>> = {}) {
  let now = 0;
  const states: string[] = [];
  const circuit = createCircuitBreaker<string>({
    now: () => now,
    waits: { firstMs: 100, longestMs: 500, spread: (ms) => ms },
    isFailedAnswer: (answer) => answer === 'down',
    isFailedError: (error) => error instanceof Error && error.message === 'unfit',
    opensAt: () => true,
    onState: (state) => states.push(state),
    ...own,
  });
  return {
    circuit,
    states,
    forward(ms: number) {
      now += ms;
    },
    now: () => now,
    answer: (answer: string) => circuit.run(async () => answer),
    fail: (message: string) => circuit.run(() => Promise.reject(new Error(message))),
  };
}

describe('a circuit breaker', () => {
  it('stays closed while calls succeed, or throw what is no failure', async () => {
    const { circuit, states, answer, fail } = aCircuit();
    expect(await answer('up')).toBe('up');
    await expect(fail('too long')).rejects.toThrow('too long');
    expect(circuit.state).toBe('closed');
    expect(states).toEqual([]);
  });

  it('opens at a failed answer, which its caller gets all the same', async () => {
    const { circuit, answer } = aCircuit();
    expect(await answer('down')).toBe('down');
    expect(circuit.state).toBe('open');
    expect(circuit.probeAt).toBe(100);
  });

  it('opens at an error that is a failure, which its caller gets all the same', async () => {
    const { circuit, fail } = aCircuit();
    await expect(fail('unfit')).rejects.toThrow('unfit');
    expect(circuit.state).toBe('open');
  });

  it('opens only when its owner says that it has failed enough', async () => {
    const failures: unknown[] = [];
    const { circuit, answer } = aCircuit({ opensAt: (failure) => failures.push(failure) === 3 });
    await answer('down');
    await answer('down');
    expect(circuit.state).toBe('closed');
    await answer('down');
    expect(circuit.state).toBe('open');
  });

  it('is closed by a probe that succeeds, and says while the probe is on its way that it is', async () => {
    const probes: boolean[] = [];
    const { circuit, states, answer } = aCircuit({ onSuccess: (ofProbe) => probes.push(ofProbe) });
    await answer('up');
    await answer('down');
    const slow = Promise.withResolvers<string>();
    const probe = circuit.run(() => slow.promise);
    expect(circuit.state).toBe('probing');
    slow.resolve('up');
    await probe;
    expect(circuit.state).toBe('closed');
    expect(states).toEqual(['open', 'probing', 'closed']);
    expect(probes).toEqual([false, true]);
  });

  it('waits twice as long after each failed probe, up to the longest wait', async () => {
    const { circuit, now, forward, answer } = aCircuit();
    await answer('down');
    const waits: number[] = [];
    for (let probe = 0; probe < 5; probe += 1) {
      waits.push(circuit.probeAt - now());
      forward(circuit.probeAt - now());
      await answer('down');
    }
    expect(waits).toEqual([100, 200, 400, 500, 500]);
  });

  it('is probed by the next call where the probe has not reached the service', async () => {
    const { circuit, forward, answer, fail } = aCircuit({ hasReached: (failure) => 'value' in failure });
    await answer('down');
    forward(100);
    await expect(fail('unfit')).rejects.toThrow('unfit');
    expect(circuit.state).toBe('open');
    expect(circuit.probeAt).toBe(100);
    await answer('down');
    expect(circuit.probeAt).toBe(300);
  });

  it.each([
    ['goes on doubling where it opens again within the time of a relapse', 49, 200],
    ['starts over with the first wait after that time', 50, 100],
  ])('%s', async (_, closedForMs, wait) => {
    const { circuit, now, forward, answer } = aCircuit({
      waits: { firstMs: 100, longestMs: 500, relapseMs: 50, spread: (ms) => ms },
    });
    await answer('down');
    forward(100);
    await answer('up');
    forward(closedForMs);
    await answer('down');
    expect(circuit.probeAt - now()).toBe(wait);
  });

  it.each([0, 50])(
    'starts over with the first wait where the clock went back: %i ms of relapse',
    async (relapseMs) => {
      const { circuit, now, forward, answer } = aCircuit({
        waits: { firstMs: 100, longestMs: 500, relapseMs, spread: (ms) => ms },
      });
      await answer('down');
      forward(100);
      await answer('up');
      forward(-10);
      await answer('down');
      expect(circuit.probeAt - now()).toBe(100);
    },
  );

  it('spreads probes as its owner says', async () => {
    const { circuit, answer } = aCircuit({
      waits: { firstMs: 100, longestMs: 500, spread: (ms) => ms * 0.75 },
    });
    await answer('down');
    expect(circuit.probeAt).toBe(75);
  });
});
