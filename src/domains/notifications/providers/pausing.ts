import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../platform/clock.js';
import { failed } from './failure.js';
import type { Provider, ProviderOutcome } from './provider.js';
import { createProviderBreaker } from './provider-breaker.js';

const KEPT_SERVICES = 200;

export interface PauseOptions {
  readonly clock: Clock;
  /** Uniform in [0, 1): spreads the probes of many processes. */
  readonly random?: () => number;
  /** The service behind an address, where a provider's name stands for several: each pauses by itself. */
  readonly serviceOf?: ((address: string) => string) | undefined;
}

/** A provider that says when it pauses. */
export interface PausingProvider extends Provider {
  pausedUntil(address?: string): number | null;
  /** Whether any service behind it pauses. */
  isPausing(): boolean;
}

/**
 * The same provider, left alone while it wants to be: after 429 until its time is over, and while its breaker is open.
 * Calls that are asked for meanwhile are not made; they answer PROVIDER_PAUSED.
 */
export function withPauses(provider: Provider, options: PauseOptions): PausingProvider {
  const { clock, random = Math.random, serviceOf = () => '' } = options;
  const services = new LRUCache<string, Service>({
    max: KEPT_SERVICES,
    memoMethod: () => createService(clock, random),
  });
  const serviceFor = (address: string): Service => services.memo(serviceOf(address));

  return {
    name: provider.name,
    async send(message, signal) {
      // Nobody waits for this call any more: it must not be the probe.
      if (signal.aborted) return provider.send(message, signal);
      const service = serviceFor(message.address);
      const until = service.pausedUntil();
      if (until !== null) return paused(until - clock.now());
      return service.call(() => provider.send(message, signal));
    },
    pausedUntil(address) {
      if (address === undefined && options.serviceOf) return null;
      return serviceFor(address ?? '').pausedUntil();
    },
    isPausing: () => [...services.values()].some((service) => service.pausedUntil() !== null),
    close: () => provider.close(),
  };
}

type Service = ReturnType<typeof createService>;

function createService(clock: Clock, random: () => number) {
  const breaker = createProviderBreaker(clock, random);
  let awayUntil = 0;
  return {
    pausedUntil(): number | null {
      const until = Math.max(awayUntil, breaker.openUntil() ?? 0);
      return until > clock.now() ? until : null;
    },
    async call(send: () => Promise<ProviderOutcome>): Promise<ProviderOutcome> {
      const outcome = await breaker.run(send);
      if (outcome.kind === 'failed' && outcome.code === 'RATE_LIMITED' && !outcome.oneAddress) {
        awayUntil = Math.max(awayUntil, clock.now() + (outcome.retryAfter ?? 0) * 1000);
      }
      return outcome;
    },
  };
}

const paused = (ms: number): ProviderOutcome =>
  failed('PROVIDER_PAUSED', 'the provider asked for a pause, or is down', {
    retryable: true,
    notTaken: true,
    retryAfter: Math.max(1, Math.ceil(ms / 1000)),
  });
