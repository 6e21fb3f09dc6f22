import { expect, test } from 'vitest';
import { createFactsReader } from '../../src/domains/commerce/order/facts.js';
import { createCheckBatches } from '../../src/domains/limits/counters/check-batches.js';
import { createAcknowledgements } from '../../src/domains/notifications/inbox/acknowledge.js';
import { cacheToken } from '../../src/domains/notifications/providers/cached-token.js';
import { makeApiKey, writeApiKey } from '../../src/platform/auth/api-key.js';
import { createApiKeyCheck } from '../../src/platform/auth/api-key-check.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { shareWhileFollowed } from '../../src/platform/process-counts/share-while-followed.js';
import { currentReader, forReader, type Reader } from '../../src/platform/wake-ups/reader.js';

const clock = { now: () => 0 };

/** What is begun by one and waited for by others; each calls `note` when it is done. */
const shared: Readonly<Record<string, (note: () => void) => unknown>> = {
  'the look-up of an API key': (note) =>
    createApiKeyCheck(async () => {
      note();
      return null;
    }, clock)
      .check(writeApiKey(makeApiKey()))
      .catch(() => undefined),
  'the making of a provider’s token': (note) =>
    cacheToken(clock, async () => {
      note();
      return { token: 'token', refreshAfter: 60 };
    }).get(),
  'the statement that orders share': (note) =>
    createFactsReader({
      query: async () => {
        note();
        return { rows: [{ customers: {}, products: {}, taken: [] }] };
      },
    } as unknown as Queryable)({ orderId: 'o', customerId: 'c', lines: [] }),
  'the batch that rate-limit checks share': (note) =>
    void createCheckBatches(async () => note(), { checksABatch: 10, batchesAtOnce: 1 }).add([], false),
  'what all followers follow': (note) =>
    void shareWhileFollowed(async () => note())(AbortSignal.timeout(1_000)).next(),
  'the reports of what was handed out': (note) =>
    createAcknowledgements({
      postgres: { query: async () => ({ rows: [] }) } as unknown as Queryable,
      report: async () => note(),
      logger: createLogger('test', 'silent'),
    }).handed([{ deliveryId: 'd', owed: 'delivered' }]),
};

test.each(Object.keys(shared))('%s is done for nobody alone: who began it may leave', async (which) => {
  const { promise, resolve } = Promise.withResolvers<Reader | undefined>();
  forReader({ signal: new AbortController().signal }, () => shared[which]!(() => resolve(currentReader())));
  expect(await promise).toBeUndefined();
});
