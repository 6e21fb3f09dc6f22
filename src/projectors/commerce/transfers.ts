import {
  readTransferEvent,
  transferEventTypes,
  transferIdOf,
  transferTopic,
} from '../../domains/commerce/transfer/events.js';
import { statusAfter } from '../../domains/commerce/transfer/state.js';
import type { TransferStatus } from '../../domains/commerce/transfer/transfer.js';
import type { RecordedEvent } from '../../platform/event-log/index.js';

import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups.js';
import { sql } from './transfers.sql.js';

/** A transfer as its table has it. */
interface TransferRow {
  readonly transfer_id: string;
  readonly from_account_id: string;
  readonly to_account_id: string;
  readonly owner_id: string;
  readonly amount: string;
  readonly currency: string;
  readonly description: string | null;
  readonly status: TransferStatus;
  readonly reason: string | null;
  readonly started_at: Date;
  readonly version: number;
  readonly last_event_position: number;
}

/** Keeps transfers. Every event of one carries all of its facts, so the last of a batch says all that there is to say. */
export function transfers(wakeUps: WakeUpPublisher): Projector {
  return {
    name: 'transfers',
    tables: ['transfers'],
    eventTypes: transferEventTypes,
    async apply(events, tx) {
      const last = new Map<string, TransferRow>();
      for (const event of events) {
        const transferId = transferIdOf(event.streamId);
        last.set(transferId, after(last.get(transferId), transferId, event));
      }
      const { rows } = await tx.query(sql.writeTransfers, [JSON.stringify([...last.values()])]);
      return () =>
        wakeUps.publish(
          rows.map(({ transfer_id, version }) => ({
            topics: [transferTopic(transfer_id)],
            payload: { version },
          })),
        );
    },
  };
}

/** The transfer after an event; `earlier` is what an earlier event of the same batch made of it. */
function after(earlier: TransferRow | undefined, transferId: string, event: RecordedEvent): TransferRow {
  const { type, data } = readTransferEvent(event);
  return {
    transfer_id: transferId,
    from_account_id: data.fromAccountId,
    to_account_id: data.toAccountId,
    owner_id: data.ownerId,
    amount: data.amount,
    currency: data.currency,
    description: data.description,
    status: statusAfter[type],
    reason: 'reason' in data ? data.reason : null,
    started_at: earlier?.started_at ?? event.createdAt,
    version: event.streamPosition,
    last_event_position: event.globalPosition,
  };
}
