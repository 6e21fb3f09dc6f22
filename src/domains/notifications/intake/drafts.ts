import type { Ids } from '../../../platform/ids.js';
import type { Draft, Suppression } from './request.js';
import type { CheckedRecipient } from './validate.js';

/**
 * One draft for each recipient and channel. A user who is named twice gets a notification once; the repeats are
 * marked as DUPLICATE.
 */
export function draftDeliveries(
  recipients: readonly CheckedRecipient[],
  ids: Ids,
): { readonly drafts: readonly Draft[]; readonly duplicates: readonly Suppression[] } {
  const drafts = new Map<string, Draft>();
  const duplicates: Suppression[] = [];
  recipients.forEach(({ userId, channels, variables }, recipient) => {
    for (const channel of channels) {
      const key = `${channel}/${userId}`;
      if (drafts.has(key)) {
        duplicates.push({ userId, channel, reason: 'DUPLICATE' });
        continue;
      }
      const steps = [{ event: 'CREATED' as const }, { event: 'VALIDATED' as const }];
      drafts.set(key, { deliveryId: ids.next(), recipient, userId, channel, variables, steps });
    }
  });
  return { drafts: [...drafts.values()], duplicates };
}
