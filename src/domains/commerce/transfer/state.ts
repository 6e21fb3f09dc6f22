import type { TransferEvent, TransferFacts } from './events.js';
import type { TransferStatus } from './transfer.js';

/** UNKNOWN is a transfer that nobody has started. */
export type TransferState = { readonly status: 'UNKNOWN' } | StartedTransfer;

export interface StartedTransfer {
  readonly status: TransferStatus;
  readonly facts: TransferFacts;
}

export const unknownTransfer: TransferState = { status: 'UNKNOWN' };

/** What each event makes of a transfer. */
export const statusAfter: Readonly<Record<TransferEvent['type'], TransferStatus>> = {
  TransferStarted: 'STARTED',
  TransferDebited: 'DEBITED',
  TransferCompleted: 'COMPLETED',
  TransferRefused: 'REFUSED',
  TransferCompensated: 'COMPENSATED',
};

export function evolve(state: TransferState, event: TransferEvent): TransferState {
  if (event.type === 'TransferStarted') return { status: 'STARTED', facts: event.data };
  if (state.status === 'UNKNOWN') throw new Error(`${event.type} before TransferStarted`);
  return { ...state, status: statusAfter[event.type] };
}
