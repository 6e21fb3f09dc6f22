import { rulesOf } from '../types.js';

/**
 * Why an address is on the suppression list.
 * - HARD_BOUNCE: nobody gets anything there
 * - SOFT_BOUNCES: it did not take five messages in a row, within 30 days
 * - COMPLAINT: its reader called a message spam
 * - STOP: its owner wants no messages from our number
 * - MANUAL: an admin added it
 */
export const suppressionCauses = ['HARD_BOUNCE', 'SOFT_BOUNCES', 'COMPLAINT', 'STOP', 'MANUAL'] as const;
export type SuppressionCause = (typeof suppressionCauses)[number];

/**
 * Whether a type is kept from an address that is on the list for this cause, or for none. What its user waits for (types that are
 * exempt from limits) passes a complaint, which is about other messages, and nothing else: where nobody gets anything, or
 * carriers block it, another channel is the better try.
 */
export const isKeptFrom = (cause: SuppressionCause | null | undefined, type: string): boolean =>
  cause != null && !(cause === 'COMPLAINT' && rulesOf(type).exempt === true);
