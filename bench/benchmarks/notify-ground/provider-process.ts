import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerParent } from '../../harness/answer-parent.ts';
import { machineMs } from '../../harness/machine-clock.ts';
import { loadProduct } from '../../harness/product.ts';
import { openIds } from '../../harness/product-app.ts';

/** What the process that stands for Apple does for the benchmark. */
export type ProviderMethods = typeof methods;

/** What arrived, in order; entries of one index are of one message. */
export interface Arrivals {
  readonly deliveryIds: readonly string[];
  readonly notificationIds: readonly string[];
  readonly deviceTokens: readonly string[];
  /** By `machineMs`. */
  readonly atMs: Float64Array;
}

/** Who is called, and as whom: what `createApns` takes, and its certificate authority. */
export interface ProviderAccount {
  readonly url: string;
  readonly teamId: string;
  readonly keyId: string;
  readonly privateKey: string;
  readonly topic: string;
  readonly ca: string;
}

const deliveryIds: string[] = [];
const notificationIds: string[] = [];
const deviceTokens: string[] = [];
const atMs: number[] = [];

const methods = {
  /**
   * The sandbox's own server and its APNs, as strict as ever; but it notes what arrives instead of keeping it, since
   * the sandbox keeps no more than the last ten thousand messages.
   */
  async listen(): Promise<ProviderAccount> {
    const [
      { keepCredentials },
      { apnsStandIn },
      { startProviderServer },
      { createBehaviour },
      { createLogger },
    ] = await Promise.all([
      loadProduct<typeof import('../../../src/sandbox/credentials.js')>('sandbox/credentials.js'),
      loadProduct<typeof import('../../../src/domains/notifications/providers/apns/sandbox.js')>(
        'domains/notifications/providers/apns/sandbox.js',
      ),
      loadProduct<typeof import('../../../src/sandbox/provider-server.js')>('sandbox/provider-server.js'),
      loadProduct<typeof import('../../../src/sandbox/behaviour.js')>('sandbox/behaviour.js'),
      loadProduct<typeof import('../../../src/platform/logging/logger.js')>('platform/logging/logger.js'),
    ]);
    const folder = await mkdtemp(join(tmpdir(), 'bench-provider-'));
    const { credentials } = await keepCredentials(folder, { apns: apnsStandIn });
    await rm(folder, { recursive: true });
    const { clock } = await openIds();
    const own = apnsStandIn.credentials.parse(credentials.apns);
    const nowhere = {
      url: () => '',
      eventUrl: () => undefined,
      callbacks: { post: () => undefined, close: async () => undefined },
      clock,
    };
    const { port } = await startProviderServer({
      host: '127.0.0.1',
      port: 0,
      tls: credentials.tls,
      providers: [{ ...apnsStandIn.open(own, nowhere), name: 'apns', channel: 'push' }],
      behaviour: createBehaviour(Math.random),
      messages: {
        add({ deliveryId, notificationId, to }) {
          atMs.push(machineMs());
          deliveryIds.push(deliveryId ?? '');
          notificationIds.push(notificationId ?? '');
          deviceTokens.push(to);
        },
        list: () => [],
        clear: () => undefined,
      },
      clock,
      logger: createLogger('sandbox', 'warn'),
    });
    const { teamId, keyId, privateKey, topic } = own;
    return { url: `https://127.0.0.1:${port}`, teamId, keyId, privateKey, topic, ca: credentials.ca };
  },

  /** How many messages arrived so far. */
  count: (): number => atMs.length,

  /** Everything that arrived since it was last forgotten. */
  arrivals: (): Arrivals => ({
    deliveryIds,
    notificationIds,
    deviceTokens,
    atMs: Float64Array.from(atMs),
  }),

  forget(): void {
    for (const list of [deliveryIds, notificationIds, deviceTokens, atMs]) list.length = 0;
  },
};

answerParent(methods);
