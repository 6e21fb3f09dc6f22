import type { Tier } from './types.js';

/** One request more or less is a tenth of these and more: to be near them is everyday. */
const SMALLEST = 10;

/**
 * Whether a caller near this limit tells an operator anything: it is enforced, the caller's own (nobody is to blame
 * for what all share), of the caller as a whole and not of one endpoint, and of 10 units at least. A sign-in rule of
 * five or a burst of one is used up by whoever uses it at all.
 */
export const tellsOfItsCaller = ({ shadow, scope, level, limit }: Tier): boolean =>
  !shadow && scope !== 'global' && level !== 'endpoint' && limit >= SMALLEST;
