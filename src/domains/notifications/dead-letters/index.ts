import type { Caller } from '../../../platform/caller.js';
import { ok, type Result } from '../../../platform/errors.js';
import type { PageRequest } from '../../../platform/paging.js';
import type { CountedConnection } from '../../../platform/totals.js';
import type { Channel } from '../types.js';
import { eachBatch, type Settlement, settleInBatches } from './batches.js';
import { countOpen, type FailedNotification, findFailed, pageOpen } from './find.js';
import type { ReconsiderDeps } from './reconsider.js';
import { discardLetters, resendDead, retryLetters, type SettleDeps } from './retry.js';
import { checkSelection, type DeadLetterSelection } from './selection.js';
import { findDead } from './settle.js';

export type { Settlement } from './batches.js';
export type { FailedNotification } from './find.js';
export type { DeadLetterSelection } from './selection.js';

/** What was given up. For admins alone, where nothing else is said: a caller must have checked that. */
export interface DeadLetters {
  /** Open ones, newest first; of all channels where none is named. */
  page(page: PageRequest, channel: Channel | null): Promise<CountedConnection<FailedNotification>>;
  /** Open or settled. */
  byId(deliveryIds: readonly string[]): Promise<readonly FailedNotification[]>;
  /**
   * Takes open ones up again: their deliveries are QUEUED as if they were new, with the caller's name in the timeline.
   * One that has expired meanwhile will be found so when it is its turn; one that its user has declined meanwhile is
   * closed and stays DEAD. See `settleInBatches` for how far one call goes.
   *
   * Refused as `checkSelection` refuses.
   */
  retry(by: Caller, selection: DeadLetterSelection): Promise<Result<Settlement>>;
  /** Closes open ones; their deliveries stay DEAD. Refused as `retry`. */
  discard(by: Caller, selection: DeadLetterSelection): Promise<Result<Settlement>>;
  /** For the request's producer: takes up again what of it was given up, discarded or not, and is still wanted. */
  resend(requestId: string, correlationId: string): Promise<void>;
}

export function createDeadLetters(deps: SettleDeps & ReconsiderDeps): DeadLetters {
  const { postgres, logger } = deps;

  async function settleSelected(
    by: Caller,
    selection: DeadLetterSelection,
    what: 'retried' | 'discarded',
  ): Promise<Result<Settlement>> {
    const checked = checkSelection(selection);
    if (!checked.ok) return checked;
    const settlement = await settleInBatches(deps, checked.value, (deliveryIds, channel) =>
      what === 'retried'
        ? retryLetters(deps, by, deliveryIds, channel)
        : discardLetters(deps, deliveryIds, channel),
    );
    const { affected, hasMore } = settlement;
    const { viewer, correlationId } = by;
    const whose = { by: viewer.userId, channel: selection.channel, correlationId };
    logger.info({ ...whose, affected, hasMore }, `dead letters were ${what}`);
    return ok(settlement);
  }

  return {
    page: async (page, channel) => ({
      ...(await pageOpen(postgres, page, channel)),
      total: () => countOpen(postgres, channel),
    }),
    byId: (deliveryIds) => findFailed(postgres, deliveryIds),
    retry: (by, selection) => settleSelected(by, selection, 'retried'),
    discard: (by, selection) => settleSelected(by, selection, 'discarded'),
    async resend(requestId, correlationId) {
      const dead = await findDead(postgres, requestId);
      for (const batch of eachBatch(dead)) await resendDead(deps, batch, correlationId);
    },
  };
}
