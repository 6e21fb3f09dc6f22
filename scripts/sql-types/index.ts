// npm run sql:types             writes, beside each .sql file of src, the types of the rows that its statements return
// npm run sql:types -- --check  exits 1 where one of them is not what Postgres says
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '../../src/local/postgres.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { findStale } from './generate.js';

const isCheck = process.argv.includes('--check');
const folder = await mkdtemp(path.join(tmpdir(), 'tidings-sql-types-'));
// As root, the server runs as another user, who must get through to its folder.
await chmod(folder, 0o711);
const dataDir = path.join(folder, 'postgres');
const server = await startPostgres({ dataDir, durable: false, say: () => undefined });
try {
  await migrate(server.url);
  const stale = await findStale(server.url);
  for (const [file, text] of stale) {
    if (!isCheck) await writeFile(file, text);
    process.stdout.write(`${file}\n`);
  }
  if (isCheck && stale.size > 0) {
    process.stderr.write('these are not what Postgres says of their statements: run npm run sql:types\n');
    process.exitCode = 1;
  }
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
