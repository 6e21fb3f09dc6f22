/** In seconds. */
export const HOUR = 3_600;
export const DAY = 24 * HOUR;
