import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { loadPackageOfProduct } from '../../harness/product.ts';

const { from, to } = loadPackageOfProduct<typeof import('pg-copy-streams')>('pg-copy-streams');

/**
 * The bare limit: takes the rows of tables out, then copies them into empty tables of the same shape, constraints and
 * indexes included, each by one COPY … FROM STDIN.
 *
 * @returns how many seconds the copying in took
 */
export async function copyAfresh(databaseUrl: string, tables: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    let seconds = 0;
    for (const table of tables) {
      const chunks: Buffer[] = [];
      for await (const chunk of client.query(to(`COPY (TABLE ${table}) TO STDOUT`)))
        chunks.push(chunk as Buffer);
      await client.query(`CREATE TABLE bare_copy (LIKE ${table} INCLUDING ALL)`);
      const startedAt = performance.now();
      await pipeline(Readable.from(chunks), client.query(from('COPY bare_copy FROM STDIN')));
      seconds += (performance.now() - startedAt) / 1000;
      await client.query('DROP TABLE bare_copy');
    }
    return seconds;
  } finally {
    await client.end();
  }
}
