import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { digestDueAt, nextDaily, nextHour } from '../../src/domains/notifications/digests/due.js';
import { instantOf, localMinute } from '../../src/domains/notifications/preferences/local-time.js';

const MINUTE = 60_000;
const DAY = 1_440;
const at = (text: string): number => Date.parse(text);
const iso = (instant: number | null): string | null =>
  instant === null ? null : new Date(instant).toISOString().slice(0, 16);
const time = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Zones with an instant at which each changes its clock, or about which it does not. */
const ZONES = [
  ['UTC', '2026-06-01T00:00:00Z'],
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['America/New_York', '2026-03-08T07:00:00Z'],
  ['America/New_York', '2026-11-01T06:00:00Z'],
  ['America/St_Johns', '2026-03-08T05:30:00Z'],
  ['America/Santiago', '2026-09-06T04:00:00Z'],
  ['America/Santiago', '2026-04-05T03:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T15:30:00Z'],
  ['Asia/Kathmandu', '2026-06-01T00:00:00Z'],
  ['Asia/Kolkata', '2026-06-01T00:00:00Z'],
  ['Pacific/Chatham', '2026-04-04T14:00:00Z'],
  ['Pacific/Chatham', '2026-09-26T14:00:00Z'],
  ['Africa/Cairo', '2026-04-23T22:00:00Z'],
  ['Pacific/Apia', '2011-12-30T10:00:00Z'],
] as const;

/** What a zone shows in each minute from three days before an instant to four days after it. */
const shownAround = new Map<string, { readonly from: number; readonly shown: readonly number[] }>();
function around([zone, change]: (typeof ZONES)[number]) {
  const key = `${zone} ${change}`;
  const known = shownAround.get(key);
  if (known) return known;
  const from = at(change) - 3 * DAY * MINUTE;
  const calendar = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric' },
  });
  const shown = Array.from({ length: 7 * DAY }, (_, n) => {
    const parts = calendar.formatToParts(from + n * MINUTE);
    const part = (type: string): number => Number(parts.find((one) => one.type === type)!.value);
    const day = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
    return day / MINUTE;
  });
  const made = { from, shown };
  shownAround.set(key, made);
  return made;
}

const zoneAndNow = fc.tuple(
  fc.constantFrom(...ZONES),
  fc.oneof(
    fc.integer({ min: -30 * 60 * MINUTE, max: 30 * 60 * MINUTE }),
    fc.integer({ min: -90 * MINUTE, max: 90 * MINUTE }),
  ),
);
const minute = fc.oneof(fc.integer({ min: 0, max: DAY - 1 }), fc.integer({ min: 0, max: 240 }));

describe('an hourly digest', () => {
  it('goes at the next full hour of the user’s own clock', () => {
    expect(iso(nextHour('UTC', at('2026-05-01T09:59:59.999Z')))).toBe('2026-05-01T10:00');
    expect(iso(nextHour('UTC', at('2026-05-01T10:00:00Z')))).toBe('2026-05-01T11:00');
    expect(iso(nextHour('Asia/Kathmandu', at('2026-05-01T10:00:00Z')))).toBe('2026-05-01T10:15');
    expect(iso(nextHour('Asia/Kolkata', at('2026-05-01T10:30:00Z')))).toBe('2026-05-01T11:30');
    // 02:00 is skipped: 01:59 is followed by 02:30.
    expect(iso(nextHour('Australia/Lord_Howe', at('2026-10-03T15:10:00Z')))).toBe('2026-10-03T16:00');
  });

  it('goes at the first minute that shows one, in every zone and season', () => {
    fc.assert(
      fc.property(zoneAndNow, ([zone, offset]) => {
        const now = at(zone[1]) + offset;
        const { from, shown } = around(zone);
        const found = shown.findIndex((local, n) => from + n * MINUTE > now && local % 60 === 0);
        expect(nextHour(zone[0], now)).toBe(from + found * MINUTE);
      }),
      { numRuns: 400 },
    );
  });
});

describe('a daily digest', () => {
  it('goes at its time in the user’s zone', () => {
    expect(iso(nextDaily('Europe/Berlin', at('2026-05-01T05:59:00Z'), '08:00'))).toBe('2026-05-01T06:00');
    expect(iso(nextDaily('Europe/Berlin', at('2026-05-01T06:00:00Z'), '08:00'))).toBe('2026-05-02T06:00');
    expect(iso(nextDaily('Pacific/Chatham', at('2026-06-01T00:00:00Z'), '08:00'))).toBe('2026-06-01T19:15');
  });

  it('goes when the clock jumps over its time, and once where that comes twice', () => {
    expect(iso(nextDaily('Europe/Berlin', at('2026-03-28T12:00:00Z'), '02:30'))).toBe('2026-03-29T01:00');
    expect(iso(nextDaily('America/New_York', at('2026-11-01T05:00:00Z'), '01:30'))).toBe('2026-11-01T05:30');
    expect(iso(nextDaily('America/New_York', at('2026-11-01T05:45:00Z'), '01:30'))).toBe('2026-11-02T06:30');
    // Samoa had no 30 December 2011.
    expect(iso(nextDaily('Pacific/Apia', at('2011-12-29T20:00:00Z'), '08:00'))).toBe('2011-12-30T18:00');
  });

  it('goes once on each day that there is, in every zone and season', () => {
    fc.assert(
      fc.property(zoneAndNow, minute, ([zone, offset], daily) => {
        const now = at(zone[1]) + offset;
        const { from, shown } = around(zone);
        const days = new Map<number, number>();
        shown.forEach((local, n) => {
          const day = Math.floor(local / DAY);
          if (local % DAY >= daily && !days.has(day)) days.set(day, from + n * MINUTE);
        });
        const expected = Math.min(...[...days.values()].filter((due) => due > now && due > from));
        expect(nextDaily(zone[0], now, time(daily))).toBe(expected);
      }),
      { numRuns: 400 },
    );
  });
});

it('local times and instants lead to each other, in every zone and season', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.integer({ min: DAY, max: 6 * DAY }), (zone, n) => {
      const { from, shown } = around(zone);
      expect(localMinute(zone[0], from + n * MINUTE)).toBe(shown[n]);
      const first = shown.indexOf(shown[n]!);
      expect(instantOf(zone[0], shown[n]!)).toBe(from + first * MINUTE);
    }),
    { numRuns: 400 },
  );
});

describe('a digest', () => {
  const of = (own: Partial<Parameters<typeof digestDueAt>[0]>, now: string) =>
    iso(
      digestDueAt(
        {
          digestFrequency: 'hourly',
          timezone: 'UTC',
          quietHoursStart: '22:00',
          quietHoursEnd: '06:59',
          ...own,
        },
        at(now),
        '08:00',
      ),
    );

  it('waits for the end of quiet hours', () => {
    expect(of({}, '2026-05-01T20:30:00Z')).toBe('2026-05-01T21:00');
    expect(of({}, '2026-05-01T21:30:00Z')).toBe('2026-05-02T07:00');
    expect(of({ digestFrequency: 'daily', quietHoursEnd: '09:29' }, '2026-05-01T21:30:00Z')).toBe(
      '2026-05-02T09:30',
    );
  });

  it('is none for users who want each by itself, or nothing ever', () => {
    expect(of({ digestFrequency: 'realtime' }, '2026-05-01T20:30:00Z')).toBeNull();
    expect(of({ quietHoursStart: '00:00', quietHoursEnd: '23:59' }, '2026-05-01T20:30:00Z')).toBeNull();
  });
});
