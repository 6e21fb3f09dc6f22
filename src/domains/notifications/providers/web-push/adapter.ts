import { LRUCache } from 'lru-cache';
import webPush from 'web-push';
import { z } from 'zod';
import { type AdapterDeps, createAdapter, took } from '../adapter.js';
import { signWith } from '../cached-token.js';
import { failed, readJson, unanswered } from '../failure.js';
import { createHttpsClient, type HttpsClient } from '../https-client.js';
import type { Provider, ProviderMessage, ProviderOutcome } from '../provider.js';
import { webPushFailure } from './failure.js';
import type { WebPushConfig } from './index.js';
import { WEB_PUSH_MAX_BODY_BYTES, webPushOptions, webPushPayload } from './message.js';
import { readSubscription } from './subscription.js';
import { createVapid } from './vapid.js';

const KEPT_CLIENTS = 200;

/**
 * Web Push (RFC 8030) to whichever service a browser's subscription names: encrypted for the browser (RFC 8291), signed
 * with VAPID (RFC 8292). Answers 201 as delivered, with the message's Location. Redirects are not followed.
 */
export function createWebPush(config: WebPushConfig, deps: AdapterDeps): Provider {
  const vapid = createVapid(config, deps.clock);
  // One that falls out is only forgotten: a call on its way ends by itself, and idle connections soon.
  const clients = new LRUCache<string, HttpsClient>({
    max: KEPT_CLIENTS,
    memoMethod: (origin) => createHttpsClient(origin, deps.ca),
  });

  async function call(message: ProviderMessage, signal: AbortSignal): Promise<ProviderOutcome> {
    const read = readSubscription(message.address, config.hosts);
    if (!read.ok) {
      const [{ code, message: why }] = read.errors as [{ code: string; message: string }];
      // A setting of our own that was changed must not empty the table of devices.
      return failed('INVALID_ADDRESS', why, { removeToken: code === 'SUBSCRIPTION_INVALID' });
    }
    const subscription = read.value;
    const options = webPushOptions(message, deps.clock.now());
    const { headers, body } = webPush.generateRequestDetails(subscription, webPushPayload(message), options);
    if (body.length > WEB_PUSH_MAX_BODY_BYTES) {
      return failed('PAYLOAD_TOO_LARGE', `encrypted, it has more than ${WEB_PUSH_MAX_BODY_BYTES} bytes`);
    }
    const { origin, pathname, search } = new URL(subscription.endpoint);
    const authorization = await signWith('VAPID_PRIVATE_KEY', () => vapid.authorization(origin));
    const answer = await clients
      .memo(origin)
      .post(`${pathname}${search}`, { ...asText(headers), authorization }, body, signal);
    if (answer.kind === 'lost') return unanswered(answer);
    if (answer.status >= 200 && answer.status < 300) return took('delivered', answer.headers.location);
    return webPushFailure(answer, deps.clock.now());
  }

  return createAdapter('web-push', deps.logger, call, () => {
    for (const client of clients.values()) client.close();
  });
}

const addressed = z.object({ endpoint: z.string() });

/** The origin of the push service that an address names; empty where it names none. */
export function pushServiceOf(address: string): string {
  const { data } = addressed.safeParse(readJson(address));
  return (data && URL.parse(data.endpoint)?.origin) ?? '';
}

/** The client says itself how long the body is. */
function asText(headers: Readonly<Record<string, string | number>>): Record<string, string> {
  const { 'Content-Length': _, ...others } = headers;
  return Object.fromEntries(
    Object.entries(others).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}
