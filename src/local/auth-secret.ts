import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const fileOf = (dataDir: string): string => path.join(dataDir, 'auth-secret');

/** The secret that signs this folder's tokens: made once, readable by its owner alone. */
export async function keepAuthSecret(dataDir: string): Promise<string> {
  const kept = await readAuthSecret(dataDir);
  if (kept) return kept;
  const secret = randomBytes(32).toString('hex');
  await mkdir(dataDir, { recursive: true });
  await writeFile(fileOf(dataDir), `${secret}\n`, { mode: 0o600 });
  return secret;
}

/** The secret that an earlier `start` kept in the folder, if any. */
export async function readAuthSecret(dataDir: string): Promise<string | undefined> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '');
  return text.trim() || undefined;
}
