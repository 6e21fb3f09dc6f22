import { z } from 'zod';
import { createAdapter, type ProviderDeps, took } from '../adapter.js';
import { callbackPath } from '../declare.js';
import { failed, readJson, unanswered } from '../failure.js';
import { createHttpsClient } from '../https-client.js';
import type { Provider, ProviderMessage, ProviderOutcome } from '../provider.js';
import { twilioFailure } from './failure.js';
import type { TwilioConfig } from './index.js';

/** Characters of one SMS call; Twilio splits into segments itself below that. */
const MAX_BODY_CHARACTERS = 1600;
/** Seconds that Twilio may hold a message in its queue, at most. */
const MAX_VALIDITY_SECONDS = 36_000;

const created = z.object({ sid: z.string() });

/** Twilio's Messages resource: 201 is accepted with the message's sid; callbacks report what became of it. */
export function createTwilio(config: TwilioConfig, deps: ProviderDeps): Provider {
  const client = createHttpsClient(config.url, deps.ca);
  const path = `/2010-04-01/Accounts/${encodeURIComponent(config.accountSid)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${config.accountSid}:${config.authToken}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };

  async function call(message: ProviderMessage, signal: AbortSignal): Promise<ProviderOutcome> {
    if (message.content.body.length > MAX_BODY_CHARACTERS) {
      return failed('PAYLOAD_TOO_LARGE', `the text has more than ${MAX_BODY_CHARACTERS} characters`);
    }
    const form = new URLSearchParams({
      From: config.from,
      To: message.address,
      Body: message.content.body,
      StatusCallback: statusCallback(message, deps.callbackBaseUrl),
    });
    if (message.expiresAt) form.set('ValidityPeriod', validitySeconds(message.expiresAt, deps.clock.now()));
    const answer = await client.post(path, headers, form.toString(), signal);
    if (answer.kind === 'lost') return unanswered(answer);
    if (answer.status === 201) return took('accepted', created.safeParse(readJson(answer.body)).data?.sid);
    return twilioFailure(answer, deps.clock.now());
  }

  return createAdapter('twilio', deps.logger, call, () => client.close());
}

function statusCallback(message: ProviderMessage, baseUrl: string): string {
  const query = new URLSearchParams({
    deliveryId: message.deliveryId,
    notificationId: message.notificationId,
  });
  return `${baseUrl}${callbackPath('twilio')}?${query}`;
}

function validitySeconds(expiresAt: Date, now: number): string {
  const left = Math.floor((expiresAt.getTime() - now) / 1000);
  return String(Math.min(MAX_VALIDITY_SECONDS, Math.max(1, left)));
}
