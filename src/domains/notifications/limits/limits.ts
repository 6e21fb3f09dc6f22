import type { Channel } from '../types.js';

/** A delivery that is to be held against its user's limits. */
export interface LimitedDelivery {
  readonly producer: string;
  readonly notificationId: string;
  readonly userId: string;
  readonly notificationType: string;
  readonly channel: Channel;
}

/** Whether a delivery fits its limits: then it is counted in all of them, else in none. */
export type LimitVerdict =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** Which limit is reached. */
      readonly limit: 'channel' | 'type';
      readonly max: number;
      readonly windowSeconds: number;
      readonly retryAfterMs: number;
    };

/** The notification document's limits. */
export interface NotificationLimits {
  /**
   * Holds deliveries against what their users may get (per channel, and per type where the type has a limit), in order,
   * in one Redis call for some hundreds of them. Exempt types are always allowed. A delivery that is in a limit's
   * window already fits it and is not counted there again; a type counts once for a notification and user. Where the
   * counters cannot be asked, everything is allowed.
   *
   * @returns a verdict for each, in order
   */
  charge(deliveries: readonly LimitedDelivery[]): Promise<readonly LimitVerdict[]>;
  /**
   * Counts one call to a channel's provider against the channel's global limit: 0 where it may be made now, else
   * milliseconds until one may. Calls of one tick are counted together. Exempt types are always let through, uncounted.
   */
  delayOfCall(channel: Channel, notificationType: string): Promise<number>;
}
