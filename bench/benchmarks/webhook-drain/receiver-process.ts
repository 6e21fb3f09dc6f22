import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../../harness/answer-parent.ts';

/** What the receiver's process does for the benchmark. */
export type ReceiverMethods = typeof methods;

let seen = new Set<string>();
let repeats = 0;
let [firstMs, lastMs] = [0, 0];
const { promise, resolve } = Promise.withResolvers<void>();
let waiting = { count: Number.POSITIVE_INFINITY, promise, resolve };

const methods = {
  /** Takes every request and answers at once. */
  async listen(): Promise<number> {
    const server = createServer((request, response) => {
      request.resume();
      request.once('end', () => {
        response.writeHead(204).end();
        note(String(request.headers['webhook-id']));
      });
    });
    server.keepAliveTimeout = 60_000;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  },

  /** Forgets what has come, and waits for so many events. */
  async expect(count: number): Promise<void> {
    [seen, repeats, firstMs] = [new Set(), 0, 0];
    waiting = { count, ...Promise.withResolvers<void>() };
  },

  /** Once all have come: milliseconds from the first to the last, and how many came more than once. */
  async untilAll(): Promise<{ tookMs: number; repeats: number }> {
    await waiting.promise;
    return { tookMs: lastMs - firstMs, repeats };
  },
};

function note(id: string): void {
  if (seen.has(id)) repeats += 1;
  seen.add(id);
  lastMs = performance.now();
  firstMs ||= lastMs;
  if (seen.size === waiting.count) waiting.resolve();
}

answerParent(methods);
