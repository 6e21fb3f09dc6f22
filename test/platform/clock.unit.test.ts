import { describe, expect, it } from 'vitest';
import { createCorrectedClock } from '../../src/platform/clock.js';
import { measureSkew, skewToCorrect } from '../../src/platform/clock-skew.js';

const HOUR = 3_600_000;

function held() {
  const at = { wall: 1_700_000_000_000, monotonic: 5_000, steps: 0 };
  const clock = createCorrectedClock({
    wall: () => at.wall,
    monotonic: () => at.monotonic,
    onStep: () => (at.steps += 1),
  });
  const pass = (ms: number) => {
    at.wall += ms;
    at.monotonic += ms;
  };
  return { at, clock, pass };
}

describe('the corrected clock', () => {
  it.each([HOUR, -HOUR])(
    'goes on as if the machine’s had not stepped by %i ms, and reports it once',
    (step) => {
      const { at, clock, pass } = held();
      const before = clock.now();
      at.wall += step;
      expect(clock.now()).toBe(before);
      pass(10_000);
      expect(clock.now()).toBe(before + 10_000);
      expect(at.steps).toBe(1);
      at.wall -= step;
      expect(clock.now()).toBe(at.wall);
    },
  );

  it('takes the machine’s time again where others confirm it, as after a suspend', () => {
    const { at, clock } = held();
    at.wall += HOUR;
    clock.correct(at.wall + 20);
    expect(clock.now()).toBe(at.wall);
  });

  it('takes another’s time where the machine was started with a wrong one', () => {
    const { at, clock, pass } = held();
    const truth = at.wall - HOUR;
    clock.correct(truth);
    pass(1_000);
    expect(clock.now()).toBe(truth + 1_000);
  });

  it('follows small steps', () => {
    const { at, clock } = held();
    for (let step = 0; step < 10; step += 1) {
      at.wall += 20_000;
      expect(clock.now()).toBe(at.wall);
    }
  });
});

describe('skew', () => {
  it('is what the round trip does not explain', async () => {
    const slow = () => new Promise<number>((resolve) => setTimeout(() => resolve(Date.now()), 30));
    const began = performance.now();
    const skew = await measureSkew(Date.now, slow);
    // Half the round trip is all that may be off, however long a crowded machine made it.
    expect(Math.abs(skew)).toBeLessThanOrEqual((performance.now() - began) / 2);
    const hour = await measureSkew(() => Date.now() + HOUR, slow);
    expect(Math.abs(hour - HOUR)).toBeLessThan(1_000);
  });

  it.each([
    ['nobody answers', null, null, null],
    ['all agree', 10, -10, 0],
    ['both others differ', HOUR, HOUR, HOUR],
    ['Postgres alone differs', HOUR, 5, 0],
    ['Redis alone differs', 5, HOUR, 0],
    ['Postgres differs and Redis does not answer', -HOUR, null, -HOUR],
    ['Redis alone answers', null, HOUR, null],
  ])('is corrected by two against one: %s', (_, postgres, redis, expected) => {
    expect(skewToCorrect(postgres, redis)).toBe(expected);
  });
});
