import type { Ids } from '../../../platform/ids.js';
import type { GroupMember } from '../grouping/member.js';
import type { People } from '../grouping/wording.js';
import type { RenderedContent } from '../providers/provider.js';
import type { Variables } from '../templates/render.js';
import type { Channel, Detail, LifecycleEvent, Priority, SuppressionReason } from '../types.js';
import type { CheckedRecipient } from './validate.js';

/** A producer's request, as GraphQL and REST both bring it. */
export interface SendRequest {
  /** The producer's own id: the same id and body again answers the first result. */
  readonly notificationId: string;
  readonly type: string;
  /** Absent: the type's. */
  readonly priority?: Priority | undefined;
  readonly recipients: readonly Recipient[];
  readonly templateId: string;
  /** Channels to be tried, in order, where one fails for good. */
  readonly fallbackChannels?: readonly Channel[] | undefined;
  /** Sent then, and decided then; absent: now. */
  readonly scheduleAt?: Date | undefined;
  /**
   * Of `scheduleAt` the date and time in UTC are meant, on the clock of each recipient: sent when their zone shows them, or at once
   * where it has.
   */
  readonly scheduleInLocalTime?: boolean | undefined;
  /** Not delivered after this instant. */
  readonly expiresAt?: Date | undefined;
  /** What it is about and who acted, where it may be sent as one with others; see `GroupingRules`. Absent: it is sent by itself. */
  readonly group?: GroupMember | undefined;
  /** The very version that `templateId` names, active or not, on its channel alone: for trials. */
  readonly exactTemplate?: true | undefined;
}

export interface Recipient {
  readonly userId: string;
  /** Narrows the user's preferences. Absent: push, email and sms. */
  readonly channels?: readonly Channel[] | undefined;
  /** Values by name; null counts as absent. Plain templates take texts and numbers, Liquid ones lists and objects too. */
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

/**
 * One recipient on one channel, on its way through the steps. One that is left out or deferred passes the later steps
 * unchanged.
 */
export interface Draft {
  readonly deliveryId: string;
  /** Which recipient of the request this is. */
  readonly recipient: number;
  readonly userId: string;
  readonly channel: Channel;
  readonly variables: Variables;
  /** Whom its text is about, where it sums a group up: over its variables. */
  readonly people?: People;
  /** Limits do not count it. */
  readonly isUncounted?: true;
  readonly steps: readonly Step[];
  readonly content?: RenderedContent;
  /** Mail address or number; a push goes to whatever devices there are when it is sent. */
  readonly address?: string;
  readonly suppression?: { readonly reason: SuppressionReason; readonly detail?: string };
  /** Deferred until then, when the steps are taken anew. */
  readonly dueAt?: Date;
  /** It goes out with this digest, once its text is made. */
  readonly digest?: DigestPlace;
}

/** The digest that a delivery goes out with: that of a user, a channel and an instant. */
export interface DigestPlace {
  readonly id: string;
  readonly dueAt: Date;
}

export interface Step {
  readonly event: LifecycleEvent;
  readonly detail?: Detail;
}

/**
 * One draft for each recipient and channel. A user who is named twice gets a notification once; the repeats are
 * marked as DUPLICATE.
 */
export function draftDeliveries(
  recipients: readonly CheckedRecipient[],
  ids: Ids,
): { readonly drafts: readonly Draft[]; readonly duplicates: readonly Suppression[] } {
  const drafts = new Map<string, Draft>();
  const duplicates: Suppression[] = [];
  recipients.forEach(({ userId, channels, variables }, recipient) => {
    for (const channel of channels) {
      const key = `${channel}/${userId}`;
      if (drafts.has(key)) {
        duplicates.push({ userId, channel, reason: 'DUPLICATE' });
        continue;
      }
      const steps = [{ event: 'CREATED' as const }, { event: 'VALIDATED' as const }];
      drafts.set(key, { deliveryId: ids.next(), recipient, userId, channel, variables, steps });
    }
  });
  return { drafts: [...drafts.values()], duplicates };
}

/** Whether no step is left to take now. */
export const isSettled = (draft: Draft): boolean =>
  draft.suppression !== undefined || draft.dueAt !== undefined;

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

/** The draft, deferred until an instant. */
export const deferUntil = (draft: Draft, dueAt: Date, why: Detail = {}): Draft => ({
  ...pass(draft, 'SCHEDULED', { due_at: dueAt.toISOString(), ...why }),
  dueAt,
});
