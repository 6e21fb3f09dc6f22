import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { migrate } from '../../../src/platform/postgres/migrations.js';
import { compileCache } from '../../support/processes.js';
import { type Contents, findLosses, readFormer, rowsOf } from './contents.js';
import { FOLLOWS } from './places.js';
import { describeSchema } from './schema.js';
import { beforePartitions, openWorld, type World } from './world.js';

const main = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

/** Where a migration is killed: what somebody else holds in its way. */
interface Point {
  readonly at: string;
  /** SQL that puts the obstacle there, and takes it away again. */
  readonly put: string;
  readonly remove: string;
}

/** A row that nobody can write while the advisory lock is held. */
const row = (at: string, event: 'INSERT' | 'UPDATE', table: string, when: string): Point => ({
  at,
  put: `
    CREATE FUNCTION wait_here() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END';
    CREATE TRIGGER wait_here BEFORE ${event} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION wait_here()`,
  remove: 'DROP FUNCTION wait_here() CASCADE',
});
/** All of the migration is done, and nothing committed. */
const endOf = (name: string): Point =>
  row(
    `the end of ${name}`,
    'UPDATE',
    '_prisma_migrations',
    `NEW.migration_name = '${name}' AND NEW.finished_at IS NOT NULL`,
  );
const beginningOf = (name: string): Point =>
  row(`the beginning of ${name}`, 'INSERT', '_prisma_migrations', `NEW.migration_name = '${name}'`);
/** An index that is built concurrently waits for writers, and is there then, invalid. */
const indexOn = (table: string): Point => ({
  at: `the first index that is built on ${table}`,
  put: `BEGIN; LOCK TABLE ${table} IN ROW EXCLUSIVE MODE`,
  remove: 'COMMIT',
});

/** In the order of the migrations: each next one is further than what was done before the kill. */
const POINTS: readonly Point[] = [
  indexOn('users'),
  endOf('20261125100000_projector_positions'),
  endOf('20261125120200_events_partitions'),
  beginningOf('20261125210100_pending_deliveries_filled'),
  row('the third page of pending deliveries', 'INSERT', 'pending_deliveries', "NEW.user_id = 'user-3050'"),
  endOf('20261125220300_inbox_entries'),
  indexOn('delivery_targets'),
  endOf('20261126011100_deliveries_by_month'),
  beginningOf('20261126040100_messages_copied'),
  row('the third page of messages', 'INSERT', 'outbox', "NEW.key = 'commerce.message:Order-o-999@0'"),
  endOf('20261126040400_notices_in_the_outbox'),
  endOf('20261126060310_transfer_counts'),
  row('the functions', 'INSERT', '_tidings_functions', 'true'),
];

let straight: World;
let killed: World;
let former: Contents;
beforeAll(async () => {
  [straight, killed] = await Promise.all([openWorld(beforePartitions), openWorld(beforePartitions)]);
  former = await readFormer(killed.postgres);
  await migrate(straight.url);
});
afterAll(async () => {
  await Promise.all([straight?.close(), killed?.close()]);
});

/** Runs `tidings migrate` until it waits for what is in its way, and kills the process there. */
async function killAt({ at, put, remove }: Point): Promise<void> {
  const holder = await killed.postgres.pool.connect();
  try {
    await holder.query('SELECT pg_advisory_lock(7)');
    await holder.query(put);
    const pid = (await holder.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
    const child = spawn(process.execPath, [main, 'migrate'], {
      env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache, DATABASE_URL: killed.url },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (text) => (output += String(text)));
    const ended = once(child, 'exit');
    await expect
      .poll(
        async () => {
          if (child.exitCode !== null) throw new Error(`migrate ended before ${at}: ${output}`);
          return (await killed.postgres.query(WAITING, [pid])).rows.length;
        },
        { timeout: 60_000, interval: 10 },
      )
      .toBeGreaterThan(0);
    child.kill('SIGKILL');
    await ended;
    // The server would see within a second that the process is gone.
    await killed.postgres.query(`SELECT pg_terminate_backend(pid, 10000) FROM (${OF_MIGRATE}) AS sessions`);
    await holder.query(remove);
    await holder.query('SELECT pg_advisory_unlock_all()');
  } finally {
    holder.release();
  }
}

const OF_MIGRATE = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = 'tidings migrate'`;
/** Behind the obstacle itself: an index that is built concurrently waits for an autovacuum too, for a moment. */
const WAITING = `${OF_MIGRATE} AND $1 = ANY (pg_blocking_pids(pid))`;

const unfinished = async (): Promise<string[]> =>
  rowsOf(
    killed.postgres,
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NULL AND rolled_back_at IS NULL',
  );

it('an upgrade whose process is killed at any step goes on in the next run, and ends as one that nobody killed', async () => {
  for (const point of POINTS) await killAt(point);
  await migrate(killed.url);

  expect(await unfinished()).toEqual([]);
  expect(await findLosses(killed.postgres, former)).toEqual({});
  for (const [, after] of Object.values(FOLLOWS))
    expect(await rowsOf(killed.postgres, after)).toEqual(await rowsOf(straight.postgres, after));
  expect(await describeSchema(killed.postgres)).toEqual(await describeSchema(straight.postgres));
  const [one, other] = [await readFormer(killed.postgres), await readFormer(straight.postgres)];
  expect([...one.keys()].sort()).toEqual([...other.keys()].sort());
  // Both say when they were migrated.
  const dated = ['outbox', 'delivery_search_queue'];
  for (const [name, table] of one) if (!dated.includes(name)) expect(table, name).toEqual(other.get(name));
});
