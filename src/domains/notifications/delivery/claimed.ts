import type { RowOf } from '../../../platform/postgres/postgres.js';
import type { SuppressionCause } from '../suppressions/cause.js';
import type { AddressKind } from '../types.js';
import type { sql as statements } from './report.sql.js';

/** A delivery as it is in its mailbox. */
export type StoredDelivery = Omit<RowOf<typeof statements.lockDeliveries>, 'status' | 'address'>;

/** A delivery that this process may work on until its lease ends. */
export interface ClaimedDelivery extends StoredDelivery {
  readonly leaseToken: string;
  /** Its producer cancelled it while it was on its way. */
  readonly isCancelled: boolean;
  /** Another worker had it before and did not record what became of its calls: they may have had their effect. */
  readonly takenOver: boolean;
  /** An earlier attempt reached some of its targets. */
  readonly reachedSome: boolean;
  /** Where it still has to go. */
  readonly targets: readonly Target[];
  /** W3C trace context of its request; absent where that is not traced. */
  readonly traceparent?: string;
}

/** One address of a delivery. */
export interface Target {
  /** A device's id; for the other channels the channel's name. */
  readonly id: string;
  readonly kind: AddressKind;
  /** The newest token, for the web the subscription as JSON; a mail address, a number; in-app the user's id. */
  readonly address: string;
  /** A device's token as it is stored; for the web the subscription's endpoint. Absent for the other channels. */
  readonly token?: string;
  /** Why the address is on the suppression list, if it is. */
  readonly suppressedBy?: SuppressionCause | null;
}
