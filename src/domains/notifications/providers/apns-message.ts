import { createHash } from 'node:crypto';
import { parse, v5 } from 'uuid';
import type { ProviderMessage } from './provider.js';

/** Bytes of a regular push (notification document, limits). */
export const APNS_MAX_PAYLOAD_BYTES = 4096;
const MAX_COLLAPSE_ID_BYTES = 64;
/** Makes the ids of our calls their own family of name-based UUIDs. */
const APNS_ID_NAMESPACE = parse('6f1c0a52-3d0e-4c0f-9f0b-8d2f5a7e41b6');

/** The request's headers, but for the token. The document's `ios-*` headers are `apns-*` on the wire. */
export function apnsHeaders(message: ProviderMessage, topic: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'apns-topic': topic,
    'apns-push-type': 'alert',
    'apns-priority': message.priority === 'high' ? '10' : '5',
    'apns-expiration': message.expiresAt ? String(Math.floor(message.expiresAt.getTime() / 1000)) : '0',
    'apns-collapse-id': collapseId(message.deliveryId),
    'apns-id': v5(Buffer.from(`${message.deliveryId}/${message.address}`), APNS_ID_NAMESPACE),
  };
}

/** The JSON body: Apple's `aps`, and what the app needs to report opens and follow links. */
export function apnsPayload(message: ProviderMessage): string {
  const { title, subject, body, imageUrl, actionUrl } = message.content;
  return JSON.stringify({
    aps: {
      alert: { title, subtitle: subject, body },
      sound: 'default',
      category: message.notificationType,
      // Lets the app's extension fetch the picture before the alert is shown.
      'mutable-content': imageUrl ? 1 : undefined,
    },
    data: {
      deliveryId: message.deliveryId,
      notificationId: message.notificationId,
      type: message.notificationType,
      actionUrl,
      imageUrl,
    },
  });
}

/** The same for every repeat of a delivery, so that a repeated call replaces what the user sees. */
export function collapseId(deliveryId: string): string {
  const fits = Buffer.byteLength(deliveryId) <= MAX_COLLAPSE_ID_BYTES;
  return fits ? deliveryId : createHash('sha256').update(deliveryId).digest('hex');
}
