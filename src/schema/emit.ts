// Writes schema.graphql; with --check it only says whether the committed one is stale (exit 1).
import { readFile, writeFile } from 'node:fs/promises';
import { assertValidSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { buildApiSchema } from './build.js';

const file = 'schema.graphql';
const header = '# Emitted from src/schema and src/resolvers by `npm run schema:emit`. Do not edit.\n\n';
const schema = await buildApiSchema();
assertValidSchema(schema);
const text = `${header}${printSchema(lexicographicSortSchema(schema))}\n`;

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== text) {
    process.stderr.write(`${file} is stale: run npm run schema:emit and commit it\n`);
    process.exit(1);
  }
} else {
  await writeFile(file, text);
}
