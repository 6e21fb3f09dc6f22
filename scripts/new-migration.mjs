// npm run db:migration -- NAME           writes prisma/migrations/<time>_NAME/migration.sql
// npm run db:migration -- NAME --empty   also where prisma/schema.prisma has no changes: for SQL by hand alone
// npm run db:migration -- --check        exits 1 when prisma/schema.prisma has changes that no migration has
//
// The migration is the way from prisma/migrations/last-schema.prisma (the schema as of the newest migration,
// rewritten here) to prisma/schema.prisma. No database is looked at: what Prisma's schema language cannot say
// (triggers, partitions, partial indexes) is added to migration.sql by hand and is never seen as drift.
// Edit the new file before it is first applied, and never afterwards: its checksum is kept.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { everything, openSchemaEngine } from '../src/platform/postgres/schema-engine.ts';

const say = (line) => process.stderr.write(`${line}\n`);

const folder = new URL('../prisma/', import.meta.url);
const schemaFile = new URL('schema.prisma', folder);
const lastSchemaFile = new URL('migrations/last-schema.prisma', folder);

const neverCalled = async () => {
  throw new Error('there is no database here');
};

/** The engine asks a server for its version before it compares; two schemas compare without a server. */
const noDatabase = {
  adapterName: 'none',
  provider: 'postgres',
  connect: async () => ({
    adapterName: 'none',
    provider: 'postgres',
    getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
    queryRaw: async () => ({
      columnNames: ['exists', 'version', 'numeric_version'],
      columnTypes: [5, 7, 0],
      rows: [[true, 'PostgreSQL 18.0', 180_000]],
    }),
    executeRaw: neverCalled,
    executeScript: neverCalled,
    startTransaction: neverCalled,
    dispose: async () => undefined,
  }),
};

const datamodel = (content) => ({ tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] });

async function difference(before, after) {
  const engine = await openSchemaEngine(noDatabase, after);
  const from = before === undefined ? { tag: 'empty' } : datamodel(before);
  const request = { from, to: datamodel(after), filters: everything, exitCode: true };
  // With `exitCode` the engine answers 2 when there is a difference, and 0 when there is none.
  const { exitCode, stdout } = await engine.diff({ ...request, script: true });
  return exitCode === 0 || /^\s*(-- This is an empty migration\.)?\s*$/.test(stdout) ? undefined : stdout;
}

function fail(message) {
  say(message);
  process.exit(1);
}

const [name, flag] = process.argv.slice(2);
if (!name || (flag && flag !== '--empty')) fail('usage: npm run db:migration -- NAME [--empty] | --check');

const schema = await readFile(schemaFile, 'utf8');
const lastSchema = await readFile(lastSchemaFile, 'utf8').catch(() => undefined);
const script = await difference(lastSchema, schema).catch((error) => fail(error.message));

if (name === '--check') {
  if (script) fail('prisma/schema.prisma has changes without a migration: run npm run db:migration -- NAME');
} else {
  if (!/^[a-z0-9_]+$/.test(name)) fail('a migration name has lower-case letters, digits and _ only');
  if (!script && flag !== '--empty') {
    fail('prisma/schema.prisma has no changes; for a migration of hand-written SQL alone add --empty');
  }
  const time = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const target = new URL(`migrations/${time}_${name}/`, folder);
  await mkdir(target, { recursive: true });
  await writeFile(
    new URL('migration.sql', target),
    script ?? '-- Nothing that Prisma sees: write SQL here.\n',
  );
  await writeFile(lastSchemaFile, schema);
  say(`wrote prisma/migrations/${time}_${name}/migration.sql`);
}
