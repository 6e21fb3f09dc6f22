const MINUTE = 60;
const HOUR = 3_600;
const WANTED_POINTS = 90;

/** The length of a step, in seconds, that makes about 90 points of a span: whole minutes, over more than two days whole hours. */
export function stepOf(fromMs: number, toMs: number): number {
  const seconds = Math.max((toMs - fromMs) / 1_000, MINUTE);
  const unit = seconds > 48 * HOUR ? HOUR : MINUTE;
  return Math.max(unit, Math.ceil(seconds / WANTED_POINTS / unit) * unit);
}
