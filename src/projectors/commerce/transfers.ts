import {
  readTransferEvent,
  transferEventTypes,
  transferIdOf,
  transferTopic,
} from '../../domains/commerce/transfer/events.js';
import { statusAfter } from '../../domains/commerce/transfer/state.js';
import type { Transfer } from '../../domains/commerce/transfer/transfer.js';
import { sql } from '../../domains/commerce/transfer/transfers.sql.js';
import type { RecordedEvent } from '../../platform/event-log/index.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups/wake-ups.js';
import { publishVersions, type Stored } from './fold.js';

/** A transfer as its table has it. */
type StoredTransfer = Stored<Transfer> & { readonly startedAt: Date };

/** Keeps transfers. Every event of one carries all of its facts, so the last of a batch says all that there is to say. */
export const transfers = (wakeUps: WakeUpPublisher): Projector => ({
  name: 'transfers',
  tables: ['transfers'],
  eventTypes: transferEventTypes,
  async apply(events, tx) {
    const last = new Map<string, StoredTransfer>();
    for (const event of events) {
      const transferId = transferIdOf(event.streamId);
      last.set(transferId, after(last.get(transferId), transferId, event));
    }
    const { rows } = await tx.query(sql.writeTransfers, [JSON.stringify([...last.values()])]);
    return publishVersions(wakeUps, rows, ({ transferId }) => transferTopic(transferId));
  },
});

/** The transfer after an event; `earlier` is what an earlier event of the same batch made of it. */
function after(
  earlier: StoredTransfer | undefined,
  transferId: string,
  event: RecordedEvent,
): StoredTransfer {
  const { type, data } = readTransferEvent(event);
  return {
    reason: null,
    ...data,
    transferId,
    status: statusAfter[type],
    startedAt: earlier?.startedAt ?? event.createdAt,
    version: event.streamPosition,
    lastEventPosition: event.globalPosition,
  };
}
