import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNodeBreaker, NodeUnfit } from '../../src/domains/limits/counters/node-breaker.js';
import { StoreUnreachable } from '../../src/domains/limits/counters/store.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A breaker whose probes a test answers; time is that of the fake timers. */
function aBreaker(random = 0) {
  const start = Date.now();
  const probes: { at: number; key: string; answer: () => void; fail: () => void }[] = [];
  const states: string[] = [];
  const breaker = createNodeBreaker({
    probe: (key) =>
      new Promise((resolve, reject) => {
        probes.push({
          at: Date.now() - start,
          key,
          answer: () => resolve('OK'),
          fail: () => reject(new StoreUnreachable('command')),
        });
      }),
    onState: (state) => states.push(state),
    monotonic: () => Date.now(),
    random: () => random,
  });
  const fail = (key = 'key') =>
    breaker.run(key, () => Promise.reject(new NodeUnfit('timeout'))).catch(() => undefined);
  return { breaker, probes, states, fail };
}

const settled = () => vi.advanceTimersByTimeAsync(0);

describe('the circuit breaker of a node', () => {
  it('lets commands through until one finds the node unfit', async () => {
    const { breaker, states } = aBreaker();
    expect(await breaker.run('key', () => Promise.resolve(7))).toBe(7);
    const onSoundNode = breaker.run('key', () => Promise.reject(new StoreUnreachable('command')));
    await expect(onSoundNode).rejects.toThrow('command');
    expect(breaker.isClosed).toBe(true);
    expect(states).toEqual([]);
  });

  it('opens on the first failure, before its caller gets it, and probes with the failed key after 100 ms', async () => {
    const { breaker, probes, states, fail } = aBreaker();
    await fail('{u:alice}');
    expect(breaker.isClosed).toBe(false);
    expect(states).toEqual(['open']);
    await vi.advanceTimersByTimeAsync(99);
    expect(probes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(probes).toMatchObject([{ at: 100, key: '{u:alice}' }]);
  });

  it('closes when the probe is answered, and not before', async () => {
    const { breaker, probes, states, fail } = aBreaker();
    await fail();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(probes).toHaveLength(1);
    expect(breaker.isClosed).toBe(false);
    probes[0]!.answer();
    await settled();
    expect(breaker.isClosed).toBe(true);
    expect(states).toEqual(['open', 'closed']);
  });

  it('is not changed by commands that were sent before it opened', async () => {
    const { breaker, probes, states, fail } = aBreaker();
    const late = Promise.withResolvers<never>();
    const sentBefore = breaker.run('late', () => late.promise).catch(() => undefined);
    await fail();
    await vi.advanceTimersByTimeAsync(100);
    late.reject(new NodeUnfit('timeout'));
    await sentBefore;
    probes[0]!.answer();
    await settled();
    expect(breaker.isClosed).toBe(true);
    expect(states).toEqual(['open', 'closed']);
  });

  it('waits twice as long after each probe that fails, and 1 s at most', async () => {
    const { probes, states, fail } = aBreaker();
    await fail();
    for (let probe = 0; probe < 6; probe += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      probes[probe]!.fail();
      await settled();
    }
    expect(states).toEqual(['open']);
    const waits = probes.map(({ at }, index) => at - index * 1_000);
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it.each([
    ['goes on doubling when it fails again within a second after it closed', 999, 200],
    ['starts over at 100 ms once it has been closed for a second', 1_000, 100],
  ])('%s', async (_, closedForMs, wait) => {
    const { probes, fail } = aBreaker();
    await fail();
    await vi.advanceTimersByTimeAsync(100);
    probes[0]!.answer();
    await vi.advanceTimersByTimeAsync(closedForMs);
    await fail();
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(probes).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(probes).toHaveLength(2);
  });

  it('spreads the probes of many processes over the last quarter of the wait', async () => {
    const { probes, fail } = aBreaker(1);
    await fail();
    await vi.advanceTimersByTimeAsync(75);
    expect(probes).toHaveLength(1);
  });

  it('waits as long as ever where the machine’s clock is set back meanwhile', async () => {
    const { breaker, probes, fail } = aBreaker();
    await fail();
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(100);
    expect(probes).toHaveLength(1);
    probes[0]!.answer();
    await settled();
    expect(breaker.isClosed).toBe(true);
  });

  it('probes no more once it is stopped', async () => {
    const { breaker, probes, states, fail } = aBreaker();
    await fail();
    breaker.stop();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(probes).toEqual([]);
    expect(states).toEqual(['open']);
  });

  it('does not open once it is stopped: the commands that closing ends say nothing of the node', async () => {
    const { breaker, states, fail } = aBreaker();
    breaker.stop();
    await fail();
    expect(breaker.isClosed).toBe(true);
    expect(states).toEqual([]);
  });
});
