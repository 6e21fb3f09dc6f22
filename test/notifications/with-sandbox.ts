import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type Config, readConfig } from '../../src/config.js';
import {
  createProviders,
  loadAdapters,
  type Providers,
} from '../../src/domains/notifications/providers/index.js';
import type { ProviderMessage } from '../../src/domains/notifications/providers/provider.js';
import type { Clock } from '../../src/platform/clock.js';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.js';
import type { ReceivedMessage } from '../../src/sandbox/messages.js';

/** A clock that a test moves by hand, starting now. */
export class HeldClock implements Clock {
  #now = Date.now();
  now(): number {
    return this.#now;
  }
  forward(seconds: number): void {
    this.#now += seconds * 1000;
  }
}

export const silent = pino({ level: 'silent' });

/** A running sandbox and the real adapters that point at it. */
export interface SandboxTrial {
  readonly sandbox: Sandbox;
  readonly clock: HeldClock;
  readonly config: Config['providers'];
  /** Adapters of their own, which the trial closes; on the trial's clock unless another is given. */
  providers(
    config?: Config['providers'],
    callbackBaseUrl?: string,
    ownClock?: Clock,
  ): Required<Pick<Providers, 'ios' | 'android' | 'web' | 'email' | 'sms' | 'close'>>;
  /** A browser that subscribed, as the address of a device. */
  subscribe(): Promise<string>;
  misbehave(fault: object): Promise<Response>;
  received(query?: string): Promise<ReceivedMessage[]>;
  /** Forgets faults. */
  behave(): Promise<void>;
  /** Forgets messages and faults. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function tryWithSandbox(): Promise<SandboxTrial> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tidings-sandbox-'));
  const clock = new HeldClock();
  const sandbox = await startSandbox({ controlPort: 0, host: '127.0.0.1', dataDir, logger: silent, clock });
  const { providers: config } = readConfig({
    ...sandbox.environment,
    DATABASE_URL: 'postgres://localhost/none',
    REDIS_URL: 'redis://localhost',
    AUTH_SECRET: 'a secret that nothing here checks',
  });
  const adapters = await loadAdapters(config);
  const made: Providers[] = [];
  const control = (path: string, init?: RequestInit) => fetch(`${sandbox.controlUrl}${path}`, init);
  return {
    sandbox,
    clock,
    config,
    providers(own = config, callbackBaseUrl = 'http://127.0.0.1:9', ownClock = clock) {
      const deps = { clock: ownClock, callbackBaseUrl, logger: silent, ca: sandbox.ca };
      const providers = createProviders(own, adapters, deps);
      made.push(providers);
      const { ios, android, web, email, sms } = providers;
      if (!ios || !android || !web || !email || !sms) throw new Error('the sandbox configures them all');
      return { ios, android, web, email, sms, close: () => providers.close() };
    },
    subscribe: async () => (await control('/subscriptions', { method: 'POST' })).text(),
    misbehave: (fault) =>
      control('/behaviour', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fault),
      }),
    received: async (query = '') => (await control(`/messages${query}`)).json() as Promise<ReceivedMessage[]>,
    behave: async () => void (await control('/behaviour', { method: 'DELETE' })),
    async reset() {
      await Promise.all([
        control('/messages', { method: 'DELETE' }),
        control('/behaviour', { method: 'DELETE' }),
      ]);
    },
    async close() {
      await Promise.all(made.map((providers) => providers.close()));
      await sandbox.close();
      await rm(dataDir, { recursive: true });
    },
  };
}

let made = 0;

/** A message with ids of its own, to an address that every provider takes unless another is given. */
export function someMessage(own: Partial<ProviderMessage> = {}): ProviderMessage {
  made += 1;
  return {
    deliveryId: `delivery-${made}`,
    notificationId: `notification-${made}`,
    userId: 'alice',
    notificationType: 'ORDER_SHIPPED',
    priority: 'medium',
    address: `device-${made}`,
    content: { title: 'On its way', body: 'Your order left the warehouse.' },
    ...own,
  };
}

/** A signal that is never aborted. */
export const neverAborted = (): AbortSignal => new AbortController().signal;

export const platforms = ['ios', 'android', 'web', 'email', 'sms'] as const;
export type Platform = (typeof platforms)[number];

/** An address of each kind, as its provider takes them; a browser's is made anew. */
export async function addressOf(platform: Platform, trial: SandboxTrial): Promise<string> {
  return platform === 'web' ? trial.subscribe() : addresses[platform];
}

export const addresses: Record<Exclude<Platform, 'web'>, string> = {
  ios: 'a1b2c3',
  android: 'fcm:token/with+signs',
  email: 'alice@example.com',
  sms: '+15551234567',
};
