import { createHash } from 'node:crypto';
import type { RequestOptions } from 'web-push';
import { collapseKeyOf, isQuietUpdate } from '../collapse.js';
import type { ProviderMessage } from '../provider.js';
import { ttlSeconds } from '../time-to-live.js';

/** Bytes of an encrypted message that every push service takes (RFC 8030). */
export const WEB_PUSH_MAX_BODY_BYTES = 4096;
const TOPIC_CHARACTERS = 32;

/** Of RFC 8030, by priority. */
export const urgencies = { high: 'high', medium: 'normal', low: 'low' } as const;

/**
 * What the page's service worker gets: `notification` and `data` as `showNotification(notification.title,
 * {...notification, data})` takes them. The tag makes a repeat, and the next of a group, replace what is shown.
 */
export function webPushPayload(message: ProviderMessage): string {
  const { title, body, imageUrl, actionUrl } = message.content;
  return JSON.stringify({
    notification: {
      ...{ title, body, image: imageUrl, tag: collapseKeyOf(message) },
      silent: isQuietUpdate(message) || undefined,
    },
    data: {
      deliveryId: message.deliveryId,
      notificationId: message.notificationId,
      type: message.notificationType,
      actionUrl,
    },
  });
}

/** How a push service is to treat a message. A repeat, or the next of a group, replaces what waits for a browser that is away (Topic). */
export function webPushOptions(message: ProviderMessage, now: number) {
  return {
    TTL: ttlSeconds(message.expiresAt, now),
    urgency: urgencies[message.priority],
    topic: topicOf(collapseKeyOf(message)),
    contentEncoding: 'aes128gcm',
  } as const satisfies RequestOptions;
}

/** Letters and digits alone: Mozilla takes no others, and nobody more than 32. */
export const topicOf = (key: string): string =>
  createHash('sha256').update(key).digest('hex').slice(0, TOPIC_CHARACTERS);
