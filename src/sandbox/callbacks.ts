import { setTimeout as delay } from 'node:timers/promises';
import type { CallbackPoster, CallbackStep } from '../domains/notifications/providers/stand-in.js';
import type { Logger } from '../platform/logging/logger.js';

const WAITS_MS = [100, 400, 1600, 5000];
const ATTEMPT_TIMEOUT_MS = 5_000;

/** Posts what providers report by callback. A receiver that stays away costs a log line, nothing else. */
export function createCallbackPoster(logger: Logger): CallbackPoster {
  const closing = new AbortController();
  const onTheirWay = new Set<Promise<void>>();

  async function deliver({ url, request }: CallbackStep): Promise<void> {
    for (const wait of [0, ...WAITS_MS]) {
      await delay(wait, undefined, { signal: closing.signal });
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]);
      const status = await fetch(url, { method: 'POST', ...request(), signal }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
        () => undefined,
      );
      if (status !== undefined && status < 300) return;
      if (status !== undefined && status < 500 && status !== 429) {
        logger.warn({ url, status }, 'callback was refused');
        return;
      }
    }
    logger.warn({ url }, 'nobody took the callback');
  }

  async function deliverAll(steps: readonly CallbackStep[]): Promise<void> {
    for (const step of steps) await deliver(step);
  }

  return {
    post(steps) {
      const work = deliverAll(steps).catch((error: unknown) => {
        if (!closing.signal.aborted) logger.error({ err: error }, 'callback failed');
      });
      onTheirWay.add(work);
      void work.then(() => onTheirWay.delete(work));
    },
    async close() {
      closing.abort();
      await Promise.all(onTheirWay);
    },
  };
}
