import type { RenderedContent } from '../providers/provider.js';
import type { Variables } from '../templates/render.js';
import type { Channel, Detail, LifecycleEvent, Priority, SuppressionReason } from '../types.js';

/** A producer's request, as GraphQL and REST both bring it. */
export interface SendRequest {
  /** The producer's own id: the same id and body again answers the first result. */
  readonly notificationId: string;
  readonly type: string;
  /** Absent: the type's. */
  readonly priority?: Priority | undefined;
  readonly recipients: readonly Recipient[];
  readonly templateId: string;
  /** Not delivered after this instant. */
  readonly expiresAt?: Date | undefined;
}

export interface Recipient {
  readonly userId: string;
  /** Narrows the user's preferences. Absent: push, email and sms. */
  readonly channels?: readonly Channel[] | undefined;
  /** Strings and numbers by name; null counts as absent. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
}

/** Why something was not queued. */
export interface Suppression {
  readonly userId: string;
  readonly channel: Channel;
  readonly reason: SuppressionReason;
  readonly detail?: string | undefined;
}

/** What a producer is answered. */
export interface Acceptance {
  readonly requestId: string;
  readonly status: 'accepted';
  /** One for each recipient and channel queued. */
  readonly notificationsQueued: number;
  /** By when it should have arrived: RFC 3339. */
  readonly estimatedDelivery: string;
  readonly suppressed: readonly Suppression[];
}

/** One recipient on one channel, on its way through the steps. A suppressed one passes the later steps unchanged. */
export interface Draft {
  readonly deliveryId: string;
  /** Which recipient of the request this is. */
  readonly recipient: number;
  readonly userId: string;
  readonly channel: Channel;
  readonly variables: Variables;
  readonly steps: readonly Step[];
  readonly content?: RenderedContent;
  /** Mail address or number; a push goes to whatever devices there are when it is sent. */
  readonly address?: string;
  readonly suppression?: { readonly reason: SuppressionReason; readonly detail?: string };
}

export interface Step {
  readonly event: LifecycleEvent;
  readonly detail?: Detail;
}

/** The draft one step further. */
export const pass = (draft: Draft, event: LifecycleEvent, detail?: Detail): Draft => ({
  ...draft,
  steps: [...draft.steps, detail ? { event, detail } : { event }],
});

/** The draft, left out for a reason. */
export const suppress = (draft: Draft, reason: SuppressionReason, detail?: string): Draft => ({
  ...pass(draft, 'SUPPRESSED', detail === undefined ? { reason } : { reason, detail }),
  suppression: detail === undefined ? { reason } : { reason, detail },
});
