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

/** Whether a name is an IANA time zone that this machine knows. */
export function isTimeZone(name: string): boolean {
  try {
    clockOf(name);
    // `+05:30` is an offset and no zone: it would not follow daylight saving.
    return !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/** What a clock on the wall shows, `HH:MM`. */
function wallClock(timezone: string, now: number): string {
  return clockOf(timezone).format(now);
}

/** Making a formatter costs a hundred times its use. A zone has many spellings, so what is kept is bounded. */
const clocks = new LRUCache<string, Intl.DateTimeFormat>({ max: 1_000 });

function clockOf(timezone: string): Intl.DateTimeFormat {
  let clock = clocks.get(timezone);
  if (!clock) {
    clock = new Intl.DateTimeFormat('en-GB', {
      timeZone: timezone,
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    clocks.set(timezone, clock);
  }
  return clock;
}
