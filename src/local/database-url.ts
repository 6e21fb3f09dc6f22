import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

const fileOf = (dataDir: string): string => path.join(dataDir, 'database-url');

/**
 * Keeps the URL of the folder's own Postgres, readable by its owner alone, for commands that are run beside `start`.
 *
 * @returns what forgets it: the port is another one next time
 */
export async function keepDatabaseUrl(dataDir: string, url: string): Promise<() => Promise<void>> {
  await writeFile(fileOf(dataDir), `${url}\n`, { mode: 0o600 });
  return () => rm(fileOf(dataDir), { force: true });
}

/** The URL of the Postgres that `start` runs on the folder at the moment, if it does. */
export async function readDatabaseUrl(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '');
  return text.trim() || undefined;
}
