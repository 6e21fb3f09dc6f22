import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from '../../src/local/free-port.js';
import { endWithParent } from '../../src/local/processes.js';
import { findRedis } from '../../src/local/redis-binary.js';

/** A Redis server that fails the way processes do. Stop it in `afterAll`. */
export interface RedisProcess {
  readonly url: string;
  readonly port: number;
  /** It keeps its connections, accepts new ones, and answers nothing until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once: its memory is lost. */
  kill(): Promise<void>;
  /** What it holds now, as its own dump. */
  snapshot(): Promise<Buffer>;
  /** After `kill`: the same address, with what `dump` holds; empty without one. */
  restart(dump?: Buffer): Promise<void>;
  stop(): Promise<void>;
}

/**
 * An empty server on 127.0.0.1, ready to answer, without persistence.
 *
 * @param options port: a free one where absent; settings: more arguments of its command line
 */
export async function startRedisProcess(
  options: { port?: number; password?: string; settings?: readonly string[] } = {},
): Promise<RedisProcess> {
  const binary = await findRedis(() => undefined);
  const { port = await freePort(), password = '', settings = [] } = options;
  const url = `redis://${password && `:${encodeURIComponent(password)}@`}127.0.0.1:${port}`;
  const plain = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  // A master would wait 5 s for more replicas before it serves the first.
  const prompt = ['--repl-diskless-sync-delay', '0'];
  const secret = password ? ['--requirepass', password, '--masterauth', password] : [];
  let folder = '';
  async function launch(dump?: Buffer): Promise<ChildProcess> {
    // A folder of its own each time: a replica keeps there what it was sent, and whoever starts there next would load it.
    folder = await mkdtemp(path.join(tmpdir(), 'tidings-redis-'));
    if (dump) await writeFile(path.join(folder, 'dump.rdb'), dump);
    const started = spawn(binary, [...plain, ...prompt, ...secret, ...settings], {
      cwd: folder,
      stdio: 'ignore',
      detached: true,
    });
    endWithParent(started, 'TERM');
    await untilItAnswers(url);
    return started;
  }
  let server = await launch();
  async function kill(): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill('SIGKILL');
    await exited;
    await rm(folder, { recursive: true, force: true });
  }
  return {
    url,
    port,
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    kill,
    async snapshot() {
      const client = new Redis(url);
      await client.save().finally(() => client.disconnect());
      return readFile(path.join(folder, 'dump.rdb'));
    },
    async restart(dump) {
      server = await launch(dump);
    },
    stop: kill,
  };
}

async function untilItAnswers(url: string): Promise<void> {
  const client = new Redis(url, { retryStrategy: () => 20, maxRetriesPerRequest: null });
  client.on('error', () => undefined);
  // The command waits in the client until the server listens.
  await client.ping();
  client.disconnect();
}
