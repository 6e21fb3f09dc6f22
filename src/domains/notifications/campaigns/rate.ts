/** How fast a producer wants a campaign to be sent. */
export interface Throttle {
  readonly maxPerSecond?: number | undefined;
  /** Over so many hours it is spread. */
  readonly windowHours?: number | undefined;
}

export interface Rate {
  /** Users a second, above 0. */
  readonly ratePerSecond: number;
  /** The asked rate would not have finished in the window. */
  readonly rateRaised: boolean;
}

/** Where neither a rate nor a window is given. */
export const DEFAULT_PER_SECOND = 500;
const HOUR_SECONDS = 3_600;
/** So much of the window is planned with: pages are stored a little late, and an estimate may be a little low. */
const SHARE_OF_WINDOW = 0.98;

/**
 * The rate of a campaign. With a window alone its users are spread over the window; with both, the asked rate holds unless it would not
 * finish in the window.
 *
 * @param users how many there are; it matters only where there is a window
 */
export function rateOf({ maxPerSecond, windowHours }: Throttle, users: number): Rate {
  if (windowHours === undefined)
    return { ratePerSecond: maxPerSecond ?? DEFAULT_PER_SECOND, rateRaised: false };
  const needed = users / (windowHours * HOUR_SECONDS * SHARE_OF_WINDOW);
  if (maxPerSecond === undefined)
    return { ratePerSecond: users > 0 ? needed : DEFAULT_PER_SECOND, rateRaised: false };
  return needed > maxPerSecond
    ? { ratePerSecond: needed, rateRaised: true }
    : { ratePerSecond: maxPerSecond, rateRaised: false };
}
