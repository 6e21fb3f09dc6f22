import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { StartError } from '../platform/process/start-error.js';
import { startOnPort } from './free-port.js';
import { commandLine, endChild, endProcess, endWithParent, lastLines, type Say } from './processes.js';
import { findRedis } from './redis-binary.js';

export interface RedisOptions {
  /** The server's own folder; made when missing. Only one server at a time works on it. */
  readonly dataDir: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Whether the data is still there after a restart: an append-only file, synced every second. */
  readonly persistent: boolean;
  /** Whether it is started again, at the same URL, when it dies. */
  readonly keptUp?: boolean;
  readonly say: Say;
}

export interface LocalRedis {
  /** With the password of this run. */
  readonly url: string;
  /** Ends the server cleanly; what is persistent is on disk. */
  stop(): Promise<void>;
}

const startWithinMs = 60_000;
const stopWithinMs = 20_000;

/**
 * Starts `redis-server` or `valkey-server` on 127.0.0.1 with the data of `dataDir`. A server that an earlier,
 * killed run left behind on that folder is stopped first. When this process dies, the server follows.
 *
 * @throws StartError when there is no such program, or with its last words when it does not start
 */
export async function startRedis(options: RedisOptions): Promise<LocalRedis> {
  const binary = await findRedis(options.say);
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  await stopOrphan(options.dataDir);
  return startOnPort(options.port, async (port) => {
    const url = `redis://:${randomBytes(18).toString('hex')}@127.0.0.1:${port}`;
    const server = await launch(binary, options, new URL(url));
    try {
      await ready(server, url, options.dataDir);
    } catch (error) {
      await stop(server);
      throw error;
    }
    endWithParent(server, 'TERM');
    return options.keptUp ? keepUp(server, binary, options, url) : { url, stop: () => stop(server) };
  });
}

/** A start that fails is reported, and was the last. */
function keepUp(first: ChildProcess, binary: string, options: RedisOptions, url: string): LocalRedis {
  let server = first;
  let isStopping = false;
  let restarting = Promise.resolve();

  async function restart(reason: string): Promise<void> {
    options.say(`Redis ended (${reason}); starting it again`);
    server = await launch(binary, options, new URL(url));
    await ready(server, url, options.dataDir);
    endWithParent(server, 'TERM');
    watch();
  }
  function watch(): void {
    server.once('exit', (code, signal) => {
      if (isStopping) return;
      restarting = restart(signal ?? `exit code ${code}`).catch((error: Error) => options.say(error.message));
    });
  }

  watch();
  return {
    url,
    async stop() {
      isStopping = true;
      await restarting;
      await stop(server);
    },
  };
}

const noteOf = (dataDir: string): string => path.join(dataDir, 'running');
const logOf = (dataDir: string): string => path.join(dataDir, 'server.log');

/** Both programs put address and port into their title: with the process id, that cannot be another's. */
async function stopOrphan(dataDir: string): Promise<void> {
  const [pid, port] = (await readFile(noteOf(dataDir), 'utf8').catch(() => '')).trim().split(' ');
  if (!pid || !port) return;
  const command = await commandLine(Number(pid));
  if (command.includes(`127.0.0.1:${port}`)) await endProcess(Number(pid), 'SIGTERM', stopWithinMs);
}

async function launch(binary: string, options: RedisOptions, url: URL): Promise<ChildProcess> {
  const log = await open(logOf(options.dataDir), 'w', 0o600);
  const server = spawn(binary, ['-'], {
    cwd: options.dataDir,
    // Ctrl-C reaches every process of the terminal's group: the server must outlive those who use it.
    detached: true,
    stdio: ['pipe', log.fd, log.fd],
  });
  await log.close();
  server.on('error', () => undefined);
  server.stdin?.on('error', () => undefined);
  // Settings come by the standard input, so that the password stands on no command line.
  server.stdin?.end(settings(options, url));
  if (server.pid) await writeFile(noteOf(options.dataDir), `${server.pid} ${url.port}\n`);
  return server;
}

const settings = (options: RedisOptions, url: URL): string =>
  [
    'bind 127.0.0.1',
    `port ${url.port}`,
    `requirepass ${url.password}`,
    'dir .',
    'daemonize no',
    // BullMQ's jobs and everybody's feeds live here: nothing may be evicted.
    'maxmemory-policy noeviction',
    'save ""',
    `appendonly ${options.persistent ? 'yes' : 'no'}`,
    'appendfsync everysec',
    '',
  ].join('\n');

/** Ready when it answers, its data loaded. */
async function ready(server: ChildProcess, url: string, dataDir: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  const ended = new AbortController();
  server.once('exit', () => ended.abort());
  if (server.exitCode !== null || server.pid === undefined) ended.abort();
  try {
    const late = wait(startWithinMs, 'late', { signal: ended.signal }).catch(() => 'ended');
    // The command waits in the client until the server listens and has loaded its data.
    if ((await Promise.race([client.ping().catch(() => late), late])) !== 'PONG')
      throw new StartError(`Redis did not start: ${await lastLines(logOf(dataDir))}`);
  } finally {
    ended.abort();
    client.disconnect();
  }
}

const stop = (server: ChildProcess): Promise<void> => endChild(server, 'SIGTERM', 'SIGKILL', stopWithinMs);
