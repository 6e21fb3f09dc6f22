import { RRuleTemporal } from 'rrule-temporal';
import { ok, type Result, refused } from '../../../../platform/errors.js';

/** When something recurs (RFC 5545, 3.3.10), on a clock of its own: instants here are what that clock shows, as if it were UTC's. */
export interface Rule {
  /** The rule without COUNT and UNTIL. */
  readonly parts: string;
  /** So many times at most; null: no end. */
  readonly count: number | null;
  /** Not after this; null: no end. */
  readonly until: Date | null;
}

const MAX_LENGTH = 500;
const PARTS =
  /^(FREQ|INTERVAL|COUNT|UNTIL|BYSECOND|BYMINUTE|BYHOUR|BYDAY|BYMONTHDAY|BYYEARDAY|BYWEEKNO|BYMONTH|BYSETPOS|WKST)=([A-Z0-9,+-]+)$/;
const MAX_COUNT = 100_000;
/** As many as a month has days. */
const MAX_LISTED = 31;
const PATH = ['input', 'rrule'];

const invalid = (why: string): Result<never> => refused('RRULE_INVALID', why, PATH);

/**
 * Reads a rule, without `RRULE:` before it.
 *
 * Refused with RRULE_INVALID, or RRULE_TOO_OFTEN where it can recur more than once an hour.
 */
export function readRule(text: string): Result<Rule> {
  if (text.length > MAX_LENGTH) return invalid(`A rule has at most ${MAX_LENGTH} characters`);
  const parts = new Map<string, string>();
  for (const part of text.toUpperCase().split(';')) {
    const [, name = '', value = ''] = PARTS.exec(part) ?? [];
    if (!name) return invalid(`${JSON.stringify(part)} is no part of a rule like FREQ=WEEKLY;BYDAY=MO`);
    if (parts.has(name)) return invalid(`${name} is there twice`);
    if (value.split(',').length > MAX_LISTED) return invalid(`${name} has at most ${MAX_LISTED} values`);
    parts.set(name, value);
  }
  return readParts(parts);
}

function readParts(parts: ReadonlyMap<string, string>): Result<Rule> {
  const freq = parts.get('FREQ') ?? '';
  if (['SECONDLY', 'MINUTELY'].includes(freq) || isList(parts, 'BYSECOND') || isList(parts, 'BYMINUTE'))
    return refused('RRULE_TOO_OFTEN', 'A notification recurs once an hour at most', PATH);
  if (!['HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'].includes(freq)) return invalid('A rule needs FREQ');
  if (parts.has('BYSETPOS') && !['MONTHLY', 'YEARLY'].includes(freq))
    return invalid('BYSETPOS is for FREQ=MONTHLY and FREQ=YEARLY');
  // Each day of centuries would be looked at to find out whether they ever meet.
  if (parts.has('BYWEEKNO') && (parts.has('BYYEARDAY') || parts.has('BYSETPOS')))
    return invalid('BYWEEKNO goes with neither BYYEARDAY nor BYSETPOS');
  const [count, interval] = ['COUNT', 'INTERVAL'].map((name) => Number(parts.get(name) ?? 1));
  if (!isCount(count) || !isCount(interval)) return invalid(`COUNT and INTERVAL are 1 to ${MAX_COUNT}`);
  const until = parts.has('UNTIL') ? readStamp(parts.get('UNTIL')!) : null;
  if (until && Number.isNaN(until.getTime())) return invalid('UNTIL is like 20261231 or 20261231T235959');
  const kept = [...parts].filter(([name]) => name !== 'COUNT' && name !== 'UNTIL');
  const rule = {
    parts: kept.map((part) => part.join('=')).join(';'),
    count: parts.has('COUNT') ? count! : null,
    until,
  };
  try {
    rulesFrom(rule, new Date(0), new Date(0));
  } catch (error) {
    return invalid(error instanceof Error ? error.message : 'This rule cannot be read');
  }
  return ok(rule);
}

const isList = (parts: ReadonlyMap<string, string>, name: string): boolean =>
  parts.get(name)?.includes(',') ?? false;
const isCount = (count: number | undefined): boolean =>
  Number.isInteger(count) && count! >= 1 && count! <= MAX_COUNT;

/** A date means its end. */
function readStamp(text: string): Date {
  const [, year, month, day, hour = '23', minute = '59', second = '59'] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z?)?$/.exec(text) ?? [];
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
}

/** An instant as rules and notification ids have it: `20261231T235959`. */
export const stampOf = (at: Date): string => at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '');

/** An occurrence is looked for so far ahead: 29 February is a Monday again after 40 years at most. */
const SPAN_MS = 41 * 366 * 86_400_000;
/** Periods that are gone through. */
const MAX_STEPS = 10_000;
/** Times in them that are looked at. */
const MAX_CANDIDATES = 20_000;

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** The day of BYWEEKNO is the start's where none is named: the library loses it where it goes on in a later year. */
const withDay = (parts: string, start: Date): string =>
  parts.includes('BYWEEKNO') && !parts.includes('BYDAY')
    ? `${parts};BYDAY=${WEEKDAYS[start.getUTCDay()]}`
    : parts;

/** @param after so that the search ends, a rule ends `SPAN_MS` after this */
const rulesFrom = ({ parts }: Rule, start: Date, after: Date) =>
  new RRuleTemporal({
    rruleString: `DTSTART;TZID=UTC:${stampOf(start)}\nRRULE:${withDay(parts, start)};UNTIL=${stampOf(new Date(after.getTime() + SPAN_MS))}Z`,
    maxIterations: MAX_STEPS,
    maxCandidateEvaluations: MAX_CANDIDATES,
    strict: true,
  });

/** The first occurrence, at `start` or after it, to the second; null where there is none in 40 years. */
export const firstOf = (rule: Rule, start: Date): Date | null =>
  hasPlaces(rule) ? find(rule, start, start, true) : null;

/** Whether a month or year of the rule may have as many times as one of its places says: else all of 40 years would be gone through in vain. */
function hasPlaces({ parts }: Rule): boolean {
  const lists = new Map(parts.split(';').map((part) => part.split('=') as [string, string]));
  const places = lists.get('BYSETPOS')?.split(',');
  if (!places) return true;
  const isMonthly = lists.get('FREQ') === 'MONTHLY';
  const count = (name: string, each = 1): number => (lists.get(name)?.split(',').length ?? 1) * each;
  const days = [
    ...(lists.has('BYYEARDAY') ? [count('BYYEARDAY')] : []),
    ...(lists.has('BYMONTHDAY') ? [count('BYMONTHDAY', isMonthly ? 1 : 12)] : []),
    ...(lists.has('BYDAY') ? [isMonthly ? 31 : 366] : []),
  ];
  // Where no day is named, it is the start's, in each month that is.
  const most = days.length > 0 ? Math.min(...days) : isMonthly ? 1 : count('BYMONTH');
  return places.some((place) => Math.abs(Number(place)) <= most * count('BYHOUR'));
}

/**
 * The first occurrence after `after`; null where there is none in 40 years.
 *
 * @param start of the whole series
 * @param last an occurrence that is not after `after`
 */
export function nextOf(rule: Rule, start: Date, last: Date, after: Date): Date | null {
  // What recurs goes on from each occurrence as it does from the start, but for places within a month or year, and where the week of an
  // occurrence belongs to another year than its day: another interval would be counted from there.
  const isOfStart = rule.parts.includes('BYSETPOS') || isInOtherYearsWeek(rule, last);
  return find(rule, isOfStart ? start : last, after, false);
}

/** Whether a day that a week's number chose is in the week of another year: a week is of the year that has four of its days. */
function isInOtherYearsWeek({ parts }: Rule, at: Date): boolean {
  if (!parts.includes('BYWEEKNO')) return false;
  const firstDay = WEEKDAYS.indexOf(/WKST=(\w\w)/.exec(parts)?.[1] ?? 'MO');
  const fourth = new Date(at);
  fourth.setUTCDate(at.getUTCDate() - ((at.getUTCDay() - firstDay + 7) % 7) + 3);
  return fourth.getUTCFullYear() !== at.getUTCFullYear();
}

/** Times have seconds: a start with a fraction of one is the first occurrence as well. */
const SECOND_MS = 1_000;
const toSecond = (at: Date): Date => new Date(Math.floor(at.getTime() / SECOND_MS) * SECOND_MS);

function find(rule: Rule, from: Date, after: Date, isIncluded: boolean): Date | null {
  const found = search(rule, toSecond(from), toSecond(after), isIncluded);
  if (!found) return null;
  const at = new Date(found.epochMilliseconds);
  return rule.until && at > rule.until ? null : at;
}

function search(rule: Rule, from: Date, after: Date, isIncluded: boolean) {
  try {
    return rulesFrom(rule, from, after).next(after, isIncluded);
  } catch (error) {
    // It gives up after so many steps.
    if (error instanceof Error && error.message.startsWith('Maximum ')) return null;
    throw error;
  }
}
