import { aps, collapseId } from '../apns/message.js';
import { collapseKeyOf, isQuietUpdate } from '../collapse.js';
import type { ProviderMessage } from '../provider.js';
import { ttlSeconds } from '../time-to-live.js';
import { topicOf, urgencies } from '../web-push/message.js';

/** Bytes of what the device gets: `notification` and `data` together (notification document, limits). */
export const FCM_MAX_PAYLOAD_BYTES = 4096;

export type FcmMessage = ReturnType<typeof fcmMessage>;

/** The `message` of an HTTP v1 send. */
export function fcmMessage(message: ProviderMessage, now: number) {
  const { title, body, imageUrl, actionUrl, color } = message.content;
  const ttl = ttlSeconds(message.expiresAt, now);
  const key = collapseKeyOf(message);
  const tag = collapseId(key);
  const isQuiet = isQuietUpdate(message);
  return {
    token: message.address,
    notification: { ...(title && { title }), body, ...(imageUrl && { image: imageUrl }) },
    // FCM takes strings only.
    data: {
      deliveryId: message.deliveryId,
      notificationId: message.notificationId,
      type: message.notificationType,
      ...(actionUrl && { actionUrl }),
      ...(imageUrl && { imageUrl }),
    },
    android: {
      priority: message.priority === 'high' ? 'HIGH' : 'NORMAL',
      ttl: `${ttl}s`,
      ...(message.content.group && { collapse_key: tag }),
      notification: {
        channel_id: message.notificationType,
        ...(actionUrl && { click_action: actionUrl }),
        ...(color && { color }),
        ...(!isQuiet && { sound: 'default' }),
        // A notification with the same tag replaces the one shown: a repeated call, or all of a group, is seen once.
        tag,
      },
    },
    // For tokens of apps on Apple's devices that Google serves.
    apns: {
      headers: {
        'apns-priority': message.priority === 'high' ? '10' : '5',
        'apns-expiration': String(Math.floor(now / 1000) + ttl),
        'apns-collapse-id': tag,
      },
      payload: { aps: aps(message) },
    },
    // For tokens of browsers that Google serves.
    webpush: {
      headers: { TTL: String(ttl), Urgency: urgencies[message.priority], Topic: topicOf(key) },
      notification: { tag, ...(isQuiet && { silent: true }), ...(imageUrl && { image: imageUrl }) },
      // Google takes no other links there.
      ...(actionUrl?.startsWith('https://') && { fcm_options: { link: actionUrl } }),
    },
  };
}

/** The bytes that count against FCM's limit. */
export function fcmPayloadBytes({ notification, data }: FcmMessage): number {
  return Buffer.byteLength(JSON.stringify({ notification, data }));
}
