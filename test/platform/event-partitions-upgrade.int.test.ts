import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { createEventLog, type EventLog } from '../../src/platform/event-log/index.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const prisma = new URL('../../prisma/', import.meta.url);
const OF_PARTITIONS = [
  '20261125120000_events_bound',
  '20261125120100_events_bound_holds',
  '20261125120200_events_partitions',
];
const [BOUND, HOLDS, PARTITIONS] = OF_PARTITIONS;

let database: TestDatabase;
let folder: string;
let postgres: Postgres;
let log: EventLog;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-event-partitions-'));
  postgres = openPostgres(database.url, { max: 8, applicationName: 'test', onError: () => undefined });
  log = createEventLog({ postgres, ids: uuidV7Ids(systemClock) });
  await postgres.query('DROP SCHEMA public CASCADE');
  await postgres.query('CREATE SCHEMA public');
});
afterEach(async () => {
  await postgres.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** All migrations but this one and those of the log's partitions after it; of the functions those that write the log. */
async function migrateBefore(migration: string): Promise<void> {
  const isLeftOut = (source: string): boolean => {
    const [parent, name] = [path.basename(path.dirname(source)), path.basename(source)];
    return parent === 'functions' || (OF_PARTITIONS.includes(name) && name >= migration);
  };
  await cp(prisma, folder, { recursive: true, filter: (source) => !isLeftOut(source) });
  await migrate(database.url, { folder: pathToFileURL(`${folder}/`) });
  for (const name of ['server_life', 'append_commands', 'append_commands_in'])
    await postgres.query(await readFile(new URL(`functions/${name}.sql`, prisma), 'utf8'));
}

/** Appends to 40 streams until it is told to stop; answers what was accepted. */
function keepAppending(): () => Promise<string[]> {
  const accepted: string[] = [];
  let going = true;
  async function write(writer: number): Promise<void> {
    for (let turn = 0; going || turn < 50; turn += 1) {
      const streamId = `Stream-${(writer + turn) % 40}`;
      const events = [{ type: 'Noted', data: { text: `${writer} ${turn}` } }];
      const metadata = { correlationId: 'story', causationId: 'test' };
      const result = await log.append({ metadata, appends: [{ streamId, expected: 'any', events }] });
      if (result.kind === 'accepted')
        accepted.push(`${result.position} ${streamId} ${result.versions[streamId]} ${writer} ${turn}`);
    }
  }
  const writing = Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
  return async () => {
    going = false;
    await writing;
    return accepted;
  };
}

async function expectStored(accepted: readonly string[]): Promise<void> {
  const { rows } = await postgres.query<{ stored: string }>(
    `SELECT concat_ws(' ', global_position, stream_id, stream_position, data ->> 'text') AS stored
     FROM events ORDER BY global_position`,
  );
  const inOrder = [...accepted].sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
  expect(rows.map(({ stored }) => stored)).toEqual(inOrder);
}

const fileOf = async (table: string) =>
  (await postgres.query('SELECT pg_relation_filenode($1::text::regclass) AS file', [table])).rows[0]!.file;

it('a log with data becomes the first partition where it lies, while processes of the version before append', async () => {
  await migrateBefore(BOUND!);
  await postgres.query('GRANT SELECT ON events TO PUBLIC');
  const before = await keepAppending()();
  const file = await fileOf('events');
  const stop = keepAppending();
  await migrate(database.url);
  const meanwhile = await stop();
  const after = await keepAppending()();
  await expectStored([...before, ...meanwhile, ...after]);
  expect(meanwhile.length).toBeGreaterThanOrEqual(16 * 50);
  expect(await fileOf('events_from_1')).toBe(file);
  const { rows } = await postgres.query(
    `SELECT relkind::text AS kind, pg_get_userbyid(relowner) = current_user AS ours,
       (SELECT bool_or(grantee = 0 AND privilege_type = 'SELECT') FROM aclexplode(relacl)) AS readable
     FROM pg_class WHERE oid = 'events'::regclass`,
  );
  expect(rows).toEqual([{ kind: 'p', ours: true, readable: true }]);
  await expect(postgres.query('DELETE FROM events')).rejects.toThrow('is append-only');
  await expect(postgres.query('DELETE FROM events_from_1')).rejects.toThrow('is append-only');
});

it.each([
  [BOUND!, 'ACCESS SHARE'],
  [HOLDS!, 'SHARE UPDATE EXCLUSIVE'],
  [PARTITIONS!, 'ACCESS SHARE'],
])('migrating goes on after it was killed in %s', async (migration, lock) => {
  await migrateBefore(migration);
  const before = await keepAppending()();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const holding = postgres.transaction(async (tx) => {
    await tx.query(`LOCK TABLE events IN ${lock} MODE`);
    const migrating = migrate(database.url);
    migrating.catch(() => undefined);
    await expect
      .poll(async () => (await postgres.query(KILL)).rows.length, { timeout: 30_000, interval: 5 })
      .toBeGreaterThan(0);
    await expect(migrating).rejects.toThrow();
    // As a process leaves it that has no time to say that it failed.
    await tx.query('UPDATE _prisma_migrations SET rolled_back_at = NULL WHERE migration_name = $1', [
      migration,
    ]);
    letGo();
  });
  await held;
  await holding;
  const stop = keepAppending();
  await migrate(database.url);
  await expectStored([...before, ...(await stop())]);
  expect(await fileOf('events_from_1')).toBeGreaterThan(0);
});

const KILL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
  AND application_name = 'tidings migrate' AND wait_event_type = 'Lock' AND wait_event = 'relation'`;
