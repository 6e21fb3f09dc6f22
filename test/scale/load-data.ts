import { readFile } from 'node:fs/promises';
import pg from 'pg';

const LOOK_EVERY_MS = 10_000;
/** Sessions that build indexes and vacuum at once. */
const SESSIONS = 3;

/**
 * Fills a migrated, empty database. Secondary indexes are dropped before and built afterwards, which costs a fraction of
 * keeping them up row by row.
 *
 * @param users how many; there are 16 follows, 5 posts, 10 events and 2.5 deliveries each
 * @param note told of each part that is done, and of the database's size while it grows
 */
export async function loadData(
  databaseUrl: string,
  users: number,
  note: (line: string) => void,
): Promise<void> {
  const text = (await readFile(new URL('./data.sql', import.meta.url), 'utf8')).replaceAll(
    ':users',
    String(users),
  );
  const [prelude = '', ...sections] = text.split('-- section: ');
  const [first = '', ...others] = sections.map((section) => `-- ${section}`);
  const begun = performance.now();
  const done = (what: string): void =>
    note(
      `${users.toLocaleString('en')} users: ${what} after ${Math.round((performance.now() - begun) / 1000)} s`,
    );
  const stopWatching = watchSize(databaseUrl, done);
  const run = async (statements: readonly string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const runSection = async (section: string): Promise<void> => {
    await run([...statementsOf(prelude), ...statementsOf(section)]);
    done(nameOf(section));
  };
  try {
    await partitionByWeek(databaseUrl);
    const indexes = await dropIndexes(databaseUrl);
    await runSection(first);
    await Promise.all(others.map(runSection));
    await inTurns(indexes, (ofTable) => run(["SET maintenance_work_mem = '256MB'", ...ofTable]));
    done(`indexes of ${indexes.length} tables`);
    await inTurns(await tablesOf(databaseUrl), (table) => run([`VACUUM (FREEZE, ANALYZE) ${table}`]));
    await run(['CHECKPOINT']);
    done('vacuum');
  } finally {
    stopWatching();
  }
}

/**
 * Tables by month get as many partitions with rows as they have in the product, at any size: the first one ends three weeks ago, and
 * each week since then has its own.
 */
async function partitionByWeek(databaseUrl: string): Promise<void> {
  const weeksAgo = (weeks: number): string => `date_trunc('day', now()) - interval '${7 * weeks} days'`;
  const firsts = await ask<{ parent: string; first: string; end: string }>(
    databaseUrl,
    `SELECT i.inhparent::regclass::text AS parent, i.inhrelid::regclass::text AS first,
       substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\((.+)\\)') AS end
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE c.relname IN
       ('notification_requests_first', 'deliveries_first', 'delivery_targets', 'inbox_items', 'delivery_search_documents_first')`,
  );
  for (const { parent, first, end } of firsts) {
    await ask(databaseUrl, `ALTER TABLE ${parent} DETACH PARTITION ${first}`);
    await ask(
      databaseUrl,
      `ALTER TABLE ${parent} ATTACH PARTITION ${first} FOR VALUES FROM (MINVALUE) TO (${weeksAgo(3)})`,
    );
    for (const week of [3, 2, 1])
      await ask(
        databaseUrl,
        `CREATE TABLE ${parent}_${week}_ago PARTITION OF ${parent}
         FOR VALUES FROM (${weeksAgo(week)}) TO (${week === 1 ? end : weeksAgo(week - 1)})`,
      );
  }
}

const nameOf = (section: string): string => section.slice('-- '.length).split('\n', 1)[0]!;

/** One by one, so that each is planned by what the one before wrote. */
const statementsOf = (part: string): string[] => part.split(/;\n/).filter((text) => /^[^-\s]/m.test(text));

/**
 * All that no constraint needs; answers the statements that make them again, by table: two at once on a partitioned one may choose
 * the same name for a partition's.
 */
async function dropIndexes(databaseUrl: string): Promise<string[][]> {
  const rows = await ask<{ name: string; table: string; definition: string }>(
    databaseUrl,
    `SELECT i.indexrelid::regclass::text AS name, i.indrelid::regclass::text AS table, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS definition
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)`,
  );
  if (rows.length > 0) await ask(databaseUrl, `DROP INDEX ${rows.map(({ name }) => name).join(', ')}`);
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return [...byTable.values()].map((ofTable) => ofTable.map(({ definition }) => definition));
}

/** The largest first. */
async function tablesOf(databaseUrl: string): Promise<string[]> {
  const rows = await ask<{ name: string }>(
    databaseUrl,
    `SELECT oid::regclass::text AS name FROM pg_class
     WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(oid) DESC`,
  );
  return rows.map(({ name }) => name);
}

async function inTurns<One>(all: readonly One[], run: (one: One) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      for (const one of left) await run(one);
    }),
  );
}

function watchSize(databaseUrl: string, done: (what: string) => void): () => void {
  const timer = setInterval(() => {
    ask<{ size: string }>(databaseUrl, 'SELECT pg_size_pretty(pg_database_size(current_database())) AS size')
      .then(([row]) => done(`${row?.size}`))
      // A size that cannot be read is not worth ending the loading for.
      .catch(() => undefined);
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}

async function ask<Row extends pg.QueryResultRow>(databaseUrl: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}
