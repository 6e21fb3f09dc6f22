export const spans = ['hour', 'day', 'week', 'month', 'custom'] as const;
export const comparisons = ['none', 'before', 'week'] as const;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LENGTHS: Readonly<Record<string, number>> = { hour: HOUR, day: DAY, week: 7 * DAY, month: 30 * DAY };
const LONGEST = 90 * DAY;

/** A span of whole minutes, over more than two days of whole hours, as the API counts. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface ChosenSpan {
  readonly span: string;
  readonly from: string;
  readonly to: string;
  readonly compare: string;
}

/** What was typed wrongly is the last day; of what is longer than the API counts, the end. */
export function spanOf({ span, from, to }: Pick<ChosenSpan, 'span' | 'from' | 'to'>, now: number): Span {
  if (span === 'custom') {
    const [start, end] = [Date.parse(from), to === '' ? now : Date.parse(to)];
    if (end > start) return whole(start, end);
  }
  return whole(now - (LENGTHS[span] ?? DAY), now);
}

/** The span right before, or the same one a week earlier. */
export function comparedWith({ fromMs, toMs }: Span, compare: string): Span | null {
  const back = compare === 'before' ? toMs - fromMs : compare === 'week' ? 7 * DAY : 0;
  return back === 0 ? null : { fromMs: fromMs - back, toMs: toMs - back };
}

function whole(fromMs: number, toMs: number): Span {
  const minutes = rounded(fromMs, toMs, MINUTE);
  if (minutes.toMs - minutes.fromMs <= 2 * DAY) return minutes;
  const hours = rounded(fromMs, toMs, HOUR);
  return { ...hours, fromMs: Math.max(hours.fromMs, hours.toMs - LONGEST) };
}

function rounded(fromMs: number, toMs: number, unit: number): Span {
  const start = Math.floor(fromMs / unit) * unit;
  return { fromMs: start, toMs: Math.max(Math.ceil(toMs / unit) * unit, start + unit) };
}

export const timesOf = ({ fromMs, toMs }: Span) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
});
