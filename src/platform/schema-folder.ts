import { readdir } from 'node:fs/promises';

/** Where schema.prisma, migrations/ and functions/ lie: the same from `src/` and from `dist/`. A URL that ends in `/`. */
export const prismaFolder = new URL('../../prisma/', import.meta.url);

/** Names of the migrations of such a folder, in the order in which they are applied. */
export async function migrationNames(folder: URL): Promise<string[]> {
  const entries = await readdir(new URL('migrations/', folder), { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** Names of the SQL functions of such a folder. Each stands in a file of its name. */
export async function functionNames(folder: URL): Promise<string[]> {
  const names = await readdir(new URL('functions/', folder));
  return names.filter((name) => name.endsWith('.sql')).map((name) => name.slice(0, -'.sql'.length));
}
