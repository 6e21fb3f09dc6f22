import { LRUCache } from 'lru-cache';
import { instantOf, localMinute } from '../preferences/local-time.js';
import {
  DAY,
  firstClockChange,
  isQuiet,
  MINUTE_MS,
  minuteOfDay,
  type QuietHours,
  quietHoursEnd,
  wallMinute,
} from '../preferences/quiet-hours.js';
import type { DigestFrequency } from '../preferences/settings.js';

/** When daily digests go, in the zone of each user, unless configured otherwise. */
export const DAILY_AT = '08:00';

/** What of a user's settings decides when their digests go. */
export interface DigestSettings extends QuietHours {
  readonly digestFrequency: DigestFrequency;
}

/**
 * When what comes now goes out with a user's next digest: at their next full hour, or at `dailyAt` of their zone; and where it is
 * quiet then, when quiet hours end.
 *
 * @param now milliseconds since the epoch, as is the answer
 * @param dailyAt `HH:MM`
 * @returns null where the user gets everything by itself, or is never to be disturbed
 */
export function digestDueAt(settings: DigestSettings, now: number, dailyAt: string): number | null {
  if (settings.digestFrequency === 'realtime') return null;
  const due = nextOf(settings.timezone, now, settings.digestFrequency === 'daily' ? dailyAt : null);
  return isQuiet(settings, due) ? quietHoursEnd(settings, due) : due;
}

/** A campaign asks the same of many users: until it has come, the next instant of a zone is the next one. */
const known = new LRUCache<string, { readonly since: number; readonly due: number }>({ max: 2_000 });

function nextOf(timezone: string, now: number, dailyAt: string | null): number {
  const key = `${dailyAt} ${timezone}`;
  const last = known.get(key);
  if (last && last.since <= now && now < last.due) return last.due;
  const due = dailyAt === null ? nextHour(timezone, now) : nextDaily(timezone, now, dailyAt);
  known.set(key, { since: now, due });
  return due;
}

/** The first instant after `now` at which a zone's clock shows a full hour. */
export function nextHour(timezone: string, now: number): number {
  let at = now - (now % MINUTE_MS);
  // Each round ends with a full hour or with a change of the clock, and no zone changes its clock daily.
  for (;;) {
    const full = at + (60 - (wallMinute(timezone, at) % 60)) * MINUTE_MS;
    at = firstClockChange(timezone, at, full) ?? full;
    if (wallMinute(timezone, at) % 60 === 0) return at;
  }
}

/**
 * The first instant after `now` that is a zone's daily one: when its clock shows that time for the first time on a day, or has
 * skipped it. A day that a zone leaves out has none.
 */
export function nextDaily(timezone: string, now: number, dailyAt: string): number {
  for (let day = dayOf(timezone, now); ; day += 1) {
    const due = instantOf(timezone, day * DAY + minuteOfDay(dailyAt));
    if (due > now && dayOf(timezone, due) === day) return due;
  }
}

const dayOf = (timezone: string, at: number): number => Math.floor(localMinute(timezone, at) / DAY);
