import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../src/local/postgres.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { administer, templateName } from './database.js';
import { isOnCluster } from './redis.js';
import { startTestCluster } from './redis-cluster.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the run's own server, as its superuser. */
    postgresUrl: string;
    /** The addresses of each Cluster that the run has started, one for each place where a file runs. */
    redisClusters: readonly string[];
  }
}

interface Servers {
  readonly postgresUrl: string;
  readonly redisClusters: readonly string[];
  stop(): Promise<void>;
}

/** Of the whole run: each project loads this file for itself. */
const run = globalThis as { tidingsServers?: { projects: number; readonly started: Promise<Servers> } };

/**
 * One Postgres for the whole run, whatever projects are part of it, with one migrated database that every file's own is cloned from.
 * Where tests are about a Redis Cluster, there is one of those in each place where files run: to start one takes seconds.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.tidingsServers ??= {
    projects: 0,
    started: startServers(isOnCluster ? project.vitest.config.maxWorkers : 0),
  };
  const servers = run.tidingsServers;
  servers.projects += 1;
  const { postgresUrl, redisClusters, stop } = await servers.started;
  project.provide('postgresUrl', postgresUrl);
  project.provide('redisClusters', redisClusters);
  return async () => {
    servers.projects -= 1;
    if (servers.projects === 0) await stop();
  };
}

async function startServers(places: number): Promise<Servers> {
  const clusters = Array.from({ length: places }, () => startTestCluster({ replicas: 3 }));
  const [postgres, ...started] = await Promise.all([startServer(), ...clusters]);
  return {
    postgresUrl: postgres.url,
    redisClusters: started.map(({ urls }) => urls.join()),
    stop: async () => void (await Promise.all([postgres, ...started].map((server) => server.stop()))),
  };
}

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Linux's folder in memory: files of 700 tables and indexes are made and removed for each database, which costs ext4 half a second of CPU. */
const IN_MEMORY = '/dev/shm';
const NEEDED_BYTES = 4 * 2 ** 30;

async function folderOfServer(): Promise<string> {
  const space = await statfs(IN_MEMORY).catch(() => undefined);
  // The folder may claim more than the container has.
  const free = space ? Math.min(space.bavail * space.bsize, process.availableMemory()) : 0;
  const parent = free >= NEEDED_BYTES ? IN_MEMORY : tmpdir();
  return mkdtemp(path.join(parent, 'tidings-test-'));
}

async function startServer(): Promise<Server> {
  const folder = await folderOfServer();
  // As root, the server runs as another user, who must get through to its folder.
  await chmod(folder, 0o711);
  const server = await startPostgres({
    dataDir: path.join(folder, 'postgres'),
    durable: false,
    say: () => undefined,
  });
  async function stop(): Promise<void> {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
  try {
    await administer(server.url, `CREATE DATABASE ${templateName}`);
    await migrate(server.url.replace(/\/postgres$/, `/${templateName}`));
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: server.url, stop };
}
