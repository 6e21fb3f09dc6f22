import { setTimeout as pause } from 'node:timers/promises';
import type { ProviderMessage } from '../../../src/domains/notifications/providers/provider.js';
import { answerParent } from '../../harness/answer-parent.ts';
import { loadPackageOfProduct, loadProduct } from '../../harness/product.ts';
import { openIds } from '../../harness/product-app.ts';
import { contentFor, deviceTokenOf, types, userIdOf } from '../notify-ground/people.ts';
import type { ProviderAccount } from '../notify-ground/provider-process.ts';

/** What the peer's processes do for the benchmark. */
export type BullmqMethods = typeof methods;

const queue = 'push';
/** Jobs that one call adds. */
const BULK = 1_000;
const DEADLINE_MS = 5_000;

const methods = {
  /** Puts jobs into the queue, each with a message to one phone and all that its call needs. */
  async fill(redisUrl: string, messages: number): Promise<void> {
    const { Queue } = loadPackageOfProduct<typeof import('bullmq')>('bullmq');
    const { ids } = await openIds();
    const jobs = new Queue<ProviderMessage>(queue, {
      connection: { url: redisUrl },
      defaultJobOptions: { removeOnComplete: true },
    });
    for (let from = 0; from < messages; from += BULK) {
      await jobs.addBulk(
        Array.from({ length: Math.min(BULK, messages - from) }, (_, n) => ({
          name: 'send',
          data: messageTo(from + n, ids.next()),
        })),
      );
    }
    await jobs.close();
  },

  /** What most would write: a worker that makes each job's call by the product's own adapter, and nothing else. */
  async work(redisUrl: string, account: ProviderAccount, concurrency: number): Promise<void> {
    const { Worker } = loadPackageOfProduct<typeof import('bullmq')>('bullmq');
    const [{ createApns }, { createLogger }, { clock }] = await Promise.all([
      loadProduct<typeof import('../../../src/domains/notifications/providers/apns/adapter.js')>(
        'domains/notifications/providers/apns/adapter.js',
      ),
      loadProduct<typeof import('../../../src/platform/logging/logger.js')>('platform/logging/logger.js'),
      openIds(),
    ]);
    const { ca, ...config } = account;
    const apns = createApns(config, { clock, logger: createLogger('bench', 'warn'), ca });
    const worker = new Worker<ProviderMessage>(
      queue,
      async ({ data }) => {
        const outcome = await apns.send(data, AbortSignal.timeout(DEADLINE_MS));
        if (outcome.kind !== 'delivered') throw new Error(JSON.stringify(outcome));
      },
      { connection: { url: redisUrl, maxRetriesPerRequest: null }, concurrency },
    );
    worker.on('failed', (_job, error) => process.stderr.write(`${error.message}\n`));
  },

  /** @throws when jobs are not done after ten seconds */
  async untilDone(redisUrl: string): Promise<void> {
    const { Queue } = loadPackageOfProduct<typeof import('bullmq')>('bullmq');
    const jobs = new Queue(queue, { connection: { url: redisUrl } });
    const deadline = performance.now() + 10_000;
    for (;;) {
      const counts = await jobs.getJobCounts('waiting', 'active', 'delayed', 'failed');
      if (Object.values(counts).every((count) => count === 0)) break;
      if (performance.now() > deadline) throw new Error(`jobs are not done: ${JSON.stringify(counts)}`);
      await pause(100);
    }
    await jobs.close();
  },
};

/** The same text as the product makes of its template. */
const messageTo = (n: number, deliveryId: string): ProviderMessage => ({
  deliveryId,
  notificationId: `drain-${Math.floor(n / BULK)}`,
  userId: userIdOf(n),
  notificationType: types.medium,
  priority: 'medium',
  address: deviceTokenOf(n),
  content: contentFor(n),
});

answerParent(methods);
