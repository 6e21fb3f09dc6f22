import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allowance,
  beginPace,
  nextAt,
  type Pace,
  putOff,
  record,
  resumePace,
  SLOT_MS,
} from '../../src/domains/notifications/campaigns/pace.js';
import { DEFAULT_PER_SECOND, rateOf } from '../../src/domains/notifications/campaigns/rate.js';

interface Sent {
  readonly at: number;
  readonly count: number;
}

const START = 1_700_000_000_000;

/**
 * Sends at a rate, coming late by each of these milliseconds in turn.
 *
 * @param most users of one page
 */
function run(rate: number, lateMs: readonly number[], most = Number.POSITIVE_INFINITY): readonly Sent[] {
  let pace: Pace = beginPace(rate, START);
  const sent: Sent[] = [];
  for (const late of lateMs) {
    const at = nextAt(pace) + late;
    pace = putOff(pace, at);
    const count = Math.min(allowance(pace, at), most);
    if (count === 0) continue;
    sent.push({ at, count });
    pace = record(pace, at, count);
  }
  return sent;
}

const rates = fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.double({ min: 0.01, max: 500, noNaN: true }));
const within = (sent: readonly Sent[], from: number): number =>
  sent.reduce((sum, { at, count }) => (at >= from && at < from + 1_000 ? sum + count : sum), 0);

describe('the pace of a campaign', () => {
  it('is never over the rate in any second, however late the sender comes', () => {
    fc.assert(
      fc.property(
        rates,
        fc.array(fc.nat(3_000), { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 1, max: 5_000 }),
        (rate, late, most) => {
          const sent = run(rate, late, most);
          for (const { at } of sent) {
            expect(within(sent, at)).toBeLessThanOrEqual(Math.ceil(rate));
            // Seconds that end with a page.
            expect(within(sent, at - 999)).toBeLessThanOrEqual(Math.ceil(rate));
          }
        },
      ),
    );
  });

  it('is never late by more than a second where the sender comes in time, and never early', () => {
    fc.assert(
      fc.property(rates, fc.array(fc.nat(3), { minLength: 1, maxLength: 300 }), (rate, late) => {
        let before = 0;
        for (const { at, count } of run(rate, late)) {
          const due = (rate * (at - START)) / 1_000 + 1;
          expect(before + count).toBeLessThanOrEqual(due + 1e-3);
          // The first of these was planned for then; a page comes every tenth of a second at most.
          const planned = START + (before / rate) * 1_000;
          expect(at - planned).toBeLessThanOrEqual(1_000);
          before += count;
        }
      }),
    );
  });

  it('spaces users evenly within each second', () => {
    const sent = run(
      500,
      Array.from({ length: 101 }, () => 0),
    );
    expect(sent[0]).toEqual({ at: START, count: 1 });
    expect(sent.slice(1).every(({ count }) => count === 50)).toBe(true);
    expect(sent.every(({ at }, index) => at === START + index * SLOT_MS)).toBe(true);
  });

  it('sends a page at once after one that was too small for all who were due', () => {
    let pace = record(beginPace(30_000, START), START, 1);
    const at = nextAt(pace);
    expect(at).toBe(START + SLOT_MS);
    const due = allowance(pace, at);
    expect(due).toBe(3_000);
    for (const left of [2_000, 1_000, 0]) {
      pace = record(pace, at, 1_000);
      expect(allowance(pace, at)).toBe(left);
    }
    expect(nextAt(pace)).toBe(at + SLOT_MS);
  });

  it('says when the next user may be sent to: not a millisecond earlier', () => {
    fc.assert(
      fc.property(rates, fc.array(fc.nat(400), { maxLength: 60 }), (rate, late) => {
        let pace = beginPace(rate, START);
        for (const one of late) {
          const at = nextAt(pace);
          expect(allowance(pace, at)).toBeGreaterThan(0);
          expect(allowance(pace, at - 1)).toBe(0);
          const came = at + one;
          pace = putOff(pace, came);
          const count = allowance(pace, came);
          if (count > 0) pace = record(pace, came, count);
        }
      }),
    );
  });

  it('goes on as before after an outage, without making up for it', () => {
    const sent = run(100, [
      ...Array.from({ length: 30 }, () => 0),
      60_000,
      ...Array.from({ length: 30 }, () => 0),
    ]);
    const after = sent.filter(({ at }) => at > START + 60_000);
    expect(after.length).toBeGreaterThan(25);
    expect(Math.max(...after.map(({ count }) => count))).toBeLessThanOrEqual(21);
    const seconds = (after.at(-1)!.at - after[0]!.at) / 1_000;
    expect(after.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(21 + 100 * seconds);
  });
});

it('of a campaign that is begun anew again and again, by runs of any length, is what it would be in one', () => {
  const runsMs = fc.array(fc.integer({ min: 1, max: 1_200_000 }), { minLength: 1, maxLength: 60 });
  const slow = fc.double({ min: 0.00001, max: 0.05, noNaN: true });
  fc.assert(
    fc.property(slow, runsMs, (rate, lengths) => {
      const sent: number[] = [];
      let now = START;
      for (const length of lengths) {
        const endsAt = now + length;
        for (let pace = resumePace(rate, sent.at(-1) ?? null, now); ; ) {
          const at = Math.max(nextAt(pace), now);
          if (at >= endsAt) break;
          now = at;
          pace = putOff(pace, now);
          const count = allowance(pace, now);
          for (let user = 0; user < count; user += 1) sent.push(now);
          if (count > 0) pace = record(pace, now, count);
        }
        now = endsAt;
      }
      // Times are whole milliseconds.
      const planned = 1 + Math.floor((rate * (now - START + 1)) / 1_000);
      expect(sent.length).toBeLessThanOrEqual(planned);
    }),
  );
});

it('of a campaign whose last page is of a clock that is ahead makes it wait no longer than for its next user', () => {
  expect(nextAt(resumePace(0.01, START + 3_600_000, START))).toBe(START + 100_000);
  expect(nextAt(resumePace(500, START + 3_600_000, START))).toBe(START + 1_000);
  expect(nextAt(resumePace(0.01, START - 3_600_000, START))).toBe(START);
  expect(nextAt(resumePace(0.01, null, START))).toBe(START);
});

describe('the rate of a campaign', () => {
  it.each([
    ['neither', {}, 1_000_000, DEFAULT_PER_SECOND, false],
    ['a rate', { maxPerSecond: 20 }, 1_000_000, 20, false],
    [
      'a window that the rate is fast enough for',
      { maxPerSecond: 20, windowHours: 24 },
      1_000_000,
      20,
      false,
    ],
    ['a window that nobody is in', { windowHours: 24 }, 0, DEFAULT_PER_SECOND, false],
  ])('is, given %s, what was asked for', (_, throttle, users, ratePerSecond, rateRaised) => {
    expect(rateOf(throttle, users)).toEqual({ ratePerSecond, rateRaised });
  });

  it('is raised where it would not finish in its window, and finishes in it then', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.integer({ min: 1, max: 720 }),
        fc.integer({ min: 1, max: 100_000_000 }),
        (maxPerSecond, windowHours, users) => {
          const { ratePerSecond, rateRaised } = rateOf({ maxPerSecond, windowHours }, users);
          expect(users / ratePerSecond).toBeLessThanOrEqual(windowHours * 3_600);
          expect(rateRaised).toBe(ratePerSecond > maxPerSecond);
          const spread = rateOf({ windowHours }, users);
          expect(spread.rateRaised).toBe(false);
          expect(users / spread.ratePerSecond).toBeGreaterThan(windowHours * 3_600 * 0.97);
        },
      ),
    );
  });
});
