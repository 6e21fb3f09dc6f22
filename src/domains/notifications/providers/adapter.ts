import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { TokenRefused } from './cached-token.js';
import { failed } from './failure.js';
import { describe } from './https-client.js';
import type { Provider, ProviderMessage, ProviderOutcome } from './provider.js';

/** What an adapter needs from outside. */
export interface AdapterDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** An extra trusted certificate authority (PEM), for providers behind a private one. */
  readonly ca?: string;
}

/** What any provider may need. */
export interface ProviderDeps extends AdapterDeps {
  /** Where the outside world reaches the API; callbacks go there. */
  readonly callbackBaseUrl: string;
}

/**
 * Makes a `Provider` of one call: a surprise inside becomes a `failed` outcome, as does a token that cannot be had, and `close`
 * waits for the calls on their way before it disconnects.
 */
export function createAdapter(
  name: string,
  logger: Logger,
  call: (message: ProviderMessage, signal: AbortSignal) => Promise<ProviderOutcome>,
  disconnect: () => void | Promise<void>,
): Provider {
  const onTheirWay = new Set<Promise<ProviderOutcome>>();
  let closed = false;

  async function send(message: ProviderMessage, signal: AbortSignal): Promise<ProviderOutcome> {
    if (closed) return failed('PROVIDER_DOWN', 'the adapter is closed', { retryable: true });
    try {
      return await call(message, signal);
    } catch (error) {
      if (error instanceof TokenRefused) return error.failure;
      logger.error({ err: error, provider: name, deliveryId: message.deliveryId }, 'provider adapter failed');
      return failed('PROVIDER_DOWN', describe(error), { retryable: true, outcomeUnknown: true });
    }
  }

  return {
    name,
    send(message, signal) {
      const outcome = send(message, signal);
      onTheirWay.add(outcome);
      void outcome.then(() => onTheirWay.delete(outcome));
      return outcome;
    },
    async close() {
      closed = true;
      await Promise.all(onTheirWay);
      await disconnect();
    },
  };
}

/** The provider has the message, under an id where it named one. */
export const took = (kind: 'delivered' | 'accepted', id: string | string[] | undefined): ProviderOutcome =>
  typeof id === 'string' ? { kind, providerId: id } : { kind };
