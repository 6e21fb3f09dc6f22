import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startPostgres } from '../../src/local/postgres.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { startApi, startWorker, type TestProcess } from '../support/processes.js';
import { startRedisProcess } from '../support/redis-process.js';
import { tryWithSandbox } from './with-sandbox.js';

/** Two apis and two workers as real processes, on a Postgres and a Redis of their own, with a sandbox. */
export type Fleet = Awaited<ReturnType<typeof openFleet>>;

/** @param env of every process, beside the sandbox's */
export async function openFleet(env: Readonly<Record<string, string>> = {}) {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tidings-chaos-'));
  const quiet = { dataDir, durable: false, say: () => undefined };
  let server = await startPostgres(quiet);
  const port = Number(new URL(server.url).port);
  await migrate(server.url);
  const [redis, trial] = await Promise.all([startRedisProcess(), tryWithSandbox()]);
  const at = { databaseUrl: server.url, redisUrl: redis.url, env: { ...trial.sandbox.environment, ...env } };
  const [apis, workers] = await Promise.all([
    Promise.all([startApi(at), startApi(at)]),
    Promise.all([startWorker(at), startWorker(at)]),
  ]);
  const postgres: Postgres = openPostgres(server.url, {
    max: 4,
    applicationName: 'chaos',
    onError: () => undefined,
  });

  const killAndRestart = async (process: TestProcess): Promise<void> => {
    await process.kill('SIGKILL');
    await process.restart();
  };
  return {
    postgres,
    trial,
    apis,
    workers,
    /** What may happen to it, by name. Each resolves once it is over and its victims are up again. */
    faults: {
      'a worker is killed': () => killAndRestart(workers[0]),
      'the other worker is killed': () => killAndRestart(workers[1]),
      'an api is killed': () => killAndRestart(apis[0]),
      'Redis forgets everything': async () => {
        await redis.kill();
        await redis.restart();
      },
      'Redis falls silent for a moment': async () => {
        redis.freeze();
        await pause(700);
        redis.thaw();
      },
      'Postgres restarts': async () => {
        await server.stop();
        server = await startPostgres({ ...quiet, port });
      },
      'the provider is down': async () => {
        await trial.misbehave({ channel: 'push', status: 503 });
        await pause(1_500);
        await trial.behave();
      },
      'the provider is slow': async () => {
        await trial.misbehave({ channel: 'push', latencyMs: 400 });
        await pause(1_500);
        await trial.behave();
      },
      'the provider cuts connections': async () => {
        await trial.misbehave({ channel: 'push', drop: true, rate: 0.05 });
        await pause(1_500);
        await trial.behave();
      },
    },
    async close() {
      await Promise.all([...apis, ...workers].map((process) => process.kill('SIGKILL')));
      await postgres.close();
      await Promise.all([redis.stop(), trial.close(), server.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
