import { z } from 'zod';

const date = z.iso.date();
const dateTime = z.iso.datetime({ offset: true });
const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * A date (`2026-01-31`, which is its midnight in UTC) or a date-time with its zone (`2026-01-31T12:00:00+01:00`) in the one form in
 * which instants are stored and compared, `2026-01-31T11:00:00.000Z`: of two, the later one is also the greater text. Null where
 * the text is neither.
 */
export function readInstant(text: string): string | null {
  const isInstant = date.safeParse(text).success || dateTime.safeParse(text).success;
  return isInstant ? instantOf(Date.parse(text)) : null;
}

/** The same form for milliseconds since the epoch; null outside the years 1 to 9999. */
export const instantOf = (ms: number): string | null =>
  ms >= FIRST && ms <= LAST ? new Date(ms).toISOString() : null;
