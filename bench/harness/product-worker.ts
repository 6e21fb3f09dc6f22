import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadProduct } from './product.ts';
import { productEnvironment } from './product-app.ts';

/** A worker process of the built product. */
export interface ProductWorker {
  /** Lets it drain; resolves when it is gone. */
  stop(): Promise<void>;
}

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const readyWithinMs = 30_000;

/** Starts `tidings worker` as `npm start` does, and waits until it is ready. It ends with this process. */
export async function startWorker(databaseUrl: string, redisUrl: string): Promise<ProductWorker> {
  const { freePort } = await loadProduct<typeof import('../../src/local/free-port.js')>('local/free-port.js');
  const port = String(await freePort());
  const worker = spawn(process.execPath, ['--enable-source-maps', main, 'worker'], {
    env: { ...productEnvironment(databaseUrl, redisUrl), WORKER_PORT: port },
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const hasEnded = () => worker.exitCode !== null || worker.signalCode !== null;
  const stop = async (): Promise<void> => {
    if (hasEnded()) return;
    const exited = once(worker, 'exit');
    worker.kill('SIGTERM');
    const impatience = setTimeout(() => worker.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(impatience);
  };
  const deadline = performance.now() + readyWithinMs;
  while (!hasEnded() && performance.now() < deadline) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.ok) return { stop };
    await pause(50);
  }
  await stop();
  throw new Error('the worker did not get ready; see what it said above');
}
