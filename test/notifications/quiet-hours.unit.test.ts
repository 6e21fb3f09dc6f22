import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isQuiet,
  isTimeZone,
  quietHoursEnd,
} from '../../src/domains/notifications/preferences/quiet-hours.js';

const hours = (quietHoursStart: string | null, quietHoursEnd: string | null, timezone = 'UTC') => ({
  quietHoursStart,
  quietHoursEnd,
  timezone,
});
const at = (text: string): number => Date.parse(text);
const time = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

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
    fc.assert(
      fc.property(minute, minute, minute, (start, end, now) => {
        const expected = start < end ? start <= now && now <= end : now >= start || now <= end;
        expect(isQuiet(hours(time(start), time(end)), at(`2026-05-01T${time(now)}:30Z`))).toBe(expected);
      }),
    );
  });
});

describe('the end of quiet hours', () => {
  const endOf = (start: string, end: string, zone: string, now: string): string | null => {
    const found = quietHoursEnd(hours(start, end, zone), at(now));
    return found === null ? null : new Date(found).toISOString().slice(0, 16);
  };

  it('is the minute after their last one, tonight or in the morning', () => {
    expect(endOf('12:00', '13:00', 'UTC', '2026-05-01T12:00:00Z')).toBe('2026-05-01T13:01');
    expect(endOf('12:00', '13:00', 'UTC', '2026-05-01T13:00:59.999Z')).toBe('2026-05-01T13:01');
    expect(endOf('22:00', '07:00', 'Europe/Berlin', '2026-05-01T21:30:15Z')).toBe('2026-05-02T05:01');
    expect(endOf('22:00', '07:00', 'Asia/Kolkata', '2026-05-01T20:00:00Z')).toBe('2026-05-02T01:31');
  });

  it('follows the night in which the clock goes forward', () => {
    expect(endOf('22:00', '07:00', 'Europe/Berlin', '2026-03-28T22:00:00Z')).toBe('2026-03-29T05:01');
    // 02:30 is skipped: at 03:00 they are over.
    expect(endOf('22:00', '02:30', 'Europe/Berlin', '2026-03-28T22:00:00Z')).toBe('2026-03-29T01:00');
    // What would not be quiet is skipped whole: the next chance is a day later.
    expect(endOf('03:00', '01:59', 'Europe/Berlin', '2026-03-28T22:00:00Z')).toBe('2026-03-30T00:00');
    expect(endOf('22:00', '02:10', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z')).toBe('2026-10-03T15:30');
  });

  it('follows the night in which the clock goes back', () => {
    expect(endOf('22:00', '07:00', 'America/New_York', '2026-11-01T03:00:00Z')).toBe('2026-11-01T12:01');
    // 01:31 comes twice. Between the two it is not quiet, and then it is again.
    expect(endOf('22:00', '01:30', 'America/New_York', '2026-11-01T03:00:00Z')).toBe('2026-11-01T05:31');
    expect(endOf('22:00', '01:30', 'America/New_York', '2026-11-01T06:00:00Z')).toBe('2026-11-01T06:31');
    // The half hour from 01:30 comes twice: 01:59 is followed by 01:30.
    expect(endOf('22:00', '01:59', 'Australia/Lord_Howe', '2026-04-04T13:00:00Z')).toBe('2026-04-04T15:30');
  });

  it('is none where it is not quiet, or always is', () => {
    expect(endOf('22:00', '07:00', 'UTC', '2026-05-01T12:00:00Z')).toBeNull();
    expect(quietHoursEnd(hours(null, null), at('2026-05-01T12:00:00Z'))).toBeNull();
    for (const [start, end] of [
      ['08:00', '08:00'],
      ['00:00', '23:59'],
      ['08:01', '08:00'],
      ['00:00', '00:00'],
    ] as const) {
      expect(endOf(start, end, 'Europe/Berlin', '2026-05-01T12:00:00Z')).toBeNull();
    }
  });

  it('is what looking at every minute finds, in every zone and season', () => {
    const changes = [
      ['Europe/Berlin', '2026-03-29T01:00:00Z'],
      ['Europe/Berlin', '2026-10-25T01:00:00Z'],
      ['America/New_York', '2026-03-08T07:00:00Z'],
      ['America/New_York', '2026-11-01T06:00:00Z'],
      ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
      ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
      ['Asia/Kolkata', '2026-06-01T00:00:00Z'],
      ['Pacific/Apia', '2011-12-30T10:00:00Z'],
    ] as const;
    const minute = fc.integer({ min: 0, max: 1439 });
    // Where the clock changes, between midnight and four, is where it is hard.
    const end = fc.oneof(minute, fc.integer({ min: 0, max: 240 }));
    const around = fc.integer({ min: -30 * 3_600_000, max: 6 * 3_600_000 });
    fc.assert(
      fc.property(fc.constantFrom(...changes), minute, end, around, ([zone, change], from, to, offset) => {
        const asked = hours(time(from), time(to), zone);
        const now = at(change) + offset;
        expect(quietHoursEnd(asked, now)).toBe(endByMinutes(asked, now));
      }),
      { numRuns: 300 },
    );
  });

  /** Looks at each of the next three days' minutes. */
  function endByMinutes(asked: ReturnType<typeof hours>, now: number): number | null {
    if (!isQuiet(asked, now)) return null;
    const first = Math.floor(now / 60_000) * 60_000;
    for (let next = first; next < first + 3 * 86_400_000; next += 60_000) {
      if (!isQuiet(asked, next)) return next;
    }
    return null;
  }
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
