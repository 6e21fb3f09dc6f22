import { z } from 'zod';
import type { SendGridConfig } from '../../../platform/config.js';
import { type AdapterDeps, createAdapter } from './adapter.js';
import { type Failed, failed, rateLimited, readJson, retryAfterSeconds, unanswered } from './failure.js';
import { type Answer, createHttpsClient } from './https-client.js';
import type { Provider, ProviderMessage, ProviderOutcome } from './provider.js';

export interface SendGridDeps extends AdapterDeps {
  /** A signed one-click link for List-Unsubscribe; without it the header names the sender's mailbox. */
  readonly unsubscribeUrl?: (message: ProviderMessage) => string;
}

const refusal = z.object({
  errors: z.array(z.object({ message: z.string(), field: z.string().nullish() })).min(1),
});

/** SendGrid v3: 202 is accepted with `x-message-id`; the event webhook tells what became of it. */
export function createSendGrid(config: SendGridConfig, deps: SendGridDeps): Provider {
  const client = createHttpsClient(config.url, deps.ca);

  async function call(message: ProviderMessage, signal: AbortSignal): Promise<ProviderOutcome> {
    const headers = { authorization: `Bearer ${config.apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify(mail(message, config, deps.unsubscribeUrl?.(message)));
    const answer = await client.post('/v3/mail/send', headers, body, signal);
    if (answer.kind === 'lost') return unanswered(answer);
    if (answer.status === 202) return accepted(answer.headers['x-message-id']);
    return sendGridFailure(answer, deps.clock.now());
  }

  return createAdapter('sendgrid', deps.logger, call, () => client.close());
}

function mail(message: ProviderMessage, config: SendGridConfig, unsubscribeUrl: string | undefined) {
  const { title, subject, body, htmlBody, imageUrl, actionUrl } = message.content;
  return {
    from: { email: config.from },
    template_id: config.templateId,
    personalizations: [
      {
        to: [{ email: message.address }],
        // Named as the document names the rendered fields; the template lays them out.
        dynamic_template_data: {
          title,
          subject,
          body,
          html_body: htmlBody,
          image_url: imageUrl,
          action_url: actionUrl,
        },
      },
    ],
    headers: {
      'X-Notification-ID': message.notificationId,
      ...unsubscribeHeaders(config.from, unsubscribeUrl),
    },
    custom_args: { deliveryId: message.deliveryId, notificationId: message.notificationId },
    categories: [message.notificationType],
  };
}

/** One-click unsubscribing (RFC 8058) needs an https link: it is promised only where there is one. */
function unsubscribeHeaders(from: string, url: string | undefined): Record<string, string> {
  if (!url) return { 'List-Unsubscribe': `<mailto:${from}?subject=unsubscribe>` };
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

function accepted(messageId: string | string[] | undefined): ProviderOutcome {
  return typeof messageId === 'string' ? { kind: 'accepted', providerId: messageId } : { kind: 'accepted' };
}

function sendGridFailure(answer: Answer, now: number): Failed {
  const { status } = answer;
  const error = refusal.safeParse(readJson(answer.body)).data?.errors[0];
  const reason = error?.message ?? `HTTP ${status}`;
  if (status === 429) {
    const { 'retry-after': retryAfter, 'x-ratelimit-reset': reset } = answer.headers;
    return rateLimited(reason, status, retryAfterSeconds(retryAfter, now) ?? secondsUntil(reset, now));
  }
  if (status === 401 || status === 403) return failed('CREDENTIALS_REFUSED', reason, { status });
  if (status === 413) return failed('PAYLOAD_TOO_LARGE', reason, { status });
  if (status >= 500) return failed('PROVIDER_DOWN', reason, { status, retryable: true });
  // The field's path is typed: `personalizations.0.to.0.email` is the recipient's address.
  if (/^personalizations\.\d+\.to(\.|$)/.test(error?.field ?? '')) {
    return failed('INVALID_ADDRESS', reason, { status, removeToken: true });
  }
  return failed('REJECTED', reason, { status });
}

/** SendGrid names the epoch second in which its window starts anew. */
function secondsUntil(epochSecond: string | string[] | undefined, now: number): number | undefined {
  if (typeof epochSecond !== 'string' || !/^\d+$/.test(epochSecond)) return undefined;
  return Math.max(0, Math.ceil(Number(epochSecond) - now / 1000));
}
