import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { cloneTemplate } from '../../support/database.js';
import { startEverything } from '../../support/everything.js';
import { compileCache, testAuthSecret } from '../../support/processes.js';
import { startTestRedis } from '../../support/redis.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** What `npm start` brings up, with demo data: one for all files of tests. */
    everything: {
      readonly url: string;
      readonly sandboxUrl: string;
      /** Its servers: for another process beside its own. */
      readonly databaseUrl: string;
      readonly redisUrl: string;
    };
    /** The program of the browser; null where there is none. */
    browser: string | null;
  }
}

/** Runs after the set-up of all real tests, on its Postgres. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide('browser', findBrowser());
  const { postgresUrl } = project.getProvidedContext();
  const [database, redis] = await Promise.all([cloneTemplate(postgresUrl), startTestRedis()]);
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-web-'));
  await chmod(folder, 0o711);
  const cleanUp = () =>
    Promise.all([database.drop(), redis.stop(), rm(folder, { recursive: true, force: true })]);
  try {
    const everything = await startEverything(folder, {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: compileCache,
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      AUTH_SECRET: testAuthSecret,
      // A crowded machine's pauses are not taken for a Redis that is gone: then, wrong tokens are answered 429.
      RATE_LIMIT_TIMEOUT_MS: '1000',
    });
    const { url, sandboxUrl } = everything;
    project.provide('everything', { url, sandboxUrl, databaseUrl: database.url, redisUrl: redis.url });
    return async () => {
      await everything.stop();
      await cleanUp();
    };
  } catch (error) {
    await cleanUp();
    throw error;
  }
}

/** Debian's. The one without a window of its own takes two thirds of the CPU. */
const BROWSERS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** @throws Error where continuous integration has none: there, nothing is skipped */
function findBrowser(): string | null {
  const files = process.env.CHROMIUM ? [process.env.CHROMIUM] : BROWSERS;
  const found = files.find((file) => existsSync(file));
  if (found !== undefined) return found;
  const message = `there is no browser at ${files.join(' or ')}: \`apt-get install chromium-headless-shell\`, or name one in CHROMIUM`;
  if (process.env.CI) throw new Error(message);
  process.stderr.write(`Tests of the web pages are skipped, since ${message}\n`);
  return null;
}
