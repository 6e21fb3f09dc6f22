import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { RuleKeeper } from '../../src/domains/limits/reload/rule-keeper.js';
import type { PageRequest } from '../../src/platform/paging.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';
import { admin, createFolder, createProcesses, good, type TestProcess, until } from './reload-world.js';

type StartOptions = Partial<Parameters<ReturnType<typeof createProcesses>['start']>[0]>;

/** Processes that follow one file, one database and one Redis. Each test has its own, but for Redis. */
export interface KeeperWorld {
  readonly database: TestDatabase;
  readonly redis: TestRedis;
  /** What processes are configured with, unless they are started with another source; holds `good('configured')`. */
  readonly file: string;
  at(name: string): string;
  start(options?: StartOptions): Promise<TestProcess>;
}

/** Registers its own hooks. What it holds is there once they have run. */
export function keeperWorld(startRedis: () => Promise<TestRedis> = startTestRedis): KeeperWorld {
  let redis: TestRedis;
  let database: TestDatabase;
  let folder: Awaited<ReturnType<typeof createFolder>>;
  const processes = createProcesses();
  const world: KeeperWorld = {
    get database() {
      return database;
    },
    get redis() {
      return redis;
    },
    get file() {
      return folder.at('rules.yaml');
    },
    at: (name) => folder.at(name),
    start: (options = {}) =>
      processes.start({ source: world.file, postgresUrl: database.url, redisUrl: redis.url, ...options }),
  };
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());
  beforeEach(async () => {
    [database, folder] = await Promise.all([createTestDatabase(), createFolder()]);
    await writeFile(world.file, good('configured'));
  });
  afterEach(async () => {
    await processes.stopAll();
    await Promise.all([folder.remove(), database.drop()]);
  });
  return world;
}

export const put = (
  process: TestProcess,
  document: string,
  caller = admin(),
): ReturnType<RuleKeeper['put']> => process.keeper.put(caller, { document, dryRun: false });

/** Waits until rules of this domain are in force on all of them. */
export const inForce = (domain: string, ...all: readonly TestProcess[]): Promise<void> =>
  until(() => expect(all.map(({ keeper }) => keeper.current().domain)).toEqual(all.map(() => domain)));

export const everything: PageRequest = { limit: 100, direction: 'forward', cursor: null };

/** Of what was put, newest first. */
export const domainsOf = async (keeper: RuleKeeper, page = everything): Promise<(string | undefined)[]> =>
  (await keeper.history(page)).edges.map(({ node }) => /domain: (.*)/.exec(node.document)?.[1]);
