import type { Registry } from 'prom-client';
import { vi } from 'vitest';
import { createFailOpenEvents } from '../../src/domains/limits/fail-open-events.js';
import { createQuotas, type Quotas } from '../../src/domains/limits/quotas.js';
import { guard, script } from '../limits/guarded-redis-world.js';

const look = script('return 1');
const keysOfAllNodes = Array.from({ length: 20 }, (_, index) => `{${index}}`);

/**
 * Quotas on a real Redis, connected: from the first charge on they hold.
 *
 * @param urls one: a single Redis; several: seeds of a Cluster
 * @param options heldTime: microseconds since the epoch, in place of Redis's clock; timeoutMs: longer than any pause of
 *   a busy machine unless set
 */
export async function openTestQuotas(
  urls: readonly string[],
  metrics: Registry,
  options: { heldTime?: () => number; timeoutMs?: number; onError?: (error: unknown) => void } = {},
): Promise<Quotas> {
  const { heldTime, timeoutMs = 10_000, onError = raise } = options;
  const { redis } = guard(urls, { timeoutMs });
  await vi.waitFor(() => Promise.all(keysOfAllNodes.map((key) => redis.run(look, [key], []))), 10_000);
  return createQuotas({
    redis,
    failOpen: createFailOpenEvents(metrics),
    onError,
    ...(heldTime && { heldTime }),
  });
}

function raise(error: unknown): never {
  throw error;
}
