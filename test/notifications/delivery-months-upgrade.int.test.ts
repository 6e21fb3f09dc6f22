import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { idAt, stepAt } from './months-world.js';

const prisma = new URL('../../prisma/', import.meta.url);
const FIRST_OF_THESE = '20261126010000';
const LAST_OF_THESE = '20261126011200';
const DAY_MS = 86_400_000;

let database: TestDatabase;
let folder: string;
let postgres: Postgres;
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-months-'));
  postgres = openPostgres(database.url, { max: 6, applicationName: 'test', onError: () => undefined });
  await rows('DROP SCHEMA public CASCADE');
  await rows('CREATE SCHEMA public');
});
afterEach(async () => {
  await postgres.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const rows = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  (await postgres.query<Row & Record<string, unknown>>(sql, values)).rows;

/** All migrations before this one, and none of the functions: they may need tables of later ones. */
async function migrateBefore(migration: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await cp(prisma, folder, {
    recursive: true,
    filter: (source) => {
      const name = path.basename(source);
      return (
        path.basename(path.dirname(source)) !== 'functions' && (!/^\d{14}_/.test(name) || name < migration)
      );
    },
  });
  await migrate(database.url, { folder: pathToFileURL(`${folder}/`) });
}

interface Written {
  readonly requestId: string;
  readonly deliveryId: string;
  readonly userId: string;
}

/** A request of one delivery, as the former version wrote it: a fallback's id says no time. */
async function write(at: Date, status: string, fallbackFor?: Written): Promise<Written> {
  const requestId = fallbackFor?.requestId ?? idAt(at);
  const deliveryId = fallbackFor ? randomUUID() : idAt(at);
  const userId = randomUUID();
  if (!fallbackFor)
    await rows(
      `INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id, last_event, created_at)
       VALUES ($1, 'shop', $2, 'T', 'high', 't', 'c', 1, $3)`,
      [requestId, userId, at],
    );
  await rows(
    `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
                             status, max_retries, rendered_content, created_at, queued_at, next_retry_at, due_at, fallback_for_id)
     VALUES ($1, $2, $3, 'shop', $3, 'T', $4, 'high', $5::text, 5, '{}', $6, $6,
             CASE $5::text WHEN 'RETRYING' THEN $6::timestamptz END, CASE $5::text WHEN 'SCHEDULED' THEN $6::timestamptz END, $7)`,
    [
      deliveryId,
      requestId,
      userId,
      fallbackFor ? 'email' : 'push',
      status,
      at,
      fallbackFor?.deliveryId ?? null,
    ],
  );
  await rows(
    "INSERT INTO delivery_events (request_id, number, delivery_id, event, status, at) VALUES ($1, (SELECT count(*) + 1 FROM delivery_events WHERE request_id = $1), $2, 'CREATED', 'QUEUED', $3)",
    [requestId, deliveryId, at],
  );
  if (['SENT', 'RETRYING'].includes(status)) await rows(FORMER_ANSWER, [deliveryId, 'phone', at]);
  if (status === 'DEAD')
    await rows(
      `INSERT INTO failed_notifications (delivery_id, notification_id, user_id, channel, error, attempts, created_at, failed_at)
       VALUES ($1, $2, $2, 'push', 'gone', 5, $3, $3)`,
      [deliveryId, userId, at],
    );
  return { requestId, deliveryId, userId };
}

/** The former version's way to note what an address answered. */
const FORMER_ANSWER = `INSERT INTO delivery_targets (delivery_id, target, provider_id, updated_at) VALUES ($1, $2, 'former', $3)
  ON CONFLICT (delivery_id, target) DO UPDATE SET provider_id = excluded.provider_id, updated_at = excluded.updated_at`;
const STATUSES = ['QUEUED', 'RETRYING', 'SCHEDULED', 'SENT', 'DELIVERED', 'DEAD', 'SUPPRESSED'];

async function writeAll(): Promise<Written[]> {
  const written: Written[] = [];
  for (const days of [0, 20, 80])
    for (const status of STATUSES) {
      const request = await write(new Date(Date.now() - days * DAY_MS), status);
      written.push(request);
      if (status === 'DEAD')
        written.push(await write(new Date(Date.now() - days * DAY_MS), 'SCHEDULED', request));
    }
  return written;
}

/** Everything that these tables say, but where it lies. */
/** Without columns of later migrations. */
const everything = (targets: string) =>
  rows(
    `SELECT (SELECT jsonb_agg(to_jsonb(r) - 'schedule_in_local_time' - 'traceparent' ORDER BY r.request_id) FROM notification_requests r) AS requests,
            (SELECT jsonb_agg(to_jsonb(d) - 'group_id' ORDER BY d.delivery_id) FROM deliveries d) AS deliveries,
            (SELECT jsonb_agg(to_jsonb(o) ORDER BY o.delivery_id, o.target) FROM ${targets} o) AS targets,
            (SELECT jsonb_agg(to_jsonb(p) ORDER BY p.delivery_id) FROM pending_deliveries p) AS pending,
            (SELECT jsonb_agg(to_jsonb(f) ORDER BY f.delivery_id) FROM failed_notifications f) AS failed`,
  );
const filesOf = (...tables: string[]) =>
  rows(
    'SELECT pg_relation_filenode(t::regclass) AS file FROM unnest($1::text[]) WITH ORDINALITY AS t (t, n) ORDER BY n',
    [tables],
  );

it('a database with data keeps it where it lies, finds all of it, and goes on with it', async () => {
  await migrateBefore(FIRST_OF_THESE);
  await rows('GRANT SELECT ON deliveries, notification_requests, delivery_targets TO PUBLIC');
  const written = await writeAll();
  const [before, files] = [
    await everything('delivery_targets'),
    await filesOf('notification_requests', 'deliveries', 'delivery_targets'),
  ];
  await migrate(database.url);
  expect(await everything('target_outcomes')).toEqual(before);
  expect(await filesOf('notification_requests_first', 'deliveries_first', 'delivery_targets')).toEqual(files);
  expect(
    await rows(
      `SELECT relkind::text AS kind, pg_get_userbyid(relowner) = current_user AS ours,
         (SELECT bool_or(grantee = 0 AND privilege_type = 'SELECT') FROM aclexplode(relacl)) AS readable
       FROM pg_class WHERE relname IN ('deliveries', 'notification_requests', 'target_outcomes')`,
    ),
  ).toEqual([1, 2, 3].map(() => ({ kind: 'p', ours: true, readable: true })));
  expect(await rows("SELECT pg_get_serial_sequence('deliveries', 'sequence') AS name")).toEqual([
    { name: 'public.deliveries_sequence_seq' },
  ]);

  for (const { deliveryId, requestId } of written) {
    const at = new Date();
    const step = stepAt(deliveryId, at, 'SENT', {
      targets: [{ target: 'phone', error: null, providerId: 'new' }],
    });
    expect(await rows('SELECT * FROM apply_transitions($1)', [JSON.stringify([step])])).toMatchObject([
      { deliveryId, requestId },
    ]);
    expect(
      await rows('SELECT provider_id AS id FROM target_outcomes WHERE delivery_id = $1', [deliveryId]),
    ).toEqual([{ id: 'new' }]);
    expect(await rows('SELECT request_status($1) AS status', [requestId])).not.toEqual([]);
  }
  expect(await rows('SELECT FROM pending_deliveries')).toEqual([]);
});

it('processes of the former version read and write while it is upgraded and afterwards, and wait for moments only', async () => {
  await migrateBefore(FIRST_OF_THESE);
  await writeAll();
  // Of a size that takes a moment to read.
  await rows(
    `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
                             status, max_retries, rendered_content)
     SELECT gen_random_uuid(), gen_random_uuid(), 'n', 'p', 'u' || n, 'T', 'push', 'high', 'SENT', 5, '{}' FROM generate_series(1, 50000) n`,
  );
  let isOver = false;
  const formerly = async (): Promise<Written[]> => {
    const written: Written[] = [];
    while (!isOver || written.length < 20) {
      const one = await write(new Date(), 'QUEUED');
      await postgres.transaction(async (tx) => {
        await tx.query("SET LOCAL lock_timeout = '2s'");
        await tx.query("UPDATE deliveries SET status = 'SENT', attempt = 1 WHERE delivery_id = $1", [
          one.deliveryId,
        ]);
        await tx.query(FORMER_ANSWER, [one.deliveryId, 'phone', new Date()]);
        await tx.query('UPDATE notification_requests SET last_event = 2 WHERE request_id = $1', [
          one.requestId,
        ]);
      });
      written.push(one);
    }
    return written;
  };
  const writing = Promise.all([formerly(), formerly()]);
  await migrate(database.url);
  isOver = true;
  const written = (await writing).flat();
  for (const { deliveryId, requestId } of [...written, await write(new Date(), 'SENT')])
    expect(
      await rows(
        `SELECT d.status, r.request_id AS "requestId", o.provider_id AS "providerId"
         FROM deliveries d JOIN notification_requests r USING (request_id) JOIN target_outcomes o USING (delivery_id)
         WHERE delivery_id = $1`,
        [deliveryId],
      ),
    ).toEqual([{ status: 'SENT', requestId, providerId: 'former' }]);
  const ids = written.map(({ deliveryId }) => deliveryId);
  expect(await rows('SELECT FROM pending_deliveries WHERE delivery_id = ANY ($1)', [ids])).toEqual([]);
});

it('an upgrade goes on after it was killed in any of its steps, and loses nothing', async () => {
  await migrateBefore(FIRST_OF_THESE);
  await writeAll();
  const before = await everything('delivery_targets');
  const migrations = (await readdir(new URL('migrations/', prisma)))
    .filter((name) => name >= FIRST_OF_THESE && name < `${LAST_OF_THESE}~`)
    .sort();
  expect(migrations).toHaveLength(13);
  for (const migration of migrations) {
    const sql = await readFile(new URL(`migrations/${migration}/migration.sql`, prisma), 'utf8');
    const table = /requests/.test(migration)
      ? 'notification_requests'
      : /target/.test(migration)
        ? 'delivery_targets'
        : 'deliveries';
    // So that it has begun when it has to wait: an index that is built concurrently is left invalid.
    const lock = /CONCURRENTLY/.test(sql)
      ? 'ROW EXCLUSIVE'
      : /VALIDATE/.test(sql)
        ? 'SHARE UPDATE EXCLUSIVE'
        : 'ACCESS SHARE';
    const next = `${migration}~`;
    await postgres.transaction(async (tx) => {
      await tx.query(`LOCK TABLE ${table} IN ${lock} MODE`);
      const migrating = migrateBefore(next);
      migrating.catch(() => undefined);
      await expect
        .poll(async () => (await rows(KILL)).length, { timeout: 60_000, interval: 5 })
        .toBeGreaterThan(0);
      await expect(migrating).rejects.toThrow();
      // As a process leaves it that has no time to say that it failed.
      await tx.query('UPDATE _prisma_migrations SET rolled_back_at = NULL WHERE migration_name = $1', [
        migration,
      ]);
    });
    await migrateBefore(next);
  }
  await migrate(database.url);
  expect(await everything('target_outcomes')).toEqual(before);
  expect(
    await rows(
      `SELECT count(*)::int AS invalid FROM pg_index x JOIN pg_class c ON c.oid = x.indrelid
       WHERE NOT x.indisvalid AND c.relname ~ '^(deliver|notification_req|target)'`,
    ),
  ).toEqual([{ invalid: 0 }]);
  // Thirteen times migrated twice.
}, 300_000);

const KILL = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
  AND application_name = 'tidings migrate' AND wait_event_type = 'Lock' AND wait_event <> 'advisory'`;
