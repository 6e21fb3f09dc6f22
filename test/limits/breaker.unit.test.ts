import { describe, expect, it } from 'vitest';
import {
  afterFailure,
  afterProbe,
  type Breaker,
  newBreaker,
  whenProbeIsDue,
} from '../../src/domains/limits/counters/breaker.js';

const NO_JITTER = 0;
const FULL_JITTER = 1;
const failed = (breaker: Breaker, now: number): Breaker => afterFailure(breaker, now, NO_JITTER);
const probed = (breaker: Breaker, answered: boolean, now: number): Breaker =>
  afterProbe(whenProbeIsDue(breaker, now), answered, now, NO_JITTER);

describe('a breaker', () => {
  it('lets everybody through until something fails', () => {
    expect(newBreaker.kind).toBe('closed');
  });

  it('opens on the first failure, for 100 ms', () => {
    expect(failed(newBreaker, 5_000)).toMatchObject({ kind: 'open', probeAt: 5_100 });
  });

  it('does not wait longer because of runs that were on their way when it opened', () => {
    const open = failed(newBreaker, 5_000);
    expect(failed(open, 5_050)).toBe(open);
    const halfOpen = whenProbeIsDue(open, 5_100);
    expect(failed(halfOpen, 5_101)).toBe(halfOpen);
  });

  it('lets one probe through when its wait is over, and not before', () => {
    const open = failed(newBreaker, 5_000);
    expect(whenProbeIsDue(open, 5_099)).toBe(open);
    const halfOpen = whenProbeIsDue(open, 5_100);
    expect(halfOpen.kind).toBe('half_open');
    expect(whenProbeIsDue(halfOpen, 9_000)).toBe(halfOpen);
  });

  it('closes when the probe is answered', () => {
    expect(probed(failed(newBreaker, 5_000), true, 5_100).kind).toBe('closed');
  });

  it('waits twice as long after each probe that fails, and 1 s at most', () => {
    let breaker = failed(newBreaker, 0);
    const waits: number[] = [];
    let now = 0;
    for (let probe = 0; probe < 6; probe++) {
      if (breaker.kind !== 'open') throw new Error('it is not open');
      waits.push(breaker.probeAt - now);
      now = breaker.probeAt;
      breaker = probed(breaker, false, now);
    }
    expect(waits).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('goes on doubling when it fails again soon after it closed', () => {
    const closed = probed(failed(newBreaker, 0), true, 100);
    expect(failed(closed, 1_099)).toMatchObject({ kind: 'open', probeAt: 1_299 });
  });

  it('starts over at 100 ms once it has been closed for a second', () => {
    const closed = probed(failed(newBreaker, 0), true, 100);
    expect(failed(closed, 1_100)).toMatchObject({ kind: 'open', probeAt: 1_200 });
  });

  it('spreads the probes of many processes over the last quarter of the wait', () => {
    expect(afterFailure(newBreaker, 0, FULL_JITTER)).toMatchObject({ probeAt: 75 });
  });

  it('takes no notice of a probe that nobody asked for', () => {
    const open = failed(newBreaker, 0);
    expect(afterProbe(open, true, 10, NO_JITTER)).toBe(open);
    expect(afterProbe(newBreaker, false, 10, NO_JITTER)).toBe(newBreaker);
  });
});
