export * from './channels.js';

export const priorities = ['high', 'medium', 'low'] as const;
export type Priority = (typeof priorities)[number];

interface TypeRules {
  readonly priority: Priority;
  /** Exempt from rate limits and quiet hours: the user waits for it. */
  readonly exempt?: true;
  /** Sent only to users who opted in to marketing. */
  readonly marketing?: true;
  /** How those that say what they are about are grouped, unless configured otherwise; absent: they are not. */
  readonly grouping?: GroupingRule;
}

/** How notifications of one type about one thing are sent as one. */
export interface GroupingRule {
  /** A group takes in what comes within so many seconds of its first. */
  readonly windowSeconds: number;
  /** Names that its text shows, of those who came last; the others are counted. */
  readonly names: number;
}

/** The notification document's type table, and what else is grouped. */
const typeTable: Readonly<Record<string, TypeRules>> = {
  VERIFICATION_CODE: { priority: 'high', exempt: true },
  SECURITY_ALERT: { priority: 'high', exempt: true },
  PAYMENT_FAILED: { priority: 'high', exempt: true },
  PASSWORD_RESET: { priority: 'high', exempt: true },
  NEW_MESSAGE: { priority: 'medium' },
  NEW_FOLLOWER: { priority: 'medium' },
  ORDER_SHIPPED: { priority: 'medium' },
  COMMENT_REPLY: { priority: 'medium' },
  MARKETING_CAMPAIGN: { priority: 'low', marketing: true },
  WEEKLY_DIGEST: { priority: 'low' },
  RECOMMENDATION: { priority: 'low', marketing: true },
  DIGEST: { priority: 'low' },
  POST_LIKED: { priority: 'medium', grouping: { windowSeconds: 12 * 3_600, names: 1 } },
};

/** The types that the document names. */
export const documentedTypes: readonly string[] = Object.keys(typeTable);

/** What the type table says of a type; a type that it does not know is medium and nothing else. */
export const rulesOf = (type: string): TypeRules =>
  Object.hasOwn(typeTable, type) ? typeTable[type]! : { priority: 'medium' };

/** Retries after the first call. */
export const maxRetriesOf = (priority: Priority): number => (priority === 'high' ? 3 : 5);

/**
 * - SCHEDULED: waits for its time; preferences, limits and text are decided then
 * - QUEUED: lies in its user's mailbox
 * - RETRYING: waits for its next attempt
 */
export const deliveryStatuses = [
  'SCHEDULED',
  'QUEUED',
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'DISMISSED',
  'RETRYING',
  'SUPPRESSED',
  'EXPIRED',
  'CANCELLED',
  'DEAD',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** The notification document's fifteen, and three that say why nothing was sent yet or at all. */
export const lifecycleEvents = [
  'CREATED',
  'VALIDATED',
  'PREFERENCE_CHECKED',
  'RENDERED',
  'QUEUED',
  'SENT',
  'DELIVERED',
  'OPENED',
  'CLICKED',
  'DISMISSED',
  'UNSUBSCRIBED',
  'FAILED',
  'RETRY',
  'DLQ',
  'EXPIRED',
  'SCHEDULED',
  'SUPPRESSED',
  'CANCELLED',
] as const;
export type LifecycleEvent = (typeof lifecycleEvents)[number];

export const suppressionReasons = [
  'DUPLICATE',
  'CHANNEL_DISABLED',
  'MARKETING_OPT_OUT',
  'QUIET_HOURS',
  'RATE_LIMITED',
  'NO_ADDRESS',
  'ADDRESS_SUPPRESSED',
  'TEMPLATE_NOT_FOUND',
  'MISSING_VARIABLE',
  'EXPIRED',
  'CANCELLED',
  'UNSUBSCRIBED',
  'DIGESTED',
  'GROUPED',
] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** JSON that a lifecycle event carries. */
export type Detail = Readonly<Record<string, string | number | boolean | null>>;
