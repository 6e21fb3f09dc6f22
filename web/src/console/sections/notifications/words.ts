/** In the order in which a delivery goes through them. */
export const deliveryStatuses = [
  'SCHEDULED',
  'QUEUED',
  'RETRYING',
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'DISMISSED',
  'SUPPRESSED',
  'CANCELLED',
  'EXPIRED',
  'DEAD',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export const requestStatuses = [
  'ACCEPTED',
  'SCHEDULED',
  'PROCESSING',
  'COMPLETED',
  'CANCELLED',
  'EXPIRED',
] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** Types that have rules of their own; any other name is a type too. */
export const knownTypes = [
  'VERIFICATION_CODE',
  'SECURITY_ALERT',
  'PAYMENT_FAILED',
  'PASSWORD_RESET',
  'NEW_MESSAGE',
  'ORDER_SHIPPED',
  'NEW_FOLLOWER',
  'COMMENT_REPLY',
  'POST_LIKED',
  'POST_COMMENTED',
  'POST_SHARED',
  'NEW_POST',
  'USER_MENTIONED',
  'MARKETING_CAMPAIGN',
  'RECOMMENDATION',
  'WEEKLY_DIGEST',
  'DIGEST',
];

export type Tone = 'good' | 'busy' | 'waits' | 'bad' | 'over';

export const toneOf: Readonly<Record<DeliveryStatus | RequestStatus, Tone>> = {
  SCHEDULED: 'waits',
  QUEUED: 'busy',
  RETRYING: 'waits',
  SENT: 'busy',
  DELIVERED: 'good',
  OPENED: 'good',
  CLICKED: 'good',
  DISMISSED: 'over',
  SUPPRESSED: 'over',
  CANCELLED: 'over',
  EXPIRED: 'over',
  DEAD: 'bad',
  ACCEPTED: 'busy',
  PROCESSING: 'busy',
  COMPLETED: 'good',
};

export const isOneOf = <T extends string>(values: readonly T[], value: string): value is T =>
  (values as readonly string[]).includes(value);

/** The code that an error begins with, and the rest. */
export function splitError(error: string): { readonly code: string; readonly rest: string } {
  const match = /^([A-Z][A-Z_]+)(?::\s*)?(.*)$/s.exec(error);
  return match ? { code: match[1]!, rest: match[2]! } : { code: '', rest: error };
}

export const pathOfNotification = (id: string, deliveryId?: string): string =>
  `/notifications/${encodeURIComponent(id)}${deliveryId ? `?delivery=${encodeURIComponent(deliveryId)}` : ''}`;
