import autocannon from 'autocannon';
import { answerParent } from './answer-parent.ts';
import { busySince } from './busy.ts';
import type { Load, LoadSample } from './load.ts';

/** What the load process does for its parent. */
export type LoadMethods = typeof methods;

const methods = {
  /** @throws when any answer was not 2xx, or a connection failed */
  async run(load: Load): Promise<LoadSample> {
    const busy = busySince();
    const result = await autocannon({
      url: load.origin,
      connections: load.connections,
      duration: load.seconds,
      requests: load.requests.map(({ path, headers, body }) => ({
        method: 'POST',
        path,
        headers: { ...headers },
        body,
      })),
    });
    if (result.non2xx + result.errors > 0) {
      throw new Error(
        `${load.origin}: ${result.non2xx} answers were not 2xx, ${result.errors} connections failed`,
      );
    }
    return {
      perSecond: result['2xx'] / result.duration,
      p50Ms: result.latency.p50,
      p99Ms: result.latency.p99,
      loadBusy: busy(),
    };
  },
};

answerParent(methods);
