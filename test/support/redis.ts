import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startRedis } from '../../src/local/redis.js';

/** A Redis server that nobody else uses. */
export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** An empty server on a free port, without persistence. Stop it in `afterAll`. */
export async function startTestRedis(): Promise<TestRedis> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'tidings-redis-'));
  const server = await startRedis({ dataDir, persistent: false, say: () => undefined });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
