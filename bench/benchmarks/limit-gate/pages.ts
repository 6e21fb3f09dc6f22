import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Child, startChild } from '../../harness/child.ts';
import type { LoadRequest } from '../../harness/load.ts';
import type { PostgresServer } from '../../harness/postgres-server.ts';
import { loadProduct } from '../../harness/product.ts';
import { migrateProduct } from '../../harness/product-app.ts';
import { startProduct } from '../../harness/product-process.ts';
import { headersWith, pageRequests, path, tokenOf } from '../graphql-page/request.ts';
import type { MemoryServerMethods } from './servers/memory.ts';

/** Somebody who serves a page of 20 posts, with a gate in front of it or without. */
export interface PageServer {
  readonly origin: string;
  readonly requests: readonly LoadRequest[];
  /** Seconds of CPU that its process has used so far. */
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

const benchRules = fileURLToPath(new URL('../../../rules/bench.yaml', import.meta.url));
/** Nothing is counted, so nobody asks the store. */
const openRules = JSON.stringify({
  domain: 'bench',
  descriptors: [{ key: 'global', rate_limit: { unlimited: true } }],
});

/** The edge with a page out of memory: the least that a gate can stand in front of. */
export async function serveMemory(redisUrl: string | undefined, core?: number): Promise<PageServer> {
  const script = new URL('./servers/memory.ts', import.meta.url);
  const child: Child<MemoryServerMethods> = startChild(script, core, redisUrl ? [redisUrl] : []);
  const origin = `http://127.0.0.1:${await child.call('listen')}`;
  return {
    origin,
    requests: await pageRequests(),
    cpuSeconds: () => child.call('cpuSeconds'),
    stop: () => child.stop(),
  };
}

/** Makes the demo's people and posts; tells who reads. */
export async function populate(server: PostgresServer, database: string): Promise<readonly string[]> {
  await server.run(`CREATE DATABASE ${database}`);
  await migrateProduct(server.url(database));
  const { loadDemo } = await loadProduct<typeof import('../../../src/demo/index.js')>('demo/index.js');
  await loadDemo({ databaseUrl: server.url(database) });
  const readers = (await server.run(
    `SELECT u.user_id FROM users u JOIN follows f ON f.follower_id = u.id
     GROUP BY u.id ORDER BY count(*) DESC, u.id LIMIT 64`,
    database,
  )) as { user_id: string }[];
  return readers.map(({ user_id }) => user_id);
}

/** The product's api process, reading home feeds. */
export async function serveFeed(
  place: { databaseUrl: string; redisUrl: string; folder: string; readers: readonly string[] },
  gated: boolean,
  core?: number,
): Promise<PageServer> {
  const { folder, readers, ...urls } = place;
  const file = `${folder}/open-rules.json`;
  await writeFile(file, openRules);
  const env = { RATE_LIMIT_RULES: gated ? benchRules : file };
  const api = await startProduct('api', { ...urls, env, core });
  const body = JSON.stringify({ query: feedPage });
  return {
    origin: api.url,
    requests: await Promise.all(
      readers.map(async (reader) => ({ path, headers: headersWith(await tokenOf(reader)), body })),
    ),
    async cpuSeconds() {
      const metrics = await (await fetch(`${api.url}/metrics`)).text();
      return Number(/^process_cpu_seconds_total\S* (\S+)$/m.exec(metrics)?.[1]);
    },
    stop: () => api.stop(),
  };
}

const feedPage = `query Page {
  feed(first: 20) {
    edges { cursor node { id postId content createdAt author { userId displayName avatarUrl isVerified } } }
    pageInfo { hasNextPage endCursor }
  }
}`;
