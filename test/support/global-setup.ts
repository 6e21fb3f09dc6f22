import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../src/local/postgres.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { administer, templateName } from './database.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the run's own server, as its superuser. */
    postgresUrl: string;
  }
}

interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Of the whole run: each project loads this file for itself. */
const run = globalThis as { tidingsServer?: { projects: number; readonly started: Promise<Server> } };

/** One Postgres for the whole run, whatever projects are part of it, with one migrated database that every file's own is cloned from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.tidingsServer ??= { projects: 0, started: startServer() };
  const server = run.tidingsServer;
  server.projects += 1;
  const { url, stop } = await server.started;
  project.provide('postgresUrl', url);
  return async () => {
    server.projects -= 1;
    if (server.projects === 0) await stop();
  };
}

async function startServer(): Promise<Server> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-test-'));
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
