import { setTimeout as pause } from 'node:timers/promises';
import type { Benchmark } from '../../harness/benchmark.ts';
import { startPostgres } from '../../harness/postgres-server.ts';
import { cpuSecondsOf } from '../../harness/process-cpu.ts';
import { migrateProduct } from '../../harness/product-app.ts';
import { type ProductProcess, startProduct } from '../../harness/product-process.ts';
import { startRedis } from '../../harness/redis-server.ts';
import { type Memory, memoryOf } from './memory.ts';

const targets = { togetherMb: 250, readyMs: 1_500 };
const names = ['api', 'worker'] as const;
type Name = (typeof names)[number];

/** What one process took to start, and holds then. */
interface Start {
  readonly readyMs: number;
  readonly cpuMs: number;
  readonly atReady: Memory;
  readonly idle: Memory;
}

/** An api and a worker that serve nobody: how soon they are ready, and what they hold. */
export const start: Benchmark = {
  name: 'start',
  summary: 'an api and a worker that nobody asks: from spawn to ready, and the memory that they hold',
  targets: { 'together-250-mb': 1, 'api-ready-1500-ms': 1, 'worker-ready-1500-ms': 1 },
  async run(context) {
    const postgres = await startPostgres(60);
    const redis = await startRedis({ persistent: false });
    try {
      await postgres.run('CREATE DATABASE start');
      const at = { databaseUrl: postgres.url('start'), redisUrl: redis.url };
      await migrateProduct(at.databaseUrl);
      const idleMs = context.quick ? 5_000 : 30_000;
      // The first one fills the compile cache.
      await startBoth(at, 0);
      const rounds: Record<Name, Start>[] = [];
      for (let round = 0; round < (context.quick ? 1 : 3); round += 1) {
        rounds.push(await startBoth(at, idleMs));
        const { api, worker } = rounds.at(-1)!;
        context.note(`ready after ${api.readyMs | 0} and ${worker.readyMs | 0} ms`);
      }
      const median = (of: (both: Record<Name, Start>) => number): number =>
        rounds.map(of).toSorted((one, other) => one - other)[Math.floor(rounds.length / 2)]!;
      const together = median(({ api, worker }) => api.idle.pssMb + worker.idle.pssMb);
      return {
        ratios: {
          'together-250-mb': targets.togetherMb / together,
          'api-ready-1500-ms': targets.readyMs / median(({ api }) => api.readyMs),
          'worker-ready-1500-ms': targets.readyMs / median(({ worker }) => worker.readyMs),
        },
        figures: {
          'idle together MB (PSS)': together,
          ...Object.fromEntries(
            names.flatMap((name) => [
              [`${name} ready ms`, median((both) => both[name].readyMs)],
              [`${name} CPU ms until ready`, median((both) => both[name].cpuMs)],
              [`${name} at ready MB (PSS)`, median((both) => both[name].atReady.pssMb)],
              [`${name} idle MB (PSS)`, median((both) => both[name].idle.pssMb)],
              [`${name} idle MB (RSS)`, median((both) => both[name].idle.rssMb)],
            ]),
          ),
        },
      };
    } finally {
      await Promise.all([postgres.stop(), redis.stop()]);
    }
  },
};

/** One after the other: each is timed by itself. Both idle together, and share what they map. */
async function startBoth(
  at: { databaseUrl: string; redisUrl: string },
  idleMs: number,
): Promise<Record<Name, Start>> {
  const running: ProductProcess[] = [];
  const started: Partial<Record<Name, Omit<Start, 'idle'>>> = {};
  try {
    for (const name of names) {
      const since = performance.now();
      const product = await startProduct(name, at);
      const readyMs = performance.now() - since;
      running.push(product);
      started[name] = {
        readyMs,
        cpuMs: 1_000 * (await cpuSecondsOf(product.pid)),
        atReady: await memoryOf(product.pid),
      };
    }
    await pause(idleMs);
    const [api, worker] = await Promise.all(running.map(({ pid }) => memoryOf(pid)));
    return { api: { ...started.api!, idle: api! }, worker: { ...started.worker!, idle: worker! } };
  } finally {
    await Promise.all(running.map((product) => product.stop()));
  }
}
