import pg from 'pg';
import { systemClock } from '../clock.js';
import { readable } from '../postgres/migration-error.js';
import { isConnectionError, openPostgres, type Postgres } from '../postgres/postgres.js';
import { StartError } from '../process/start-error.js';
import { parseApiKey } from './api-key.js';
import { type ApiKeyOwner, createApiKey, type ListedApiKey, listApiKeys, revokeApiKey } from './api-keys.js';

const UNDEFINED_TABLE = '42P01';

/**
 * Makes a key, and answers its text.
 *
 * @throws StartError, one line for each fault, where there can be no such key or no such database
 */
export async function createKey(databaseUrl: string, owner: ApiKeyOwner): Promise<string> {
  const created = await inDatabase(databaseUrl, (postgres) => createApiKey(postgres, owner, systemClock));
  if (!created.ok) throw new StartError(created.errors.map(({ message }) => message).join('\n'));
  return created.value.text;
}

/**
 * A table of every key, or of one user's: a heading, and a line for each.
 *
 * @throws StartError where the database does not answer
 */
export async function tableOfKeys(databaseUrl: string, userId?: string): Promise<string> {
  const keys = await inDatabase(databaseUrl, (postgres) => listApiKeys(postgres, userId));
  const lines = [['ID', 'USER', 'ROLES', 'PLAN', 'CREATED', 'REVOKED'], ...keys.map(cellsOf)];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((cells) => cells[column]!.length)));
  return lines
    .map((cells) => cells.map((cell, column) => cell.padEnd(widths[column]!)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n');
}

/**
 * Revokes a key. A whole key, found somewhere, may be given instead of its id.
 *
 * @returns the key's id
 * @throws StartError where there is no such key, or the database does not answer
 */
export async function revokeKey(databaseUrl: string, idOrKey: string): Promise<string> {
  const apiKeyId = parseApiKey(idOrKey)?.apiKeyId ?? idOrKey;
  const revoked = await inDatabase(databaseUrl, (postgres) => revokeApiKey(postgres, apiKeyId, systemClock));
  if (!revoked) throw new StartError(`There is no API key ${apiKeyId}`);
  return apiKeyId;
}

const cellsOf = ({ apiKeyId, userId, roles, plan, createdAt, revokedAt }: ListedApiKey): string[] => [
  apiKeyId,
  userId,
  roles.join(','),
  plan,
  createdAt.toISOString(),
  revokedAt?.toISOString() ?? '-',
];

async function inDatabase<T>(databaseUrl: string, work: (postgres: Postgres) => Promise<T>): Promise<T> {
  const postgres = openPostgres(databaseUrl, {
    max: 1,
    applicationName: 'tidings api-key',
    onError: () => undefined,
  });
  try {
    return await work(postgres);
  } catch (cause) {
    if (cause instanceof pg.DatabaseError && cause.code === UNDEFINED_TABLE)
      throw new StartError('the database knows no API keys yet: run `tidings migrate`', { cause });
    if (cause instanceof pg.DatabaseError || isConnectionError(cause))
      throw new StartError(`the database cannot be asked: ${readable(cause)}`, { cause });
    throw cause;
  } finally {
    await postgres.close();
  }
}
