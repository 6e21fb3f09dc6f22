/**
 * The pacing of a campaign, as a pure function of times. User k (from 0) is planned for `anchorAt + k / rate`: evenly, and never
 * ahead of that. In any second, wherever it begins, no more than the rate are sent.
 *
 * Both hold whenever the sender comes: what is late is made up for only as far as the last second allows, and lateness beyond a fifth
 * of a second moves the plan instead (`putOff`), so that an outage is followed by the usual pace and by no burst.
 */
export interface Pace {
  /** Users a second, above 0. Of a fraction, the next whole number is what one second may have. */
  readonly rate: number;
  /** When the first user is planned, in milliseconds. */
  readonly anchorAt: number;
  /** Since then. */
  readonly sent: number;
  /** What was sent in the last second, the oldest first. */
  readonly recent: readonly { readonly at: number; readonly count: number }[];
  /** The last page had fewer than were allowed: the next may follow at once. */
  readonly isBehind: boolean;
}

const SECOND_MS = 1_000;
/** Pages are so far apart, unless one was too small for all who are allowed. */
export const SLOT_MS = 100;
/** Later than this, the plan is moved: whatever is made up for at once is a gap and a burst again in each second that follows. */
const LATEST_MS = 200;

export const beginPace = (rate: number, anchorAt: number): Pace => ({
  rate,
  anchorAt,
  sent: 0,
  recent: [],
  isBehind: false,
});

/**
 * The pace of a campaign that is gone on with, by a run that does not know what former ones have sent but the last page: no user is sent
 * to before the distance from that one is over. So a campaign of one user in hours is no faster for being begun anew every few minutes.
 *
 * @param lastAt when the last page that had users was stored; null where there was none
 */
export function resumePace(rate: number, lastAt: number | null, now: number): Pace {
  // What the last second had is not known.
  const distanceMs = Math.max(SECOND_MS, SECOND_MS / rate);
  // It is not ahead, unless by another clock.
  const next = lastAt === null ? now : Math.min(lastAt, now) + distanceMs;
  return beginPace(rate, Math.max(now, next));
}

/** How many users may be sent to now. */
export function allowance(pace: Pace, now: number): number {
  if (now < pace.anchorAt || now < slotAt(pace)) return 0;
  const lately = pace.recent.reduce((sum, { at, count }) => (at > now - SECOND_MS ? sum + count : sum), 0);
  return Math.max(0, Math.min(plannedBy(pace, now) - pace.sent, mostOf(pace) - lately));
}

/** The first moment, in whole milliseconds, at which `allowance` is above 0. */
export function nextAt(pace: Pace): number {
  // Rounded, it may be a millisecond beside what the plan says.
  let at = Math.ceil(planOf(pace)) - 1;
  while (plannedBy(pace, at) <= pace.sent) at += 1;
  return Math.max(at, slotAt(pace), allowedAt(pace));
}

/** The pace after so many were sent at a moment that is not before the last one. */
export const record = (pace: Pace, at: number, count: number): Pace => ({
  ...pace,
  sent: pace.sent + count,
  recent: [...pace.recent.filter((one) => one.at > at - SECOND_MS), { at, count }],
  isBehind: count < allowance(pace, at),
});

/** The pace whose next user is at most a fifth of a second late. */
export function putOff(pace: Pace, now: number): Pace {
  const tooLate = now - LATEST_MS - planOf(pace);
  return tooLate > 0 ? { ...pace, anchorAt: pace.anchorAt + tooLate } : pace;
}

/** When the next page may come, as far as the distance of pages is concerned. */
function slotAt({ recent, isBehind }: Pace): number {
  const last = recent.at(-1);
  if (!last) return Number.NEGATIVE_INFINITY;
  return isBehind ? last.at : last.at + SLOT_MS;
}

/** For when the next user is planned. */
const planOf = ({ rate, anchorAt, sent }: Pace): number => anchorAt + (sent / rate) * SECOND_MS;

/** How many users are planned for a moment or an earlier one. */
const plannedBy = ({ rate, anchorAt }: Pace, at: number): number =>
  at < anchorAt ? 0 : Math.floor((rate * (at - anchorAt)) / SECOND_MS) + 1;

const mostOf = ({ rate }: Pace): number => Math.ceil(rate);

/** When enough of the last second is over that it allows one more. */
function allowedAt(pace: Pace): number {
  let left = pace.recent.reduce((sum, { count }) => sum + count, 0);
  let at = Number.NEGATIVE_INFINITY;
  for (const one of pace.recent) {
    if (left < mostOf(pace)) break;
    left -= one.count;
    at = one.at + SECOND_MS;
  }
  return at;
}
