import { ok, type Result, refused } from '../../../platform/errors.js';
import { isUuid } from '../text.js';
import type { Channel } from '../types.js';

/** Which dead letters to settle: those that are named, or a channel's; of both, those that are named. */
export interface DeadLetterSelection {
  readonly deliveryIds?: readonly string[] | undefined;
  readonly channel?: Channel | undefined;
}

/** A selection that can be carried out. */
export type CheckedSelection =
  | { readonly kind: 'named'; readonly deliveryIds: readonly string[]; readonly channel: Channel | null }
  | { readonly kind: 'channel'; readonly channel: Channel };

/** Dead letters that one call may name. */
const MAX_NAMED = 1_000;

/**
 * Refused with NO_DEAD_LETTERS or TOO_MANY_DEAD_LETTERS. An empty list means nothing, and never everything: the
 * caller who computed it may have meant to name some.
 */
export function checkSelection({ deliveryIds, channel }: DeadLetterSelection): Result<CheckedSelection> {
  if (deliveryIds) {
    if (deliveryIds.length === 0)
      return refused('NO_DEAD_LETTERS', 'Name at least one dead letter', ['input', 'deliveryIds']);
    if (deliveryIds.length > MAX_NAMED)
      return refused('TOO_MANY_DEAD_LETTERS', `At most ${MAX_NAMED} dead letters at once`, [
        'input',
        'deliveryIds',
      ]);
    return ok({ kind: 'named', deliveryIds, channel: channel ?? null });
  }
  if (!channel) return refused('NO_DEAD_LETTERS', 'Name dead letters or a channel', ['input']);
  return ok({ kind: 'channel', channel });
}

/** Each named delivery once, as the database writes it. What is no id cannot be a dead letter. */
export const storedIds = (deliveryIds: readonly string[]): readonly string[] => [
  ...new Set(deliveryIds.filter(isUuid).map((id) => id.toLowerCase())),
];
