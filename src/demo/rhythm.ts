import { firstAbove } from './random.js';

/** Milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const STEP = 10 * MINUTE;
const BUSIEST_HOUR_UTC = 19;

/**
 * Spreads shares of a span over real time by day and night: few posts at 7 in the morning UTC, most at 19.
 * A higher share always comes later, so rows keep their order whenever the demo is loaded.
 *
 * @param now milliseconds since the epoch; the span of `days` ends here
 * @returns turns a share, from 0 up to 1, into milliseconds since the epoch
 */
export function dayAndNight(now: number, days: number): (share: number) => number {
  const start = now - days * DAY;
  const cumulative = new Float64Array((days * DAY) / STEP);
  let total = 0;
  for (let step = 0; step < cumulative.length; step += 1) {
    total += activity(start + step * STEP);
    cumulative[step] = total;
  }
  return (share) => {
    const wanted = share * total;
    const step = firstAbove(cumulative, wanted);
    const before = step === 0 ? 0 : cumulative[step - 1]!;
    const within = (wanted - before) / (cumulative[step]! - before);
    return Math.min(now, Math.floor(start + (step + within) * STEP));
  };
}

/** How busy an instant is, from 0.2 to 1.8. */
function activity(at: number): number {
  const hour = (at % DAY) / HOUR;
  return 1 + 0.8 * Math.cos(((hour - BUSIEST_HOUR_UTC) / 12) * Math.PI);
}
