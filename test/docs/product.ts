import { readdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../src/local/free-port.js';
import { createTestDatabase } from '../support/database.js';
import { startEverything } from '../support/everything.js';
import { compileCache } from '../support/processes.js';
import { startTestRedis } from '../support/redis.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Does what npx does with a command that is installed, without the seconds that npm takes to start. */
const NPX = `#!/bin/sh
PATH="${path.join(root, 'node_modules', '.bin')}:$PATH"
exec "$@"
`;
/** What the guides name: `npm start` chooses these ports unless it is told otherwise. */
const SHOWN_PORTS = { api: 4000, sandbox: 4010, page: 5173 } as const;

const SHOWN = new RegExp(
  `\\b(?:127\\.0\\.0\\.1|localhost):(${SHOWN_PORTS.api}|${SHOWN_PORTS.sandbox})\\b`,
  'g',
);
const nameOf = (port: number): 'api' | 'sandbox' => (Number(port) === SHOWN_PORTS.api ? 'api' : 'sandbox');

/** What `npm start` runs, with demo data, and a folder that looks like the project's own to whoever types there. */
export interface Product {
  readonly folder: string;
  readonly url: string;
  readonly env: NodeJS.ProcessEnv;
  /** A text of the guides, with the ports that are in use here. */
  readonly here: (text: string) => string;
  stop(): Promise<void>;
}

export async function startProduct(): Promise<Product> {
  const [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-docs-'));
  await chmod(folder, 0o711);
  for (const name of readdirSync(root).filter((one) => !/^\.(git|tidings)/.test(one)))
    await symlink(path.join(root, name), path.join(folder, name));
  const commands = path.join(folder, '.commands');
  await mkdir(commands);
  await writeFile(path.join(commands, 'npx'), NPX, { mode: 0o755 });
  const env: NodeJS.ProcessEnv = {
    PATH: `${commands}:${process.env.PATH}`,
    HOME: process.env.HOME,
    NODE_COMPILE_CACHE: compileCache,
    DATABASE_URL: database.url,
  };
  const cleanUp = () =>
    Promise.all([database.drop(), redis.stop(), rm(folder, { recursive: true, force: true })]);
  const started = await startEverything(folder, { ...env, REDIS_URL: redis.url }).catch(async (error) => {
    await cleanUp();
    throw error;
  });
  const { url, ports } = started;
  // Now that all others are taken: the sandbox has further ones.
  const page = await freePort();
  return {
    folder,
    url,
    env,
    here: (text) =>
      text
        .replaceAll(SHOWN, (_, port: number) => `127.0.0.1:${ports[nameOf(port)]}`)
        .replaceAll(new RegExp(`\\b${SHOWN_PORTS.page}\\b`, 'g'), String(page)),
    async stop() {
      await started.stop();
      await cleanUp();
    },
  };
}
