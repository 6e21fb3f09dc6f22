import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isQuiet, isTimeZone } from '../../src/domains/notifications/preferences/quiet-hours.js';

const hours = (quietHoursStart: string | null, quietHoursEnd: string | null, timezone = 'UTC') => ({
  quietHoursStart,
  quietHoursEnd,
  timezone,
});
const at = (text: string): number => Date.parse(text);

describe('quiet hours', () => {
  it('include both ends, to the minute', () => {
    const noon = hours('12:00', '13:00');
    const quiet = ['11:59:59', '12:00:00', '13:00:59', '13:01:00'].map((time) =>
      isQuiet(noon, at(`2026-05-01T${time}Z`)),
    );
    expect(quiet).toEqual([false, true, true, false]);
  });

  it('may span midnight', () => {
    const night = hours('22:00', '07:00');
    const quiet = ['21:59', '22:00', '00:00', '07:00', '07:01'].map((time) =>
      isQuiet(night, at(`2026-05-01T${time}:00Z`)),
    );
    expect(quiet).toEqual([false, true, true, true, false]);
  });

  it("follow the user's own clock through daylight saving", () => {
    const berlin = hours('22:00', '07:00', 'Europe/Berlin');
    // 06:30 in Berlin is 05:30 UTC in winter and 04:30 UTC in summer.
    expect(isQuiet(berlin, at('2026-01-15T05:30:00Z'))).toBe(true);
    expect(isQuiet(berlin, at('2026-07-15T05:30:00Z'))).toBe(false);
    expect(isQuiet(berlin, at('2026-07-15T04:30:00Z'))).toBe(true);
    // The night of 25 October 2026 has 02:30 twice: both are quiet.
    const early = hours('02:30', '02:45', 'Europe/Berlin');
    expect(isQuiet(early, at('2026-10-25T00:35:00Z'))).toBe(true);
    expect(isQuiet(early, at('2026-10-25T01:35:00Z'))).toBe(true);
    expect(isQuiet(early, at('2026-10-25T02:35:00Z'))).toBe(false);
  });

  it('without a start are none', () => {
    expect(isQuiet(hours(null, null), at('2026-05-01T00:00:00Z'))).toBe(false);
  });

  it('and what lies outside them make up the whole day', () => {
    const minute = fc.integer({ min: 0, max: 1439 });
    const time = (of: number): string =>
      `${String(Math.floor(of / 60)).padStart(2, '0')}:${String(of % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(minute, minute, minute, (start, end, now) => {
        const expected = start < end ? start <= now && now <= end : now >= start || now <= end;
        expect(isQuiet(hours(time(start), time(end)), at(`2026-05-01T${time(now)}:30Z`))).toBe(expected);
      }),
    );
  });
});

it('time zones are names, not offsets', () => {
  expect(['UTC', 'Asia/Kathmandu', '+05:30', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
