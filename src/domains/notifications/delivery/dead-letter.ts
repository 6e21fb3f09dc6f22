import { defined } from '../../../platform/defined.js';
import type { RenderedContent } from '../providers/provider.js';
import { goesToDevices } from '../types.js';
import type { StoredDelivery } from './claimed.js';
import type { DeadLetter } from './tasks.js';

/** The document's queue message of a delivery that was given up. */
export function deadLetterOf(
  delivery: StoredDelivery,
  addresses: readonly string[],
  failure: { readonly error: string; readonly attempts: number },
  failedAt: Date,
): DeadLetter {
  return {
    notification_id: delivery.notificationId,
    user_id: delivery.userId,
    channel: delivery.channel,
    priority: delivery.priority,
    rendered_content: renderedContent(delivery.content),
    ...(goesToDevices(delivery.channel)
      ? { device_tokens: [...addresses] }
      : addresses[0] !== undefined && { recipient_address: addresses[0] }),
    attempt: delivery.attempt,
    max_retries: delivery.maxRetries,
    created_at: Math.floor(delivery.createdAt.getTime() / 1000),
    ...(delivery.expiresAt && { expires_at: delivery.expiresAt.toISOString() }),
    last_error: failure.error,
    final_error: failure.error,
    failed_at: failedAt.toISOString(),
    total_attempts: failure.attempts,
  };
}

/** The rendered fields under the document's names. */
function renderedContent(content: RenderedContent): Record<string, string> {
  const { title, subtitle, subject, body, htmlBody, imageUrl, actionUrl } = content;
  return defined({
    title,
    subtitle,
    subject,
    body,
    html_body: htmlBody,
    image_url: imageUrl,
    action_url: actionUrl,
  });
}
