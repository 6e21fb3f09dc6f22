import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { freePort } from '../../src/local/free-port.js';

/** A real process of the built product. */
export interface TestProcess {
  /** Where it answers, without a trailing slash; the same after a restart. */
  readonly url: string;
  readonly pid: number;
  /** Everything that it has written so far. */
  output(): string;
  /** Sends the signal and resolves with how it ended: its exit code, or the signal's name. */
  kill(signal: NodeJS.Signals): Promise<number | NodeJS.Signals>;
  /** Starts it again after it ended, and waits until it is ready. */
  restart(): Promise<void>;
}

export interface TestProcessOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Further variables, e.g. a sandbox's `environment`. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Signs and verifies the tokens of the processes that tests start, unless they are given another. */
export const testAuthSecret = 'a secret that only tests know, and long enough';

/** Tests are not limited unless they say so, and a crowded machine's pauses are not taken for a Redis that is gone. */
const roomyRules = fileURLToPath(new URL('../../rules/start.yaml', import.meta.url));

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Code that one process has compiled is loaded by the next: hundreds are started in a run. */
export const compileCache = fileURLToPath(new URL('../../node_modules/.cache/compile', import.meta.url));

/** Starts `dist/main.js api` on a free port and waits until it is ready. Kill it in `afterAll`. */
export const startApi = (options: TestProcessOptions): Promise<TestProcess> => startProcess('api', options);

/** Starts `dist/main.js worker` on a free port and waits until it is ready. Kill it in `afterAll`. */
export const startWorker = (options: TestProcessOptions): Promise<TestProcess> =>
  startProcess('worker', options);

async function startProcess(name: 'api' | 'worker', options: TestProcessOptions): Promise<TestProcess> {
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: compileCache,
    AUTH_SECRET: testAuthSecret,
    RATE_LIMIT_RULES: roomyRules,
    RATE_LIMIT_TIMEOUT_MS: '1000',
    ...options.env,
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl,
    PORT: port,
    WORKER_PORT: port,
  };
  let output = '';
  let child: ChildProcess;
  async function launch(): Promise<void> {
    // The channel ends the process when the test run dies.
    child = spawn(process.execPath, ['--enable-source-maps', main, name], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += String(text)));
    await ready();
  }
  async function ready(): Promise<void> {
    const isUp = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
    await vi.waitFor(
      async () => {
        if (!hasEnded(child) && !(await isUp())) throw new Error(`${name} is not ready:\n${output}`);
      },
      { timeout: 120_000, interval: 50 },
    );
    if (hasEnded(child)) throw new Error(`${name} ended:\n${output}`);
  }
  await launch();
  return {
    url,
    get pid() {
      return child.pid ?? 0;
    },
    output: () => output,
    async kill(signal) {
      if (!hasEnded(child)) {
        const exited = once(child, 'exit');
        child.kill(signal);
        await exited;
      }
      return child.exitCode ?? child.signalCode ?? 0;
    },
    restart: launch,
  };
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
