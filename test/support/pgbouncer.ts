import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { vi } from 'vitest';
import { startOnPort } from '../../src/local/free-port.js';
import { endChild, endWithParent } from '../../src/local/processes.js';

/** A PgBouncer of one database. Stop it in `afterAll`. */
export interface TestPgbouncer {
  /** Leads to the database that it was started for. */
  readonly url: string;
  stop(): Promise<void>;
}

const BINARY = [process.env.PGBOUNCER, '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find(
  (file) => file && existsSync(file),
);

/** Tests that need one are skipped where there is none; never in CI, which installs it. */
export const lacksPgbouncer = BINARY === undefined && !process.env.CI;

/**
 * @param databaseUrl of the server
 * @param options poolSize: sessions of the server, for however many clients
 */
export async function startPgbouncer(
  databaseUrl: string,
  options: { readonly mode?: 'session' | 'transaction' | 'statement'; readonly poolSize?: number } = {},
): Promise<TestPgbouncer> {
  if (!BINARY) throw new Error('there is no pgbouncer: install the package of that name, or set PGBOUNCER');
  const { mode = 'transaction', poolSize = 5 } = options;
  const server = new URL(databaseUrl);
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-pgbouncer-'));
  await chmod(folder, 0o755);
  const settings = path.join(folder, 'pgbouncer.ini');
  return startOnPort(undefined, async (port) => {
    const lines = [
      '[databases]',
      `${server.pathname.slice(1)} = host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `pool_mode = ${mode}`,
      `default_pool_size = ${poolSize}`,
      'max_client_conn = 1000',
      '',
    ];
    await writeFile(settings, lines.join('\n'));
    const child = spawn(BINARY, [settings], { stdio: ['ignore', 'ignore', 'pipe'], ...runAs() });
    let words = '';
    child.stderr.on('data', (text) => (words += String(text)));
    child.on('error', () => undefined);
    endWithParent(child, 'TERM');
    const url = new URL(databaseUrl);
    url.port = String(port);
    const stop = async (): Promise<void> => {
      await endChild(child, 'SIGTERM', 'SIGKILL', 5_000);
      await rm(folder, { recursive: true, force: true });
    };
    try {
      await vi.waitFor(() => answers(url.href, child), { timeout: 20_000, interval: 50 });
    } catch (error) {
      await stop();
      throw new Error(`pgbouncer did not start: ${words}`, { cause: error });
    }
    return { url: url.href, stop };
  });
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('SELECT 1');
  await client.end();
}

/** It refuses to run as root. */
function runAs(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { stdio: 'pipe' }));
  return { uid: id('-u'), gid: id('-g') };
}
