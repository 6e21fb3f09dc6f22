import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from './quiet-hours.js';

/**
 * What calendar and clock on a wall of a zone show at an instant: minutes since the midnight that began 1970 there. Days are
 * 1,440 of them, and no zone shows all of them.
 *
 * @param at milliseconds since the epoch
 */
export function localMinute(timezone: string, at: number): number {
  const shown = calendars.memo(timezone).format(at).match(/\d+/g) ?? [];
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = shown.map(Number);
  return Date.UTC(year, month - 1, day, hour, minute) / MINUTE_MS;
}

/**
 * The first instant at which a zone shows a local time. One that daylight saving skips is passed at the instant of the change; of
 * one that comes twice it is the first.
 *
 * @param local as `localMinute` answers it
 * @returns milliseconds since the epoch
 */
export function instantOf(timezone: string, local: number): number {
  const nominal = local * MINUTE_MS;
  // No zone changes its clock twice within two days.
  const [before, after] = [nominal - DAY_MS, nominal + DAY_MS].map((at) => nominal - offsetOf(timezone, at));
  if (localMinute(timezone, before!) === local) return before!;
  if (localMinute(timezone, after!) === local) return after!;
  return firstChange(timezone, after!, before!);
}

/** The instant at which a zone shows the date and time that UTC shows at another one. */
export function inZone(timezone: string, shown: Date): Date {
  const minute = Math.floor(shown.getTime() / MINUTE_MS);
  return new Date(instantOf(timezone, minute) + shown.getTime() - minute * MINUTE_MS);
}

const DAY_MS = 86_400_000;

/** How far local time is ahead of UTC, in milliseconds. */
const offsetOf = (timezone: string, at: number): number =>
  localMinute(timezone, at) * MINUTE_MS - Math.floor(at / MINUTE_MS) * MINUTE_MS;

/** The first minute in (from, to] with another offset than `from`, where there is one change between them. */
function firstChange(timezone: string, from: number, to: number): number {
  const first = offsetOf(timezone, from);
  let [before, after] = [0, (to - from) / MINUTE_MS];
  while (after - before > 1) {
    const middle = (before + after) >> 1;
    if (offsetOf(timezone, from + middle * MINUTE_MS) === first) before = middle;
    else after = middle;
  }
  return from + after * MINUTE_MS;
}

/** Making a formatter costs a hundred times its use. A zone has many spellings, so what is kept is bounded. */
const calendars = new LRUCache<string, Intl.DateTimeFormat>({
  max: 1_000,
  memoMethod: (timeZone) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      calendar: 'gregory',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
});
