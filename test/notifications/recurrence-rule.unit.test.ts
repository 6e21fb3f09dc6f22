import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { describe, expect, it } from 'vitest';
import {
  firstOf,
  nextOf,
  type Rule,
  readRule,
  stampOf,
} from '../../src/domains/notifications/schedule/recurring/rule.js';

const at = (text: string): Date => new Date(`${text}Z`);
const read = (text: string): Rule => {
  const rule = readRule(text);
  if (!rule.ok) throw new Error(JSON.stringify(rule.errors));
  return rule.value;
};
const codeOf = (text: string): string | null => {
  const rule = readRule(text);
  return rule.ok ? null : rule.errors[0]!.code;
};

const numbers = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, n) => first + n).join();

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The first occurrences within 40 years as the library lists them; none where it gives up. */
function fromStart(text: string, start: Date, length: number): string[] {
  const until = stampOf(new Date(start.getTime() + 40 * 366 * 86_400_000));
  const found: string[] = [];
  try {
    new RRuleTemporal({
      rruleString: `DTSTART;TZID=UTC:${stampOf(start)}\nRRULE:${text};UNTIL=${until}Z`,
    }).all((one) => found.push(stampOf(new Date(one.epochMilliseconds))) < length);
  } catch {
    return [];
  }
  return found.slice(0, length);
}

/** The first occurrences, each found from the one before. */
function series(text: string, start: string, length: number): string[] {
  const rule = read(text);
  const found: string[] = [];
  let next = firstOf(rule, at(start));
  while (next && found.length < length) {
    found.push(stampOf(next));
    next = nextOf(rule, at(start), next, next);
  }
  return found;
}

describe('a recurrence rule', () => {
  it('is refused where it recurs more than once an hour', () => {
    for (const rule of [
      'FREQ=SECONDLY',
      'FREQ=MINUTELY;INTERVAL=120',
      'FREQ=HOURLY;BYMINUTE=0,30',
      'FREQ=DAILY;BYSECOND=0,1,2',
    ])
      expect(codeOf(rule)).toBe('RRULE_TOO_OFTEN');
    expect(codeOf('FREQ=HOURLY')).toBeNull();
  });

  it('is refused where it is none', () => {
    for (const rule of [
      '',
      'BYDAY=MO',
      'FREQ=SOMETIMES',
      'FREQ=DAILY;FREQ=WEEKLY',
      'FREQ=DAILY;COUNT=0',
      'FREQ=DAILY;COUNT=x',
      'FREQ=DAILY;INTERVAL=0',
      'FREQ=DAILY;UNTIL=tomorrow',
      'FREQ=DAILY;UNTIL=20261340',
      'FREQ=DAILY;BYSETPOS=1',
      'FREQ=DAILY\nDTSTART:20200101T000000',
      'RRULE:FREQ=DAILY',
      `FREQ=DAILY;BYDAY=${'MO,'.repeat(200)}MO`,
      `FREQ=YEARLY;BYYEARDAY=${numbers(1, 32)}`,
      'FREQ=YEARLY;BYWEEKNO=20;BYYEARDAY=1',
      'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO,TU;BYSETPOS=1',
    ])
      expect([rule, codeOf(rule)]).toEqual([rule, 'RRULE_INVALID']);
  });

  it('that never recurs is found out soon', () => {
    for (const rule of ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30'])
      expect(firstOf(read(rule), at('2026-01-01T09:00:00'))).toBeNull();
  });

  it.each([
    `FREQ=YEARLY;BYMONTH=12;BYYEARDAY=${numbers(1, 31)}`,
    `FREQ=YEARLY;INTERVAL=3;BYMONTH=12;BYYEARDAY=${numbers(1, 31)};BYHOUR=${numbers(0, 23)}`,
    `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${numbers(0, 17)};BYSETPOS=-366`,
    `FREQ=YEARLY;BYMONTH=3;BYWEEKNO=${numbers(20, 50)};BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=${numbers(0, 23)}`,
    `FREQ=MONTHLY;BYHOUR=${numbers(0, 23)};BYSETPOS=366`,
    `FREQ=MONTHLY;BYMONTH=1,4,5,8;BYHOUR=${numbers(0, 23)};BYSETPOS=-25,366`,
    `FREQ=YEARLY;BYYEARDAY=${numbers(1, 31)};BYDAY=MO,TU,WE;BYHOUR=${numbers(0, 10)};BYSETPOS=-366`,
    'FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30,31',
  ])('costs little to look for, whatever it is: %s', (text) => {
    const rule = read(text);
    const before = process.threadCpuUsage();
    firstOf(rule, at('2026-01-01T09:00:00'));
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(500);
  });

  it('with places has those alone that a month or a year may have', () => {
    for (const [text, first] of [
      ['FREQ=MONTHLY;BYHOUR=8,20;BYSETPOS=2', '20260101T200000'],
      ['FREQ=MONTHLY;BYHOUR=8,20;BYSETPOS=3', undefined],
      ['FREQ=MONTHLY;BYHOUR=8,20;BYSETPOS=3,-2', '20260201T080000'],
      ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=31', '20260131T090000'],
      ['FREQ=YEARLY;BYMONTH=3,6;BYSETPOS=2', '20260601T090000'],
      ['FREQ=YEARLY;BYMONTH=3,6;BYSETPOS=3', undefined],
      ['FREQ=YEARLY;BYMONTHDAY=31;BYSETPOS=7', '20261231T090000'],
      ['FREQ=YEARLY;BYYEARDAY=1,-1;BYSETPOS=-1', '20261231T090000'],
      ['FREQ=YEARLY;BYYEARDAY=1,-1;BYSETPOS=3', undefined],
    ] as const)
      expect([text, series(text, '2026-01-01T09:00:00', 1)]).toEqual([text, first ? [first] : []]);
  });

  it('may wait for decades, and not for centuries', () => {
    const [leap, rare] = ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU', 'FREQ=YEARLY;INTERVAL=100'];
    expect(series(leap, '2080-03-01T09:00:00', 2)).toEqual(['20880229T090000', '21280229T090000']);
    expect(series(rare, '2026-01-01T09:00:00', 2)).toEqual(['20260101T090000']);
    expect(
      firstOf(read(`FREQ=YEARLY;BYMONTH=12;BYYEARDAY=${numbers(1, 31)}`), at('2026-01-01T09:00:00')),
    ).toBeNull();
  });

  it('ends with its last day', () => {
    expect(series('FREQ=DAILY;UNTIL=20260103', '2026-01-01T09:00:00', 9)).toEqual([
      '20260101T090000',
      '20260102T090000',
      '20260103T090000',
    ]);
    expect(series('FREQ=DAILY;UNTIL=20260102T080000', '2026-01-01T09:00:00', 9)).toHaveLength(1);
  });

  it('has the occurrences that calendars give it', () => {
    expect(series('FREQ=MONTHLY;BYDAY=-1FR', '2026-01-01T09:00:00', 2)).toEqual([
      '20260130T090000',
      '20260227T090000',
    ]);
    expect(series('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2', '2026-01-01T09:00:00', 2)).toEqual([
      '20260102T090000',
      '20260203T090000',
    ]);
    expect(series('FREQ=MONTHLY', '2026-01-31T09:00:00', 3)).toEqual([
      '20260131T090000',
      '20260331T090000',
      '20260531T090000',
    ]);
  });

  it('begins at its start where that matches it to the second, whatever the fraction of a second', () => {
    const starts = fc.record({
      freq: fc.constantFrom('HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
      interval: fc.integer({ min: 1, max: 4 }),
      isNamed: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
      start: fc.date({ min: at('2026-01-01T00:00:00'), max: at('2036-01-01T00:00:00'), noInvalidDate: true }),
    });
    fc.assert(
      fc.property(starts, ({ freq, interval, isNamed, start }) => {
        const names = [
          `BYDAY=${WEEKDAYS[start.getUTCDay()]}`,
          `BYHOUR=${start.getUTCHours()}`,
          `BYMONTH=${start.getUTCMonth() + 1}`,
          `BYSECOND=${start.getUTCSeconds()}`,
        ].filter((_, index) => isNamed[index]);
        const rule = read([`FREQ=${freq};INTERVAL=${interval}`, ...names].join(';'));
        const first = firstOf(rule, start);
        expect([rule.parts, first && stampOf(first)]).toEqual([rule.parts, stampOf(start)]);
        const second = nextOf(rule, start, first!, first!);
        expect(second && stampOf(second)).not.toBe(stampOf(start));
      }),
      { numRuns: 300 },
    );
  });

  it('counts its intervals from its start where a week begins in the year before', () => {
    expect(series('FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO', '2027-01-04T09:00:00', 6)).toEqual([
      '20270104T090000',
      '20290101T090000',
      '20301230T090000',
      '20330103T090000',
      '20350101T090000',
      '20361229T090000',
    ]);
  });

  it('goes on from each occurrence as it does from the start', () => {
    const some = <T>(value: fc.Arbitrary<T>, maxLength = 3) =>
      fc.option(fc.uniqueArray(value, { minLength: 1, maxLength }), { nil: [], freq: 1 });
    const between = (min: number, max: number) => fc.integer({ min, max });
    const places = fc.constantFrom(-3, -2, -1, 1, 2, 3);
    const anyOf = {
      BYDAY: some(fc.constantFrom(...WEEKDAYS)),
      BYHOUR: some(between(0, 23)),
      WKST: some(fc.constantFrom(...WEEKDAYS), 1),
    };
    const ofDays = fc.record({
      ...anyOf,
      FREQ: fc.constantFrom('HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY').map((one) => [one]),
      BYMONTH: some(between(1, 12), 4),
      BYMONTHDAY: some(fc.oneof(between(1, 31), places), 4),
      BYYEARDAY: some(fc.oneof(between(1, 366), places), 4),
      BYSETPOS: some(places, 2),
    });
    const weeks = fc.oneof(between(1, 53), fc.constantFrom(1, 52, 53, -1));
    const ofWeeks = fc.record({
      ...anyOf,
      FREQ: fc.constant(['YEARLY']),
      BYWEEKNO: fc.uniqueArray(weeks, { minLength: 1, maxLength: 4 }),
    });
    const rules = fc.record({
      parts: fc.oneof(ofDays, ofWeeks),
      interval: between(1, 4),
      start: between(0, 8 * 366 * 24),
    });
    fc.assert(
      fc.property(rules, ({ parts, interval, start }) => {
        const named = Object.entries(parts).filter(([, values]) => values.length > 0);
        const text = [...named.map((part) => part.join('=')), `INTERVAL=${interval}`].join(';');
        fc.pre(readRule(text).ok);
        const from = new Date(Date.UTC(2026, 0, 1, start));
        const expected = fromStart(text, from, 10);
        expect([text, series(text, from.toISOString().slice(0, 19), expected.length)]).toEqual([
          text,
          expected,
        ]);
      }),
      { numRuns: 300 },
    );
  });
});
