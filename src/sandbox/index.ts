import { createPublicKey } from 'node:crypto';
import { type Clock, systemClock } from '../platform/clock.js';
import type { Logger } from '../platform/logger.js';
import { createApnsSandbox } from './apns.js';
import { createBehaviour } from './behaviour.js';
import { createBrowsers } from './browsers.js';
import { createCallbackPoster } from './callbacks.js';
import { createControl } from './control.js';
import { type Credentials, keepCredentials } from './credentials.js';
import { createFcmSandbox } from './fcm.js';
import { createFcmOauth } from './fcm-oauth.js';
import { createMessageStore } from './messages.js';
import { startProviderServer } from './provider-server.js';
import { createSendGridSandbox } from './sendgrid.js';
import { createTwilioSandbox } from './twilio.js';
import { createWebPushSandbox } from './web-push.js';

export interface SandboxOptions {
  /** Where `/messages` and `/behaviour` are; 0 takes a free port. */
  readonly controlPort: number;
  /** Where the providers are, over TLS; a free port where it is absent or taken. */
  readonly providerPort?: number;
  readonly host: string;
  /** Credentials are kept in `sandbox/` in it. */
  readonly dataDir: string;
  readonly logger: Logger;
  /** Where SendGrid's events go; see also `setEventWebhookUrl`. */
  readonly eventWebhookUrl?: string;
  readonly clock?: Clock;
  /** Uniform in [0, 1): decides which calls a fault with a `rate` hits. */
  readonly random?: () => number;
}

export interface Sandbox {
  readonly controlUrl: string;
  readonly providerUrl: string;
  /** The APNS_*, FCM_*, VAPID_*, WEB_PUSH_*, SENDGRID_* and TWILIO_* variables that point the product here, and NODE_EXTRA_CA_CERTS. */
  readonly environment: Readonly<Record<string, string>>;
  /** The authority's certificate (PEM), for processes that already run. */
  readonly ca: string;
  setEventWebhookUrl(url: string): void;
  close(): Promise<void>;
}

/**
 * Starts sandbox providers: they speak the wire formats of APNs, FCM, Web Push, SendGrid and Twilio as strictly
 * as those do, keep what they got, show it, and misbehave on demand.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host, logger, clock = systemClock, random = Math.random } = options;
  const { credentials, caPath } = await keepCredentials(options.dataDir);
  const messages = createMessageStore();
  const behaviour = createBehaviour(random);
  const callbacks = createCallbackPoster(logger);
  let eventWebhookUrl = options.eventWebhookUrl;
  let providerUrl = '';
  const browsers = createBrowsers(credentials.webPush.browsers, () => providerUrl);
  const oauth = createFcmOauth(credentials.fcm, () => `${providerUrl}/token`, clock);

  const server = await startProviderServer({
    host,
    port: options.providerPort ?? 0,
    tls: credentials.tls,
    providers: [
      createApnsSandbox(credentials.apns, clock),
      createFcmSandbox(credentials.fcm, oauth),
      createWebPushSandbox(credentials.webPush, browsers, clock),
      createSendGridSandbox(credentials.sendgrid, () => eventWebhookUrl, callbacks, clock),
      createTwilioSandbox(credentials.twilio, callbacks),
    ],
    behaviour,
    messages,
    clock,
    logger,
  });
  // The certificate names localhost and the loopback addresses only.
  providerUrl = `https://127.0.0.1:${server.port}`;
  const control = createControl(messages, behaviour, browsers);
  const controlUrl = await control
    .listen({ host, port: options.controlPort })
    .catch(async (error: unknown) => {
      await server.close();
      throw error;
    });

  return {
    controlUrl,
    providerUrl,
    environment: environmentFor(credentials, providerUrl, caPath),
    ca: credentials.ca,
    setEventWebhookUrl(url) {
      eventWebhookUrl = url;
    },
    async close() {
      await Promise.all([control.close(), server.close(), callbacks.close()]);
    },
  };
}

function environmentFor(credentials: Credentials, url: string, caPath: string): Record<string, string> {
  const { apns, fcm, webPush, sendgrid, twilio } = credentials;
  const webhookKey = createPublicKey(sendgrid.publicKey).export({ format: 'der', type: 'spki' });
  return {
    NODE_EXTRA_CA_CERTS: caPath,
    APNS_URL: url,
    APNS_TEAM_ID: apns.teamId,
    APNS_KEY_ID: apns.keyId,
    APNS_PRIVATE_KEY: apns.privateKey,
    APNS_TOPIC: apns.topic,
    FCM_URL: url,
    FCM_PROJECT_ID: fcm.projectId,
    FCM_CLIENT_EMAIL: fcm.clientEmail,
    FCM_PRIVATE_KEY: fcm.privateKey,
    FCM_TOKEN_URL: `${url}/token`,
    VAPID_PUBLIC_KEY: webPush.publicKey,
    VAPID_PRIVATE_KEY: webPush.privateKey,
    VAPID_SUBJECT: webPush.subject,
    WEB_PUSH_HOSTS: new URL(url).host,
    SENDGRID_URL: url,
    SENDGRID_API_KEY: sendgrid.apiKey,
    SENDGRID_FROM: sendgrid.from,
    SENDGRID_TEMPLATE_ID: sendgrid.templateId,
    SENDGRID_WEBHOOK_PUBLIC_KEY: webhookKey.toString('base64'),
    TWILIO_URL: url,
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_FROM: twilio.from,
  };
}
