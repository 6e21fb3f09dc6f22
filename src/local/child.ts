import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartError } from '../platform/process/start-error.js';
import { endChild, hasEnded, type Say } from './processes.js';
import { pidFileOf } from './run-lock.js';

export interface ChildOptions {
  /** A command of main.js that runs until it is stopped. */
  readonly name: 'api' | 'worker';
  readonly env: NodeJS.ProcessEnv;
  /** Where its operational routes are, without a trailing slash. */
  readonly url: string;
  /** Its log is `logs/<name>.log` in it. */
  readonly dataDir: string;
  readonly say: Say;
  /** Called once when it keeps dying. */
  readonly onGiveUp: (error: StartError) => void;
}

export type Child = Awaited<ReturnType<typeof startChild>>;

const readyWithinMs = 60_000;
const stopWithinMs = 25_000;
/** So many deaths within so long are no accident. */
const deaths = { allowed: 5, withinMs: 60_000 };
/** On a laptop memory counts for more than the last pages a second: V8's young generation stays at a quarter of its size. */
const FLAGS = ['--enable-source-maps', '--max-semi-space-size=4'];
const main = fileURLToPath(new URL('../main.js', import.meta.url));

/**
 * Starts a process of tidings and keeps it running: one that dies is started again, a bounded number of times.
 * Resolves when it is ready. It ends by itself when this process dies, by the channel between the two.
 *
 * @throws StartError with its last words when it ends, or is not ready in time
 */
export async function startChild(options: ChildOptions) {
  await mkdir(path.dirname(logOf(options)), { recursive: true });
  const died: number[] = [];
  let stopping = false;
  let process = await launch(options, 'w');

  async function restart(reason: string): Promise<void> {
    died.push(Date.now());
    const recent = died.filter((time) => time > Date.now() - deaths.withinMs).length;
    if (recent > deaths.allowed) {
      options.onGiveUp(new StartError(`${options.name} keeps dying: ${await lastWords(options)}`));
      return;
    }
    options.say(`${options.name} ended (${reason}); starting it again, see ${logOf(options)}`);
    process = await launch(options, 'a');
    if (stopping) process.kill('SIGTERM');
    watch();
  }
  function watch(): void {
    process.once('exit', (code, signal) => {
      if (!stopping) void restart(signal ?? `exit code ${code}`);
    });
  }

  const child = {
    /** Asks it to drain, and kills it when it takes too long. */
    async stop(): Promise<void> {
      stopping = true;
      await endChild(process, 'SIGTERM', 'SIGKILL', stopWithinMs);
      await rm(pidFileOf(options.dataDir, options.name), { force: true });
    },
    /** Ends it at once. */
    kill(): void {
      stopping = true;
      process.kill('SIGKILL');
    },
  };
  try {
    await ready(process, options);
  } catch (error) {
    await child.stop();
    throw error;
  }
  watch();
  return child;
}

const logOf = (options: ChildOptions): string => path.join(options.dataDir, 'logs', `${options.name}.log`);

async function launch(options: ChildOptions, mode: 'w' | 'a'): Promise<ChildProcess> {
  const log = await open(logOf(options), mode, 0o600);
  const child = spawn(process.execPath, [...FLAGS, main, options.name], {
    env: options.env,
    // Ctrl-C reaches every process of the terminal's group: children are stopped in order instead.
    detached: true,
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  child.on('error', () => undefined);
  await log.close();
  await writeFile(pidFileOf(options.dataDir, options.name), `${child.pid}\n`);
  return child;
}

async function ready(child: ChildProcess, options: ChildOptions): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline && !hasEnded(child)) {
    const answer = await fetch(`${options.url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(
      () => undefined,
    );
    if (answer?.status === 200) return;
    await wait(50);
  }
  const what = hasEnded(child) ? 'did not start' : 'is not ready';
  throw new StartError(`${options.name} ${what}: ${await lastWords(options)} (see ${logOf(options)})`);
}

/** The last error that it wrote, else simply its last lines. */
async function lastWords(options: ChildOptions): Promise<string> {
  const lines = (await readFile(logOf(options), 'utf8')).trim().split('\n');
  const error = lines.findLast((line) => /^\w*Error\b/.test(line));
  return (error ?? lines.slice(-3).join(' | ')).slice(0, 500);
}
