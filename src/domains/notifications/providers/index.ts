import type { Registry } from 'prom-client';
import type { AddressKind } from '../types.js';
import type { ProviderDeps } from './adapter.js';
import { createCallMetrics } from './call-metrics.js';
import type { ProvidersConfig } from './config.js';
import type { Adapter } from './declare.js';
import { inTurn } from './failover.js';
import { type ProviderKey, providers } from './list.js';
import { type PausingProvider, withPauses } from './pausing.js';
import type { Provider } from './provider.js';
import { traced } from './traced.js';

/** Whom each kind of address is sent by, several in turn as one; an absent one is switched off. */
export type Providers = { readonly [Kind in AddressKind]?: Provider } & {
  /** Lets calls on their way finish, then closes every connection. */
  close(): Promise<void>;
};

export interface ProvidersDeps extends ProviderDeps {
  /** Gets `notification_provider_*`; without one nothing is measured. */
  readonly metrics?: Registry;
}

type Adapters = ReadonlyMap<ProviderKey, Adapter>;

/** Loads the adapters that the configuration names, with the libraries that they stand on; no others. */
export async function loadAdapters(config: ProvidersConfig): Promise<Adapters> {
  const configured = providers.filter(({ key }) => config[key]);
  return new Map(
    await Promise.all(configured.map(async ({ key, adapter }) => [key, await adapter()] as const)),
  );
}

/**
 * The providers that the configuration names, each left alone while it wants to be. Nothing is connected before the
 * first call.
 *
 * @param adapters those of this configuration
 */
export function createProviders(config: ProvidersConfig, adapters: Adapters, deps: ProvidersDeps): Providers {
  const metrics = deps.metrics && createCallMetrics(deps.metrics);

  function create({ create, serviceOf }: Adapter, own: unknown): PausingProvider {
    const adapter = traced(create(own, deps));
    const { clock } = deps;
    const provider = withPauses(metrics?.counted(adapter) ?? adapter, { clock, serviceOf });
    metrics?.watch(provider);
    return provider;
  }

  const order = Object.keys(config);
  const configured = providers
    .filter(({ key }) => config[key] && adapters.has(key))
    .toSorted((a, b) => order.indexOf(a.key) - order.indexOf(b.key));
  const byKind = Map.groupBy(configured, ({ sendsTo }) => sendsTo);
  const created = [...byKind].map(([kind, own]) => {
    const inOrder = own.map(({ key }) => create(adapters.get(key)!, config[key]));
    return [kind, inTurn(inOrder)] as const;
  });
  return {
    ...Object.fromEntries(created),
    close: async () => {
      await Promise.all(created.map(([, provider]) => provider.close()));
    },
  };
}
