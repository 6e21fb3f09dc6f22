import type { RenderedContent } from '../providers/provider.js';
import type { Channel, Platform, Priority } from '../types.js';

/** A delivery as it lies in its mailbox. */
export interface StoredDelivery {
  readonly deliveryId: string;
  readonly requestId: string;
  readonly notificationId: string;
  readonly userId: string;
  readonly notificationType: string;
  readonly channel: Channel;
  readonly priority: Priority;
  /** Retries made so far. */
  readonly attempt: number;
  readonly maxRetries: number;
  readonly content: RenderedContent;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

/** A delivery that this process may work on until its lease ends. */
export interface ClaimedDelivery extends StoredDelivery {
  readonly leaseToken: string;
  /** An earlier attempt reached some of its targets. */
  readonly reachedSome: boolean;
  /** Where it still has to go. */
  readonly targets: readonly Target[];
}

/** One address of a delivery. */
export interface Target {
  /** A device's id; for email and SMS the channel's name. */
  readonly id: string;
  readonly kind: Platform | 'email' | 'sms';
  /** The newest token, a mail address or a number. */
  readonly address: string;
}
