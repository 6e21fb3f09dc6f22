import type { RenderedContent } from '../providers/provider.js';
import type { AddressEvent } from '../suppressions/address-event.js';
import type { Channel, DeliveryStatus, Detail, LifecycleEvent, SuppressionReason } from '../types.js';

/** Everything that one step of a delivery's life writes, in one statement. */
export interface Transition {
  readonly deliveryId: string;
  /** The holder of this lease may make the step; null where the delivery's row is locked instead. */
  readonly leaseToken: string | null;
  /** A worker that is just calling a provider keeps its lease: the answer is still to be recorded. */
  readonly keepsLease?: boolean;
  readonly at: Date;
  readonly status: DeliveryStatus;
  readonly attempt: number;
  readonly lastError: string | null;
  readonly nextRetryAt: Date | null;
  readonly events: readonly TransitionEvent[];
  /** Targets that are finished with, one way or the other. */
  readonly targets: readonly FinishedTarget[];
  /** Devices whose token is dead. They stay if they registered anew after `since`. */
  readonly deadDevices: readonly DeadDevice[];
  /** What was learned of its address. */
  readonly addressEvents?: readonly AddressEvent[];
  /** Set where the delivery is given up. */
  readonly failure: { readonly error: string; readonly attempts: number } | null;
  /** When a delivery that becomes SCHEDULED is due. */
  readonly dueAt?: Date;
  readonly suppression?: SuppressionReason;
  /** The text and address of a delivery that was decided only now. */
  readonly content?: RenderedContent;
  readonly address?: string;
  /** Instead of its own, where it stands for others that have more. */
  readonly fallbackChannels?: readonly Channel[];
  /** What its fallback is to know besides its variables. Not stored where it has no fallback channel. */
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** A step that changes nothing yet but the moment. */
export const stepOf = (
  delivery: { readonly deliveryId: string; readonly attempt: number; readonly leaseToken?: string },
  now: number,
) => ({
  deliveryId: delivery.deliveryId,
  leaseToken: delivery.leaseToken ?? null,
  at: new Date(now),
  attempt: delivery.attempt,
  lastError: null,
  nextRetryAt: null,
  targets: [],
  deadDevices: [],
  failure: null,
});

export interface TransitionEvent {
  readonly event: LifecycleEvent;
  readonly status: DeliveryStatus;
  readonly detail?: Detail;
}

export interface FinishedTarget {
  readonly target: string;
  readonly error: string | null;
  readonly providerId: string | null;
}

export interface DeadDevice {
  readonly deviceId: string;
  readonly token: string;
  readonly since: Date;
}
