import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { loadProduct } from './product.ts';
import { productEnvironment } from './product-app.ts';

/** A process of the built product. */
export interface ProductProcess {
  /** Where it answers. */
  readonly url: string;
  readonly pid: number | undefined;
  /** Lets it drain; resolves when it is gone. */
  stop(): Promise<void>;
}

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const readyWithinMs = 120_000;

/**
 * Starts `tidings api` or `tidings worker` as `npm start` does, and waits until it is ready. It ends with this process.
 *
 * @param core the only core that it may use; undefined for any
 */
export async function startProduct(
  name: 'api' | 'worker',
  options: { databaseUrl: string; redisUrl: string; env?: NodeJS.ProcessEnv; core?: number | undefined },
): Promise<ProductProcess> {
  const { freePort } = await loadProduct<typeof import('../../src/local/free-port.js')>('local/free-port.js');
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const { databaseUrl, redisUrl, env, core } = options;
  const command = [process.execPath, '--enable-source-maps', main, name];
  if (core !== undefined) command.unshift('taskset', '-c', String(core));
  const [file = process.execPath, ...args] = command;
  const child = spawn(file, args, {
    env: {
      ...productEnvironment(databaseUrl, redisUrl),
      PORT: port,
      WORKER_PORT: port,
      METRICS_PORT: port,
      // For profiles: see flame graphs in README.md.
      ...(process.env.NODE_OPTIONS && { NODE_OPTIONS: process.env.NODE_OPTIONS }),
      ...env,
    },
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async (): Promise<void> => {
    if (hasEnded()) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const impatience = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(impatience);
  };
  const deadline = performance.now() + readyWithinMs;
  while (!hasEnded() && performance.now() < deadline) {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (answer?.ok) return { url, pid: child.pid, stop };
    await pause(50);
  }
  await stop();
  throw new Error(`the ${name} did not get ready; see what it said above`);
}
