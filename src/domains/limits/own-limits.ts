import type { Tier } from '../../platform/gate.js';

/** One request more or less is a tenth of these and more: to be near them is everyday. */
const SMALLEST = 10;

/**
 * Whether a caller near this limit is of interest to an operator: the limit is enforced, is not shared with other callers, is
 * of the caller as a whole and not of one endpoint, and has 10 units at least. A sign-in rule of five or a burst of one
 * is used up by any caller who uses it at all.
 */
export const isOwnLimit = ({ shadow, scope, level, limit }: Tier): boolean =>
  !shadow && scope !== 'global' && level !== 'endpoint' && limit >= SMALLEST;
