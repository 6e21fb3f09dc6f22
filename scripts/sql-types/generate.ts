import { glob, readFile } from 'node:fs/promises';
import pg from 'pg';
import { render } from './render.js';
import { readTypeNames } from './types.js';

/**
 * What has to stand beside the `.sql` files of src, and does not.
 *
 * @param databaseUrl of a migrated database; nothing in it changes
 * @returns texts by path, from the root of the project
 * @throws Error naming the file and the statement that Postgres refuses
 */
export async function findStale(databaseUrl: string): Promise<ReadonlyMap<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const types = await readTypeNames(client);
    const stale = new Map<string, string>();
    for await (const file of glob('src/**/*.sql')) {
      const text = await render(client, types, file, await readFile(file, 'utf8'));
      const there = await readFile(`${file}.ts`, 'utf8').catch(() => undefined);
      if (there !== text) stale.set(`${file}.ts`, text);
    }
    return stale;
  } finally {
    await client.end();
  }
}
