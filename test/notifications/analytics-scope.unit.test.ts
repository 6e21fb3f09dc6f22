import { describe, expect, it } from 'vitest';
import { pointsOf, readScope } from '../../src/domains/notifications/analytics/scope.js';

const at = (time: string) => new Date(`2026-11-20T${time}Z`);
const days = (count: number) => new Date(at('00:00:00').getTime() + count * 86_400_000);
const scope = (from: Date, to: Date) => readScope({ from, to });
const refusal = (argument: string) =>
  expect.objectContaining({ code: 'BAD_USER_INPUT', argument: [argument] });

describe('the time that is asked for', () => {
  it('is counted by whole minutes, so that times that meet share none and leave none out', () => {
    const first = scope(at('10:00:30'), at('10:05:00.001'));
    const second = scope(at('10:05:00.001'), at('10:09:59'));
    expect(new Date(first.from)).toEqual(at('10:01:00'));
    expect(first.to).toBe(second.from);
    expect(new Date(second.to)).toEqual(at('10:10:00'));
  });

  it('must not be empty or run backwards', () => {
    expect(() => scope(at('10:00:00'), at('10:00:00'))).toThrow(refusal('to'));
    expect(() => scope(at('10:00:01'), at('10:00:00'))).toThrow(refusal('to'));
  });

  it('is at most 90 days', () => {
    expect(scope(days(0), days(90)).to).toBe(days(90).getTime());
    expect(() => scope(days(0), new Date(days(90).getTime() + 1))).toThrow(refusal('to'));
  });
});

describe('a series', () => {
  const hour = scope(at('10:00:00'), at('11:00:00'));

  it('begins where the time begins, whatever the hour', () => {
    const points = pointsOf(scope(at('10:07:00'), at('10:20:00')), 300).map((point) => new Date(point));
    expect(points).toEqual([at('10:07:00'), at('10:12:00'), at('10:17:00')]);
  });

  it('has steps of whole minutes', () => {
    for (const step of [0, -60, 1, 59, 61, 90, 3_601])
      expect(() => pointsOf(hour, step)).toThrow(refusal('stepSeconds'));
    expect(pointsOf(hour, 60)).toHaveLength(60);
    expect(pointsOf(hour, 7_200)).toHaveLength(1);
  });

  it('has at most 1,500 points', () => {
    expect(pointsOf(scope(days(0), new Date(days(1).getTime() + 3_600_000)), 60)).toHaveLength(1_500);
    expect(() => pointsOf(scope(days(0), new Date(days(1).getTime() + 3_660_000)), 60)).toThrow(
      refusal('stepSeconds'),
    );
  });

  it('has no point where no minute begins', () => {
    expect(pointsOf(scope(at('10:00:10'), at('10:00:50')), 60)).toEqual([]);
  });
});
