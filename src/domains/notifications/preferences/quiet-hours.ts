import { LRUCache } from 'lru-cache';

/** When a user wants to be left alone. Times are `HH:MM` on the user's own clock. */
export interface QuietHours {
  readonly quietHoursStart: string | null;
  readonly quietHoursEnd: string | null;
  /** An IANA zone name. */
  readonly timezone: string;
}

/**
 * Whether an instant lies within quiet hours (notification document, rules for quiet hours). Both ends belong to
 * them, to the minute; where the end does not follow the start, they span midnight.
 *
 * @param now milliseconds since the epoch
 */
export function isQuiet(hours: QuietHours, now: number): boolean {
  const { quietHoursStart: start, quietHoursEnd: end } = hours;
  if (start === null || end === null) return false;
  const time = wallClock(hours.timezone, now);
  return start < end ? start <= time && time <= end : time >= start || time <= end;
}

/**
 * The first instant after `now` that is no longer quiet, on the user's own clock whatever daylight saving does to it:
 * an hour that is skipped cannot be waited for, and of one that comes twice each is looked at.
 *
 * @param now milliseconds since the epoch, as is the answer
 * @returns null where there is nothing to wait for: it is not quiet at `now`, or it is quiet around the clock
 */
export function quietHoursEnd(hours: QuietHours, now: number): number | null {
  const { quietHoursStart: start, quietHoursEnd: end } = hours;
  if (start === null || end === null || isAroundTheClock(start, end) || !isQuiet(hours, now)) return null;
  const last = minuteOfDay(end);
  let at = now - (now % MINUTE_MS);
  // Each round ends with the quiet hours or with a change of the clock, and no zone changes its clock daily.
  for (;;) {
    const over = at + ((last - wallMinute(hours.timezone, at) + DAY) % DAY) * MINUTE_MS + MINUTE_MS;
    at = firstClockChange(hours.timezone, at, over) ?? over;
    if (!isQuiet(hours, at)) return at;
  }
}

export const MINUTE_MS = 60_000;
/** In minutes. */
export const DAY = 24 * 60;

/** Of `HH:MM`: minutes since midnight. */
export function minuteOfDay(time: string): number {
  const [hour, minute] = time.split(':').map(Number);
  return hour! * 60 + minute!;
}

/** What a clock on the wall shows, in minutes since midnight. */
export const wallMinute = (timezone: string, at: number): number => minuteOfDay(wallClock(timezone, at));

/** Whether both ends and what lies between them are the whole day. */
function isAroundTheClock(start: string, end: string): boolean {
  const [first, last] = [minuteOfDay(start), minuteOfDay(end)];
  return first < last ? last - first === DAY - 1 : first <= last + 1;
}

/** The minute in (from, to] at which the clock on the wall jumps; null where it runs on as time does. */
export function firstClockChange(timezone: string, from: number, to: number): number | null {
  const shown = wallMinute(timezone, from);
  const runsOn = (minutes: number): boolean =>
    wallMinute(timezone, from + minutes * MINUTE_MS) === (shown + minutes) % DAY;
  let [before, after] = [0, (to - from) / MINUTE_MS];
  if (runsOn(after)) return null;
  while (after - before > 1) {
    const middle = (before + after) >> 1;
    if (runsOn(middle)) before = middle;
    else after = middle;
  }
  return from + after * MINUTE_MS;
}

/** Whether a name is an IANA time zone that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    clocks.memo(name);
    // `+05:30` is an offset and no zone: it would not follow daylight saving.
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/** What a clock on the wall shows, `HH:MM`. */
const wallClock = (timezone: string, now: number): string => clocks.memo(timezone).format(now);

/** Making a formatter costs a hundred times its use. A zone has many spellings, so what is kept is bounded. */
const clocks = new LRUCache<string, Intl.DateTimeFormat>({
  max: 1_000,
  memoMethod: (timeZone) =>
    new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
});
