import { z } from 'zod';
import { type AdapterDeps, createAdapter, took } from '../adapter.js';
import { failed, readJson, unanswered } from '../failure.js';
import { createHttpsClient } from '../https-client.js';
import type { Provider, ProviderMessage, ProviderOutcome } from '../provider.js';
import { fcmFailure } from './failure.js';
import type { FcmConfig } from './index.js';
import { FCM_MAX_PAYLOAD_BYTES, fcmMessage, fcmPayloadBytes } from './message.js';
import { fcmTokens } from './token.js';

const sent = z.object({ name: z.string() });

/** Firebase Cloud Messaging, HTTP v1: answers 200 as delivered with the message's name. */
export function createFcm(config: FcmConfig, deps: AdapterDeps): Provider {
  const client = createHttpsClient(config.url, deps.ca);
  const tokenClient = createHttpsClient(new URL(config.tokenUrl).origin, deps.ca);
  const tokens = fcmTokens(config, deps.clock, tokenClient);
  const path = `/v1/projects/${encodeURIComponent(config.projectId)}/messages:send`;

  async function call(message: ProviderMessage, signal: AbortSignal): Promise<ProviderOutcome> {
    const body = fcmMessage(message, deps.clock.now());
    if (fcmPayloadBytes(body) > FCM_MAX_PAYLOAD_BYTES) {
      return failed('PAYLOAD_TOO_LARGE', `the payload has more than ${FCM_MAX_PAYLOAD_BYTES} bytes`);
    }
    const token = await tokens.get();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await client.post(path, headers, JSON.stringify({ message: body }), signal);
    if (answer.kind === 'lost') return unanswered(answer);
    if (answer.status === 200) return delivered(answer.body);
    if (answer.status === 401) tokens.drop(token);
    return fcmFailure(answer, deps.clock.now());
  }

  return createAdapter('fcm', deps.logger, call, () => {
    client.close();
    tokenClient.close();
  });
}

/** Whatever answers 200 without a message's name is not FCM: a proxy, or half of an answer. */
function delivered(body: string): ProviderOutcome {
  const parsed = sent.safeParse(readJson(body));
  if (parsed.success) return took('delivered', parsed.data.name);
  return failed('PROVIDER_DOWN', 'the answer does not name the message', {
    retryable: true,
    outcomeUnknown: true,
  });
}
