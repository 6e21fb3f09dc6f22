import type { Channel } from '../../channels.js';
import type { PreviewContent } from '../../preview/index.js';
import type { ReceivedMessage } from './sandbox.js';

const CHANNELS: Readonly<Record<string, Channel>> = { push: 'PUSH', email: 'EMAIL', sms: 'SMS' };

export const channelOf = ({ channel }: ReceivedMessage): Channel => CHANNELS[channel] ?? 'IN_APP';

/** What the reader sees of a message, out of what its provider was sent. */
export function contentOf({ provider, body }: ReceivedMessage): PreviewContent {
  switch (provider) {
    case 'apns':
      return ofApns(body);
    case 'fcm':
      return ofFcm(body);
    case 'web-push':
      return ofWebPush(body);
    case 'sendgrid':
      return ofSendgrid(body);
    default:
      return { body: textAt(body, 'Body') ?? written(body) };
  }
}

function ofApns(body: unknown): PreviewContent {
  const aps = at(body, 'aps');
  const alert = at(aps, 'alert');
  const badge = at(aps, 'badge');
  return {
    title: textAt(alert, 'title'),
    subtitle: textAt(alert, 'subtitle'),
    body: typeof alert === 'string' ? alert : (textAt(alert, 'body') ?? ''),
    badge: typeof badge === 'number' ? badge : null,
    ...linksOf(at(body, 'data')),
  };
}

function ofFcm(body: unknown): PreviewContent {
  const message = at(body, 'message');
  const shown = at(message, 'notification');
  return {
    title: textAt(shown, 'title'),
    body: textAt(shown, 'body') ?? '',
    ...linksOf(at(message, 'data')),
  };
}

function ofWebPush(body: unknown): PreviewContent {
  const shown = at(body, 'notification');
  return {
    title: textAt(shown, 'title'),
    body: textAt(shown, 'body') ?? '',
    ...linksOf(at(body, 'data')),
    imageUrl: textAt(shown, 'image'),
  };
}

function ofSendgrid(body: unknown): PreviewContent {
  const data = at(at(at(body, 'personalizations'), '0'), 'dynamic_template_data');
  return {
    subject: textAt(data, 'subject'),
    body: textAt(data, 'body') ?? '',
    htmlBody: textAt(data, 'html_body'),
    actionUrl: textAt(data, 'action_url'),
  };
}

const linksOf = (data: unknown) => ({
  imageUrl: textAt(data, 'imageUrl'),
  actionUrl: textAt(data, 'actionUrl'),
});

const at = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined;

function textAt(value: unknown, key: string): string | undefined {
  const found = at(value, key);
  return typeof found === 'string' ? found : undefined;
}

const written = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** The one line that a list shows. */
export function headlineOf(message: ReceivedMessage): string {
  const { title, subject, body } = contentOf(message);
  return title || subject || body.slice(0, 140);
}
