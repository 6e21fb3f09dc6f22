/** What a template gave: a field is there only if the template has it (notification document, rendering rule 7). */
export interface RenderedContent {
  readonly title?: string;
  readonly subject?: string;
  readonly body: string;
  readonly htmlBody?: string;
  readonly imageUrl?: string;
  readonly actionUrl?: string;
  /** Of a push: a second line below the title (Apple). */
  readonly subtitle?: string;
  /** Of a push: the number on the app's icon (Apple); 0 takes it away. */
  readonly badge?: number;
  /** Of a push: of its icon, as `#rrggbb` (Android). */
  readonly color?: string;
  /** Of a push: wakes the app, so that it fetches what is new (Apple). */
  readonly contentAvailable?: boolean;
  /** A push about a call: it goes to the app's PushKit topic, at once, and may have 5 KB (Apple). */
  readonly voip?: boolean;
  /** Absent: it is of no group. */
  readonly group?: ContentGroup;
}

/** Which of a group's messages one is. */
export interface ContentGroup {
  /** The same for all of them: a device or an inbox shows the last alone. */
  readonly id: string;
  /** From 1 on each channel. */
  readonly revision: number;
  /** How many people it is about. */
  readonly count: number;
}

/** One call to a provider: one delivery to one address (a device's token, a mail address, a phone number). */
export interface ProviderMessage {
  readonly deliveryId: string;
  readonly notificationId: string;
  readonly userId: string;
  readonly notificationType: string;
  readonly priority: 'high' | 'medium' | 'low';
  /** Device token, e-mail address or E.164 number. */
  readonly address: string;
  readonly content: RenderedContent;
  /** A signed one-click link (RFC 8058), for mails. */
  readonly unsubscribeUrl?: string;
  /** The provider should not keep it past this instant. */
  readonly expiresAt?: Date;
}

/**
 * How a call ended. Decided by typed provider codes and HTTP status, never by matching text.
 * - `delivered`: the provider confirmed delivery in its answer (push, 200).
 * - `accepted`: taken over by the provider, which confirms later by callback (email, SMS).
 * - `failed`: see `ProviderFailure`.
 */
export type ProviderOutcome =
  | ({ readonly kind: 'delivered'; readonly providerId?: string } & Answered)
  | ({ readonly kind: 'accepted'; readonly providerId?: string } & Answered)
  | ({ readonly kind: 'failed' } & ProviderFailure & Answered);

/** Whose answer it is, where a kind of address has several providers. */
export interface Answered {
  readonly by?: string;
  /** Those that were asked before in the same call, and why they did not take it. */
  readonly askedBefore?: readonly { readonly provider: string; readonly code: ProviderErrorCode }[];
}

/**
 * What a failure says of the address itself.
 * - HARD_BOUNCE: nobody gets anything there
 * - SOFT_BOUNCE: it exists and did not take this message: a full mailbox, a phone that is off
 * - COMPLAINT: its reader called the message spam
 * - STOP: its owner wants no more messages from our number
 */
export type AddressFault = 'HARD_BOUNCE' | 'SOFT_BOUNCE' | 'COMPLAINT' | 'STOP';

export interface ProviderFailure {
  /** Ours, stable: the document's TOKEN_EXPIRED, RATE_LIMITED, APNS_DOWN, and their like for the other providers. */
  readonly code: ProviderErrorCode;
  /** The provider's own reason, for people. */
  readonly reason: string;
  /** The HTTP status or the SMTP reply, where there was one: without it nobody answered, or nobody was asked. */
  readonly status?: number;
  /** Another attempt may succeed. */
  readonly retryable: boolean;
  /** The address is dead and must not be used again. */
  readonly removeToken: boolean;
  /** Of mail and SMS: what the receiving side says of the address, for the suppression list. */
  readonly addressFault?: AddressFault;
  /**
   * Surely nothing was taken, and neither the message nor its address is at fault: another provider may be given it. Absent where
   * the call may have had its effect.
   */
  readonly notTaken?: boolean;
  /** Milliseconds since the epoch at which the provider found the address to be dead: who registered it since keeps it. */
  readonly tokenDeadSince?: number;
  /** Seconds that the provider asked us to stay away, an hour at most. */
  readonly retryAfter?: number;
  /** Only this address is concerned, as when one device got too much: calls to others may go on. */
  readonly oneAddress?: boolean;
  /**
   * Milliseconds for which the service has failed every call, this one too. Absent where it refused, or where others went
   * through meanwhile: then the message itself may be the cause.
   */
  readonly downForMs?: number;
  /** The call may have had its effect (time-out, connection lost after sending): repeating it may double it. */
  readonly outcomeUnknown: boolean;
}

export type ProviderErrorCode =
  | 'TOKEN_EXPIRED'
  | 'RATE_LIMITED'
  | 'APNS_DOWN'
  | 'PROVIDER_DOWN'
  | 'PROVIDER_PAUSED'
  | 'PROVIDER_TIMEOUT'
  | 'PAYLOAD_TOO_LARGE'
  | 'INVALID_ADDRESS'
  | 'CREDENTIALS_REFUSED'
  | 'REJECTED';

/** One third party that takes messages. Adapters keep their connections open between calls. */
export interface Provider {
  /** As in logs and metrics. */
  readonly name: string;
  /**
   * Makes one call. Never rejects: whatever goes wrong is a `failed` outcome.
   *
   * @param signal aborts the call; the outcome is then `failed`, with `outcomeUnknown` once anything was written
   */
  send(message: ProviderMessage, signal: AbortSignal): Promise<ProviderOutcome>;
  /**
   * Milliseconds since the epoch until which it should not be called, or null. A call in between answers `failed` with
   * PROVIDER_PAUSED and `retryAfter`, and has not reached the provider.
   *
   * @param address asks for calls to this address; without one, for calls to any. They differ where one name stands for
   *   several services, as `web-push` does.
   */
  pausedUntil?(address?: string): number | null;
  /** Lets calls on their way finish and closes connections. */
  close(): Promise<void>;
}
