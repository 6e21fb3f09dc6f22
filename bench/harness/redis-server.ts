import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { loadProduct } from './product.ts';

/** A Redis of its own for one benchmark. */
export interface RedisServer {
  readonly url: string;
  readonly pid: number;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

/**
 * Starts Redis as `npm start` does, with its data in a new temporary folder.
 *
 * @param persistent with its append-only file
 */
export async function startRedis({ persistent = true } = {}): Promise<RedisServer> {
  const product = await loadProduct<typeof import('../../src/local/redis.js')>('local/redis.js');
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  const server = await product.startRedis({ dataDir, persistent, say });
  return {
    url: server.url,
    pid: await pidOf(server.url),
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function pidOf(url: string): Promise<number> {
  const client = new Redis(url);
  const info = await client.info('server');
  client.disconnect();
  return Number(/^process_id:(\d+)/m.exec(info)?.[1]);
}
