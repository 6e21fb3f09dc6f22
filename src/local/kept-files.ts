import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What stands in a file of the data folder, readable by its owner alone; undefined where nothing does. */
async function read(dataDir: string, name: string): Promise<string | undefined> {
  const text = await readFile(path.join(dataDir, name), 'utf8').catch(() => '');
  return text.trim() || undefined;
}

const write = (dataDir: string, name: string, line: string): Promise<void> =>
  writeFile(path.join(dataDir, name), `${line}\n`, { mode: 0o600 });

/** The secret that signs this folder's tokens: made once. */
export async function keepAuthSecret(dataDir: string): Promise<string> {
  const kept = await readAuthSecret(dataDir);
  if (kept) return kept;
  const secret = randomBytes(32).toString('hex');
  await mkdir(dataDir, { recursive: true });
  await write(dataDir, 'auth-secret', secret);
  return secret;
}

/** The secret that an earlier `start` kept in the folder, if any. */
export const readAuthSecret = (dataDir: string): Promise<string | undefined> => read(dataDir, 'auth-secret');

/**
 * Keeps the URL of the folder's own Postgres, for commands that are run beside `start`.
 *
 * @returns what forgets it: the port is another one next time
 */
export async function keepDatabaseUrl(dataDir: string, url: string): Promise<() => Promise<void>> {
  await write(dataDir, 'database-url', url);
  return () => rm(path.join(dataDir, 'database-url'), { force: true });
}

/** The URL of the Postgres that `start` runs on the folder at the moment, if it does. */
export const readDatabaseUrl = (dataDir: string): Promise<string | undefined> =>
  read(dataDir, 'database-url');
