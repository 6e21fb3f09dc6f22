import { importPKCS8, SignJWT } from 'jose';
import type { Clock } from '../../../../platform/clock.js';
import { type AdapterDeps, createAdapter, took } from '../adapter.js';
import { cacheToken, signWith, type TokenCache } from '../cached-token.js';
import { failed, unanswered } from '../failure.js';
import { createHttp2Client } from '../http2-client.js';
import type { Provider, ProviderMessage, ProviderOutcome } from '../provider.js';
import { apnsFailure } from './failure.js';
import type { ApnsConfig } from './index.js';
import { apnsHeaders, apnsMaxPayloadBytes, apnsPayload } from './message.js';

/** Valid for an hour, used for 50 minutes (notification document, authentication). */
const TOKEN_REFRESH_SECONDS = 3000;

/** Apple's push service: one HTTP/2 session, kept open; answers 200 as delivered with its `apns-id`. */
export function createApns(config: ApnsConfig, deps: AdapterDeps): Provider {
  const client = createHttp2Client(config.url, deps.logger, deps.ca);
  const tokens = providerTokens(config, deps.clock);

  async function call(message: ProviderMessage, signal: AbortSignal): Promise<ProviderOutcome> {
    const payload = apnsPayload(message);
    const most = apnsMaxPayloadBytes(message);
    if (Buffer.byteLength(payload) > most) {
      return failed('PAYLOAD_TOO_LARGE', `the payload has more than ${most} bytes`);
    }
    const token = await tokens.get();
    const headers = { ...apnsHeaders(message, config.topic), authorization: `bearer ${token}` };
    const path = `/3/device/${encodeURIComponent(message.address)}`;
    const answer = await client.post(path, headers, payload, signal);
    if (answer.kind === 'lost') return unanswered(answer);
    if (answer.status === 200) return took('delivered', answer.headers['apns-id']);
    const failure = apnsFailure(answer, deps.clock.now());
    if (failure.reason === 'ExpiredProviderToken') tokens.drop(token);
    return failure;
  }

  return createAdapter('apns', deps.logger, call, () => client.close());
}

function providerTokens(config: ApnsConfig, clock: Clock): TokenCache {
  return cacheToken(clock, async () => {
    const token = await signWith('APNS_PRIVATE_KEY', async () =>
      new SignJWT()
        .setProtectedHeader({ alg: 'ES256', kid: config.keyId })
        .setIssuer(config.teamId)
        .setIssuedAt(Math.floor(clock.now() / 1000))
        .sign(await importPKCS8(config.privateKey, 'ES256')),
    );
    return { token, refreshAfter: TOKEN_REFRESH_SECONDS };
  });
}
