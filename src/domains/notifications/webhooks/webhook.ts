import type { RowOf } from '../../../platform/postgres/postgres.js';
import type { sql as statements } from './webhooks.sql.js';

/** A producer's URL to which events are sent. Its secret is not part of it. */
export type Webhook = RowOf<typeof statements.byId>;

/** PENDING was not tried yet, or is to be sent again. FAILED was tried in vain: it is tried again while its webhook is active. */
export const webhookDeliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const;
export type WebhookDeliveryStatus = (typeof webhookDeliveryStatuses)[number];

/** A producer has so many at most. */
export const MOST_WEBHOOKS = 20;
/** Of them so many at most are active and follow lifecycle events: each such event is written once for each of them. */
export const MOST_FOLLOWING = 5;
/** Names in each of a webhook's two lists. */
export const MOST_TYPES = 100;
/** Characters. */
export const LONGEST_URL = 2_048;
/** A secret that was replaced signs for so long, besides the new one. */
export const OVERLAP_MS = 24 * 3_600_000;
