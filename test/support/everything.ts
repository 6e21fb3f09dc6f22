import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/local/free-port.js';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** What `npm start` brings up. */
export interface Everything {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly ports: { readonly api: number; readonly sandbox: number };
  /** What it has written so far. */
  said(): string;
  stop(): Promise<void>;
}

/**
 * Runs what `npm start` runs, with demo data, on free ports. Resolves once it says that it is ready.
 *
 * @param folder where its data go, unless `env` names other places
 * @param env all of its environment but the ports: `DATABASE_URL` and `REDIS_URL` name servers for it
 */
export async function startEverything(folder: string, env: NodeJS.ProcessEnv): Promise<Everything> {
  const ports = { api: await freePort(), sandbox: await freePort() };
  const child = spawn(process.execPath, [main, 'start'], {
    cwd: folder,
    // A crowded machine's pauses are not taken for a Redis that is gone.
    env: {
      RATE_LIMIT_TIMEOUT_MS: '1000',
      ...env,
      PORT: String(ports.api),
      SANDBOX_PORT: String(ports.sandbox),
    },
    // The channel ends it when the test run dies.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  const { promise: ready, resolve, reject } = Promise.withResolvers<void>();
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (text) => {
      said += String(text);
      if (said.includes('tidings is ready')) resolve();
    });
  child.once('exit', () => reject(new Error(`start ended:\n${said}`)));
  await ready;
  return {
    url: `http://127.0.0.1:${ports.api}`,
    sandboxUrl: `http://127.0.0.1:${ports.sandbox}`,
    ports,
    said: () => said,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
