import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyTransitions } from '../../src/domains/notifications/delivery/mailbox.js';
import { stepOf } from '../../src/domains/notifications/delivery/transition.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const prisma = new URL('../../prisma/', import.meta.url);
const FIRST_OF_THESE = '20261125210000';
const SECOND_OF_THESE = '20261125210100';
const FILL = new URL('migrations/20261125210100_pending_deliveries_filled/migration.sql', prisma);

let database: TestDatabase;
let folder: string;
let postgres: Postgres;

const rows = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
  (await postgres.query<Row & Record<string, unknown>>(sql, values)).rows;

async function migrateBefore(name: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await cp(prisma, folder, {
    recursive: true,
    // Functions may need columns of later migrations.
    filter: (source) => {
      const base = path.basename(source);
      return path.basename(path.dirname(source)) !== 'functions' && (!/^\d{14}_/.test(base) || base < name);
    },
  });
  await migrate(database.url, { folder: pathToFileURL(`${folder}/`) });
}

/** A delivery of a user of its own, as the former version wrote it. */
async function deliver(userId: string, status: string, leaseMs?: number): Promise<string> {
  const [row] = await rows<{ id: string }>(
    `INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
                             status, max_retries, rendered_content, queued_at, next_retry_at, due_at, lease_token, lease_until)
     VALUES (gen_random_uuid(), gen_random_uuid(), $1::text, 'shop', $1::text, 'T', 'push', 'high', $2::text, 5, '{}', now(),
             CASE $2::text WHEN 'RETRYING' THEN now() + interval '1 hour' END, CASE $2::text WHEN 'SCHEDULED' THEN now() + interval '1 hour' END,
             CASE WHEN $3::int IS NOT NULL THEN gen_random_uuid() END, now() + $3::int * interval '1 ms')
     RETURNING delivery_id AS id`,
    [userId, status, leaseMs ?? null],
  );
  await rows(
    `INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id)
     SELECT request_id, producer, notification_id, notification_type, priority, 't', 'c' FROM deliveries WHERE delivery_id = $1`,
    [row!.id],
  );
  return row!.id;
}

const pendingOf = async (deliveryId: string) =>
  (
    await rows<{ status: string; leased: boolean; due: boolean }>(
      `SELECT status, lease_token IS NOT NULL AS leased, due_at <= now() + interval '1 s' AS due
       FROM pending_deliveries WHERE delivery_id = $1`,
      [deliveryId],
    )
  )[0];
const FORMER_CLAIM = `UPDATE deliveries SET lease_token = gen_random_uuid(), lease_until = clock_timestamp() + interval '1 minute'
  WHERE delivery_id = $1`;
const disagreeing = () =>
  rows(`SELECT FROM (SELECT * FROM deliveries WHERE status IN ('QUEUED', 'RETRYING', 'SCHEDULED')) AS d
    FULL JOIN pending_deliveries p USING (delivery_id) WHERE d.status IS DISTINCT FROM p.status
      OR d.lease_until > p.lease_until OR (d.lease_until IS NOT NULL AND p.lease_until IS NULL)`);

let queued: string;
let called: string;
let claimedMeanwhile: string;
let endedMeanwhile: string;
let retrying: string;
let scheduled: string;

/** A database that was upgraded while the former version's processes worked. */
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-pending-'));
  postgres = openPostgres(database.url, { max: 3, applicationName: 'test', onError: () => undefined });
  await rows('DROP SCHEMA public CASCADE');
  await rows('CREATE SCHEMA public');
  await migrateBefore(FIRST_OF_THESE);
  queued = await deliver('queued', 'QUEUED');
  called = await deliver('called', 'QUEUED', 60_000);
  claimedMeanwhile = await deliver('claimed-meanwhile', 'QUEUED');
  endedMeanwhile = await deliver('ended-meanwhile', 'QUEUED');
  retrying = await deliver('retrying', 'RETRYING');
  scheduled = await deliver('scheduled', 'SCHEDULED');
  for (const over of ['SENT', 'DELIVERED', 'DEAD']) await deliver(over, over);
  await migrateBefore(SECOND_OF_THESE);
  await rows(FORMER_CLAIM, [claimedMeanwhile]);
  await rows("UPDATE deliveries SET status = 'SENT' WHERE delivery_id = $1", [endedMeanwhile]);
  await migrate(database.url);
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

it('an upgraded database has pending whatever waits, with the leases of calls that are on their way', async () => {
  expect(await pendingOf(queued)).toEqual({ status: 'QUEUED', leased: false, due: true });
  expect(await pendingOf(called)).toEqual({ status: 'QUEUED', leased: true, due: true });
  expect(await pendingOf(claimedMeanwhile)).toEqual({ status: 'QUEUED', leased: true, due: true });
  expect(await pendingOf(endedMeanwhile)).toBe(undefined);
  expect(await pendingOf(retrying)).toEqual({ status: 'RETRYING', leased: false, due: false });
  expect(await pendingOf(scheduled)).toEqual({ status: 'SCHEDULED', leased: false, due: false });
  expect(await disagreeing()).toEqual([]);
});

it('an upgrade that was killed half way goes on', async () => {
  await rows("DELETE FROM pending_deliveries WHERE user_id IN ('queued', 'called', 'retrying')");
  await postgres.query(await readFile(FILL, 'utf8'));
  expect(await disagreeing()).toEqual([]);
  expect(
    await rows("SELECT FROM pending_deliveries WHERE user_id IN ('queued', 'called', 'retrying')"),
  ).toHaveLength(3);
});

it('a call that began before the upgrade is recorded after it, once', async () => {
  const [{ token } = { token: '' }] = await rows<{ token: string }>(
    'SELECT lease_token AS token FROM deliveries WHERE delivery_id = $1',
    [called],
  );
  const step = {
    ...stepOf({ deliveryId: called, attempt: 0, leaseToken: token }, Date.now()),
    status: 'SENT' as const,
    events: [],
  };
  expect(await applyTransitions(postgres, [step])).toHaveLength(1);
  expect(await applyTransitions(postgres, [step])).toHaveLength(0);
  expect(await pendingOf(called)).toBe(undefined);
});

it('a worker of the former version claims by its own function', async () => {
  const claimed = await rows<{ deliveryId: string; content: object }>(
    "SELECT * FROM claim_deliveries(ARRAY['queued'], ARRAY['push'], ARRAY['high'], ARRAY[gen_random_uuid()], 50)",
  );
  expect(claimed).toMatchObject([{ n: 1, deliveryId: queued, content: {}, takenOver: false, more: false }]);
});

it('what processes of the former version write into deliveries is pending at once', async () => {
  // Their retries, sweeps and releases, as they stood.
  const id = await deliver('former', 'RETRYING');
  const later = await deliver('former', 'QUEUED');
  await rows("UPDATE deliveries SET next_retry_at = now() - interval '3 s' WHERE delivery_id = $1", [id]);
  expect(await pendingOf(id)).toMatchObject({ status: 'RETRYING', due: true });
  await rows(
    `UPDATE deliveries SET status = 'QUEUED', next_retry_at = NULL
     WHERE delivery_id = $1 AND status = 'RETRYING' AND next_retry_at <= $2`,
    [id, new Date()],
  );
  expect(await pendingOf(id)).toEqual({ status: 'QUEUED', leased: false, due: true });
  expect(
    await rows('SELECT delivery_id AS id FROM pending_deliveries WHERE user_id = $1 ORDER BY sequence', [
      'former',
    ]),
  ).toEqual([{ id: later }, { id }]);
  await rows("UPDATE deliveries SET due_at = $2 WHERE delivery_id = $1 AND status = 'SCHEDULED'", [
    scheduled,
    new Date(),
  ]);
  expect(await pendingOf(scheduled)).toMatchObject({ status: 'SCHEDULED', due: true });
  expect(await disagreeing()).toEqual([]);
});

it('a report that an api process of the former version keeps for a call is read with its answer, whichever version called', async () => {
  const id = await deliver('reported', 'QUEUED');
  const [{ token } = { token: '' }] = await rows<{ token: string }>(
    `SELECT "leaseToken" AS token FROM claim_mailboxes(ARRAY['reported'], ARRAY['push'], ARRAY['high'], ARRAY[gen_random_uuid()],
       60000, ARRAY[NULL::bigint])`,
  );
  await rows(
    `UPDATE deliveries d SET early_reports = coalesce(d.early_reports, '[]') || '[{"kind": "failed"}]' WHERE d.delivery_id = $1`,
    [id],
  );
  const lockCalledFormerly = () =>
    rows(
      'SELECT status, early_reports FROM deliveries WHERE delivery_id = $1 AND lease_token = $2 FOR UPDATE',
      [id, token],
    );
  const step = {
    ...stepOf({ deliveryId: id, attempt: 0, leaseToken: token }, Date.now()),
    status: 'SENT' as const,
    events: [],
  };
  expect(await applyTransitions(postgres, [step])).toEqual([]);
  expect(await lockCalledFormerly()).toEqual([{ status: 'QUEUED', early_reports: [{ kind: 'failed' }] }]);
  expect(await pendingOf(id)).toMatchObject({ leased: true });
});

it('an api process of the former version sees the lease of a call that repeats one', async () => {
  const id = await deliver('repeated', 'RETRYING');
  await rows("UPDATE deliveries SET status = 'QUEUED', last_error = 'TIMEOUT' WHERE delivery_id = $1", [id]);
  await rows(
    `SELECT FROM claim_mailboxes(ARRAY['repeated'], ARRAY['push'], ARRAY['high'], ARRAY[gen_random_uuid()], 60000,
       ARRAY[NULL::bigint])`,
  );
  expect(
    await rows('SELECT lease_until > now() AS leased FROM deliveries WHERE delivery_id = $1', [id]),
  ).toEqual([{ leased: true }]);
});

it('nobody can cancel what is just being sent', async () => {
  const id = await deliver('cancelled', 'QUEUED');
  const claim = (ms: number) =>
    rows(
      `SELECT FROM claim_mailboxes(ARRAY['cancelled'], ARRAY['push'], ARRAY['high'], ARRAY[gen_random_uuid()], $1, ARRAY[NULL::bigint])`,
      [ms],
    );
  const step = {
    ...stepOf({ deliveryId: id, attempt: 0 }, Date.now()),
    status: 'CANCELLED' as const,
    events: [],
  };
  await claim(60_000);
  expect(await applyTransitions(postgres, [step])).toEqual([]);
  await rows('UPDATE pending_deliveries SET lease_until = now() WHERE delivery_id = $1', [id]);
  expect(await applyTransitions(postgres, [step])).toHaveLength(1);
  expect(await pendingOf(id)).toBe(undefined);
});

it('what is deleted by hand is pending no more', async () => {
  await rows('DELETE FROM deliveries');
  expect(await rows('SELECT FROM pending_deliveries')).toEqual([]);
});

it('of deliveries that were truncated by hand nothing is pending', async () => {
  await deliver('truncated', 'QUEUED');
  await postgres.query('TRUNCATE deliveries');
  expect(await rows('SELECT FROM pending_deliveries')).toEqual([]);
});

it('former processes find what waits by its indexes; a database that was never sent from does without them', async () => {
  const indexes = (from: Postgres) =>
    from.query(
      "SELECT FROM pg_indexes WHERE indexname IN ('deliveries_mailbox', 'deliveries_retrying', 'deliveries_due')",
    );
  expect((await indexes(postgres)).rowCount).toBe(3);
  const fresh = await createTestDatabase();
  const other = openPostgres(fresh.url, { max: 1, applicationName: 'test', onError: () => undefined });
  try {
    expect((await indexes(other)).rowCount).toBe(0);
  } finally {
    await other.close();
    await fresh.drop();
  }
});
