import type { ValueToken } from 'liquidjs';
import { LRUCache } from 'lru-cache';
import type { LiquidFault } from './position.js';
import { type Read, type Reader, spendOn } from './run.js';
import { isQuotedToken } from './tokens.js';
import { toText } from './values.js';

const MAX_FORMAT = 100;
/** In characters, as which a date's formatting is counted: a new formatter takes some 50 µs. */
const COST = 6_400;

/**
 * `date: "%d.%m.%Y %H:%M"`: an instant in the reader's zone, with names in the template's language. What is no date stays as it is.
 *
 * @throws what `fault` makes, where the format is none
 */
export function compileDate(
  args: readonly ValueToken[],
  read: Read,
  fault: (why: string) => LiquidFault,
): Read {
  const [token, ...more] = args;
  if (more.length > 0 || !isQuotedToken(token)) throw fault('date takes one format, in quotes');
  const format = token.content;
  if (format.length > MAX_FORMAT) throw fault(`a format has at most ${MAX_FORMAT} characters`);
  for (const [directive] of format.matchAll(DIRECTIVE)) {
    if (!Object.hasOwn(WRITERS, directive)) {
      throw fault(`date knows no ${directive}: there are ${Object.keys(WRITERS).join(' ')}`);
    }
  }
  return (run) => {
    const value = read(run);
    spendOn(run, COST);
    if (run.work < 0) return '';
    const moment = toMoment(value, run.reader);
    return moment ? format.replaceAll(DIRECTIVE, (directive) => WRITERS[directive]!(moment)) : toText(value);
  };
}
const DIRECTIVE = /%-?./gsu;

/** An instant, where and for whom it is written. */
interface Moment extends Reader {
  readonly at: Date;
}

const WRITERS: Readonly<Record<string, (moment: Moment) => string>> = {
  '%Y': (moment) => digits(moment, 'year'),
  '%y': (moment) => digits(moment, 'year').slice(-2),
  '%m': (moment) => twoDigits(moment, 'month'),
  '%-m': (moment) => digits(moment, 'month'),
  '%d': (moment) => twoDigits(moment, 'day'),
  '%-d': (moment) => digits(moment, 'day'),
  '%H': (moment) => twoDigits(moment, 'hour'),
  '%-H': (moment) => digits(moment, 'hour'),
  '%I': (moment) => String(hourOfHalf(moment)).padStart(2, '0'),
  '%-I': (moment) => String(hourOfHalf(moment)),
  '%p': (moment) => (Number(digits(moment, 'hour')) < 12 ? 'AM' : 'PM'),
  '%M': (moment) => twoDigits(moment, 'minute'),
  '%S': (moment) => twoDigits(moment, 'second'),
  '%A': (moment) => partOf(moment, 'long', 'weekday'),
  '%a': (moment) => partOf(moment, 'short', 'weekday'),
  '%B': (moment) => partOf(moment, 'long', 'month'),
  '%b': (moment) => partOf(moment, 'short', 'month'),
  '%F': (moment) => `${digits(moment, 'year')}-${twoDigits(moment, 'month')}-${twoDigits(moment, 'day')}`,
  '%R': (moment) => `${twoDigits(moment, 'hour')}:${twoDigits(moment, 'minute')}`,
  '%x': (moment) => formatter('date', moment).format(moment.at),
  '%X': (moment) => formatter('time', moment).format(moment.at),
  '%c': (moment) => formatter('both', moment).format(moment.at),
  '%%': () => '%',
};

const FORMATS = {
  digits: {
    ...{
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    },
    ...{ hourCycle: 'h23', calendar: 'gregory', numberingSystem: 'latn' },
  },
  // With the day, so that languages that decline their months have the form beside a number.
  long: { weekday: 'long', day: 'numeric', month: 'long' },
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  date: { dateStyle: 'medium' },
  time: { timeStyle: 'short' },
  both: { dateStyle: 'medium', timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

const formatters = new LRUCache<string, Intl.DateTimeFormat>({ maxSize: 200, sizeCalculation: () => 1 });

function formatter(name: keyof typeof FORMATS, { locale, timeZone }: Reader): Intl.DateTimeFormat {
  const key = `${name}/${locale}/${timeZone}`;
  let made = formatters.get(key);
  if (!made) {
    made = new Intl.DateTimeFormat(name === 'digits' ? 'en' : locale, { ...FORMATS[name], timeZone });
    formatters.set(key, made);
  }
  return made;
}

const partOf = (moment: Moment, name: keyof typeof FORMATS, type: Intl.DateTimeFormatPartTypes): string =>
  formatter(name, moment)
    .formatToParts(moment.at)
    .find((part) => part.type === type)?.value ?? '';
const digits = (moment: Moment, type: Intl.DateTimeFormatPartTypes): string => partOf(moment, 'digits', type);
const twoDigits = (moment: Moment, type: Intl.DateTimeFormatPartTypes): string =>
  digits(moment, type).padStart(2, '0');
const hourOfHalf = (moment: Moment): number => Number(digits(moment, 'hour')) % 12 || 12;

const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?<offset>Z|[+-]\d\d:\d\d)?)?$/;
/** Milliseconds as far as a `Date` reaches. */
const MAX_TIME = 8.64e15;

/** RFC 3339, or seconds since 1970. A day, or a time without an offset, is the same one in every zone. */
function toMoment(value: unknown, reader: Reader): Moment | null {
  if (typeof value === 'number') {
    const time = value * 1_000;
    return Math.abs(time) <= MAX_TIME ? { ...reader, at: new Date(time) } : null;
  }
  const match = typeof value === 'string' && value.length <= 40 ? ISO.exec(value) : null;
  if (!match) return null;
  const [text] = match;
  const isLocal = match.groups?.offset === undefined;
  const at = new Date(isLocal && text.length > 10 ? `${text}Z` : text);
  if (Number.isNaN(at.getTime())) return null;
  return { ...reader, at, ...(isLocal && { timeZone: 'UTC' }) };
}
