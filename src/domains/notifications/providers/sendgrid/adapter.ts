import { type AdapterDeps, createAdapter, took } from '../adapter.js';
import { unanswered } from '../failure.js';
import { createHttpsClient } from '../https-client.js';
import { headerText, unsubscribeHeaders } from '../mail-headers.js';
import type { Provider, ProviderMessage, ProviderOutcome } from '../provider.js';
import { sendGridFailure } from './failure.js';
import type { SendGridConfig } from './index.js';

/** SendGrid v3: 202 is accepted with `x-message-id`; the event webhook reports what became of it. */
export function createSendGrid(config: SendGridConfig, deps: AdapterDeps): Provider {
  const client = createHttpsClient(config.url, deps.ca);

  async function call(message: ProviderMessage, signal: AbortSignal): Promise<ProviderOutcome> {
    const headers = { authorization: `Bearer ${config.apiKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify(mail(message, config));
    const answer = await client.post('/v3/mail/send', headers, body, signal);
    if (answer.kind === 'lost') return unanswered(answer);
    if (answer.status === 202) return took('accepted', answer.headers['x-message-id']);
    return sendGridFailure(answer, deps.clock.now());
  }

  return createAdapter('sendgrid', deps.logger, call, () => client.close());
}

function mail(message: ProviderMessage, config: SendGridConfig) {
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
      'X-Notification-ID': headerText(message.notificationId),
      ...unsubscribeHeaders(config.from, message.unsubscribeUrl),
    },
    custom_args: { deliveryId: message.deliveryId, notificationId: message.notificationId },
    categories: [message.notificationType],
  };
}
