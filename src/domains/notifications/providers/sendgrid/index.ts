import { z } from 'zod';
import { type ConfigOf, declareProvider, setting } from '../declare.js';
import { sendGridCallback } from './callback.js';

const settings = {
  url: setting('SENDGRID_URL', z.url()),
  apiKey: setting('SENDGRID_API_KEY', z.string()),
  /** The sender's mail address. */
  from: setting('SENDGRID_FROM', z.string()),
  /** The dynamic template that lays out `subject` and `html_body`. */
  templateId: setting('SENDGRID_TEMPLATE_ID', z.string()),
  /** Base64 DER of the event webhook's public key; without it no webhook is trusted. */
  webhookPublicKey: setting('SENDGRID_WEBHOOK_PUBLIC_KEY', z.string().optional()),
};
export type SendGridConfig = ConfigOf<typeof settings>;

export const sendgrid = declareProvider({
  name: 'sendgrid',
  title: 'SendGrid',
  sendsTo: 'email',
  settings,
  adapter: async () => ({ create: (await import('./adapter.js')).createSendGrid }),
  callback: sendGridCallback,
  standIn: async () => (await import('./sandbox.js')).sendGridStandIn,
});
