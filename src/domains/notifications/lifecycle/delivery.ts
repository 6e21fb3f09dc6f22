import type { Caller } from '../../../platform/caller.js';
import { mayActFor } from '../../../platform/caller.js';
import type { RenderedContent } from '../providers/provider.js';
import type {
  Channel,
  DeliveryStatus,
  Detail,
  LifecycleEvent,
  Priority,
  SuppressionReason,
} from '../types.js';

/** One notification on its way to one user on one channel. */
export interface Delivery {
  readonly deliveryId: string;
  readonly requestId: string;
  readonly notificationId: string;
  readonly producer: string;
  readonly userId: string;
  readonly notificationType: string;
  readonly channel: Channel;
  readonly priority: Priority;
  readonly status: DeliveryStatus;
  readonly suppression: SuppressionReason | null;
  readonly attempt: number;
  readonly maxRetries: number;
  readonly lastError: string | null;
  readonly nextRetryAt: Date | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  /** Set where this delivery is the fallback of another. */
  readonly fallbackForId: string | null;
  /** Null where it was left out before its text was made. */
  readonly content: RenderedContent | null;
  /** Order of acceptance. */
  readonly sequence: number;
}

export interface TimelineEntry {
  readonly event: LifecycleEvent;
  readonly at: Date;
  readonly detail: Detail | null;
}

/** A row before its empty text is distinguished. */
export type DeliveryRow = Omit<Delivery, 'content'> & {
  readonly content: RenderedContent | Record<string, never>;
};

export const toDelivery = (row: DeliveryRow): Delivery => ({
  ...row,
  content: 'body' in row.content ? (row.content as RenderedContent) : null,
});

/** Types whose text proves that somebody has the phone or mailbox that it went to. */
const PROOFS: readonly string[] = ['VERIFICATION_CODE', 'PASSWORD_RESET'];

/** A delivery's text, as far as somebody may read it here: what proves an address is read at that address alone. */
export const contentFor = (caller: Caller, delivery: Delivery): RenderedContent | null =>
  PROOFS.includes(delivery.notificationType) && !mayActFor(caller, delivery.producer)
    ? null
    : delivery.content;

/** The recipient, the producer of the request and admins see a delivery; for everybody else there is none. */
export const maySee = (caller: Caller, delivery: Pick<Delivery, 'userId' | 'producer'>): boolean =>
  mayActFor(caller, delivery.userId) || mayActFor(caller, delivery.producer);
