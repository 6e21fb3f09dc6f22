import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { PausingProvider } from './pausing.js';
import type { Provider, ProviderOutcome } from './provider.js';

/** What is measured of providers. */
export function createCallMetrics(registry: Registry) {
  const registers = [registry];
  const watched: PausingProvider[] = [];
  const calls = new Counter({
    name: 'notification_provider_calls_total',
    help: 'Calls to a provider, by how they ended: delivered, accepted, or the code of the failure',
    labelNames: ['provider', 'outcome'],
    registers,
  });
  const durations = new Histogram({
    name: 'notification_provider_call_seconds',
    help: 'How long calls to a provider took',
    labelNames: ['provider'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  new Gauge({
    name: 'notification_provider_paused',
    help: '1: a provider, or a service behind it, is left alone for now',
    labelNames: ['provider'],
    registers,
    collect() {
      for (const provider of watched) this.set({ provider: provider.name }, provider.isPausing() ? 1 : 0);
    },
  });
  return {
    /** The same provider, its calls counted and timed. */
    counted(provider: Provider): Provider {
      const { name } = provider;
      return {
        ...provider,
        async send(message, signal) {
          const startedAt = performance.now();
          const outcome = await provider.send(message, signal);
          calls.inc({ provider: name, outcome: labelOf(outcome) });
          durations.observe({ provider: name }, (performance.now() - startedAt) / 1000);
          return outcome;
        },
      };
    },
    /** Shows from now on whether a provider pauses. */
    watch: (provider: PausingProvider): void => void watched.push(provider),
  };
}

const labelOf = (outcome: ProviderOutcome): string =>
  outcome.kind === 'failed' ? outcome.code : outcome.kind;
