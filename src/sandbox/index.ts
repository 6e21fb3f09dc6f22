import { callbackPath } from '../domains/notifications/providers/declare.js';
import { type ListedProvider, providers } from '../domains/notifications/providers/list.js';
import type { StandIn } from '../domains/notifications/providers/stand-in.js';
import { type Clock, systemClock } from '../platform/clock.js';
import type { Logger } from '../platform/logging/logger.js';
import { createBehaviour, faultsOf } from './behaviour.js';
import { createCallbackPoster } from './callbacks.js';
import { createControl } from './control.js';
import { type Credentials, keepCredentials } from './credentials.js';
import { createMessageStore } from './messages.js';
import { type NamedProvider, startProviderServer } from './provider-server.js';

export interface SandboxOptions {
  /** Where `/messages` and `/behaviour` are; 0 takes a free port. */
  readonly controlPort: number;
  /** Where the providers are, over TLS; a free port where it is absent or taken. */
  readonly providerPort?: number;
  readonly host: string;
  /** Credentials are kept in `sandbox/` in it. */
  readonly dataDir: string;
  readonly logger: Logger;
  readonly clock?: Clock;
}

export interface Sandbox {
  readonly controlUrl: string;
  readonly providerUrl: string;
  /** The variables of every provider that point the product here, NODE_EXTRA_CA_CERTS, and WEBHOOK_ALLOW_PRIVATE. */
  readonly environment: Readonly<Record<string, string>>;
  /** The authority's certificate (PEM), for processes that already run. */
  readonly ca: string;
  /** Where the product takes events that no message names an address for, and whose pages may call the control server; before, none are posted. */
  setApiUrl(url: string): void;
  close(): Promise<void>;
}

/** A provider as the sandbox has it. */
type Played = ListedProvider & { readonly played: StandIn };

/**
 * Starts sandbox providers: they speak the wire formats of the real ones as strictly as those do, keep what they got, show it, and
 * misbehave on demand.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { host, logger, clock = systemClock } = options;
  const played = await loadStandIns();
  const { credentials, caPath } = await keepCredentials(
    options.dataDir,
    Object.fromEntries(played.map((provider) => [provider.key, provider.played])),
  );
  const messages = createMessageStore();
  const behaviour = createBehaviour(Math.random);
  const callbacks = createCallbackPoster(logger);
  let apiUrl: string | undefined;
  let providerUrl = '';
  const open = played.map(
    ({ name, channel, key, played: standIn }): NamedProvider => ({
      ...standIn.open(credentials[key], {
        url: () => providerUrl,
        eventUrl: () => apiUrl && `${apiUrl}${callbackPath(name)}`,
        callbacks,
        clock,
      }),
      name,
      channel,
    }),
  );

  const server = await startProviderServer({
    host,
    port: options.providerPort ?? 0,
    tls: credentials.tls,
    providers: open,
    behaviour,
    messages,
    clock,
    logger,
  });
  // The certificate names localhost and the loopback addresses only.
  providerUrl = `https://127.0.0.1:${server.port}`;
  const control = createControl({
    messages,
    behaviour,
    channels: open.map(({ channel }) => channel),
    faults: faultsOf(open),
    apiUrl: () => apiUrl,
    subscribe: () => open.flatMap((provider) => provider.subscribe?.() ?? [])[0]!,
  });
  const controlUrl = await control
    .listen({ host, port: options.controlPort })
    .catch(async (error: unknown) => {
      await server.close();
      throw error;
    });

  return {
    controlUrl,
    providerUrl,
    environment: {
      NODE_EXTRA_CA_CERTS: caPath,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...environmentOf(played, credentials, providerUrl),
    },
    ca: credentials.ca,
    setApiUrl(url) {
      apiUrl = url;
    },
    async close() {
      await Promise.all([control.close(), server.close(), callbacks.close()]);
    },
  };
}

async function loadStandIns(): Promise<readonly Played[]> {
  const loaded = await Promise.all(
    providers.map(async (provider) => ({ ...provider, played: await provider.standIn?.() })),
  );
  return loaded.filter((provider): provider is Played => provider.played !== undefined);
}

const environmentOf = (
  played: readonly Played[],
  credentials: Credentials,
  url: string,
): Record<string, string> =>
  Object.fromEntries(
    played.flatMap(({ key, settings, played: standIn }) =>
      Object.entries(standIn.settings(credentials[key], url)).map(([name, value]) => [
        settings[name]!.variable,
        value,
      ]),
    ),
  );
