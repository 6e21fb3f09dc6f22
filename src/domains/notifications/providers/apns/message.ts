import { createHash } from 'node:crypto';
import { parse, v5 } from 'uuid';
import { collapseKeyOf, isQuietUpdate } from '../collapse.js';
import type { ProviderMessage } from '../provider.js';

/** Bytes of a push (notification document, limits). */
export const apnsMaxPayloadBytes = ({ content }: ProviderMessage): number => (content.voip ? 5120 : 4096);
const MAX_COLLAPSE_ID_BYTES = 64;
/** Makes the ids of our calls their own family of name-based UUIDs. */
const APNS_ID_NAMESPACE = parse('6f1c0a52-3d0e-4c0f-9f0b-8d2f5a7e41b6');

/** The request's headers, but for the token. The document's `ios-*` headers are `apns-*` on the wire. */
export function apnsHeaders(message: ProviderMessage, topic: string): Record<string, string> {
  const isVoip = message.content.voip === true;
  return {
    'content-type': 'application/json',
    'apns-topic': isVoip ? `${topic}.voip` : topic,
    'apns-push-type': isVoip ? 'voip' : 'alert',
    'apns-priority': isVoip || message.priority === 'high' ? '10' : '5',
    'apns-expiration': message.expiresAt ? String(Math.floor(message.expiresAt.getTime() / 1000)) : '0',
    'apns-collapse-id': collapseId(collapseKeyOf(message)),
    'apns-id': v5(Buffer.from(`${message.deliveryId}/${message.address}`), APNS_ID_NAMESPACE),
  };
}

/** The JSON body: Apple's `aps`, and what the app needs to report opens and follow links. */
export function apnsPayload(message: ProviderMessage): string {
  const { imageUrl, actionUrl } = message.content;
  return JSON.stringify({
    aps: aps(message),
    data: {
      deliveryId: message.deliveryId,
      notificationId: message.notificationId,
      type: message.notificationType,
      actionUrl,
      imageUrl,
    },
  });
}

/** What an Apple device shows, by whichever provider it comes. */
export function aps(message: ProviderMessage) {
  const { content, notificationType } = message;
  const isQuiet = isQuietUpdate(message);
  const { title, subject, subtitle = subject, body, badge, imageUrl, contentAvailable } = content;
  return {
    alert: { title, subtitle, body },
    badge,
    sound: isQuiet ? undefined : 'default',
    'interruption-level': isQuiet ? 'passive' : undefined,
    category: notificationType,
    // Lets the app's extension fetch the picture before the alert is shown.
    'mutable-content': imageUrl ? 1 : undefined,
    'content-available': contentAvailable ? 1 : undefined,
  };
}

/** The name under which a device shows a message, as Apple takes it. */
export function collapseId(key: string): string {
  const fits = Buffer.byteLength(key) <= MAX_COLLAPSE_ID_BYTES;
  return fits ? key : createHash('sha256').update(key).digest('hex');
}
