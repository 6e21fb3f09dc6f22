import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOutbox } from '../../src/domains/commerce/tasks.js';
import { transferOutbox } from '../../src/domains/commerce/transfer/pending.js';
import { noticeOutbox } from '../../src/domains/feed/index.js';
import { migrate } from '../../src/platform/postgres/migrations.js';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase } from '../support/database.js';
import { outboxOn } from '../support/outbox.js';

const prisma = new URL('../../prisma/', import.meta.url);
/** The migration that makes the outbox, and those that move something into it: its copy first, then the swap. */
const OUTBOX = '20261126040000';
const SWAPS = ['20261126040200', '20261126040400', '20261126040600'];
const COPIES = ['20261126040100_messages', '20261126040300_notices', '20261126040500_transfers'];

/** What the former version runs, as it stood; prepared on each of its connections. */
const former = {
  noteMessages: `INSERT INTO pending_messages (stream_id, stream_position, correlation_id, due_at)
    SELECT *, now() + interval '10 seconds' FROM unnest($1::text[], $2::int[], $3::text[])
    ON CONFLICT DO NOTHING`,
  settleMessage: 'DELETE FROM pending_messages WHERE stream_id = $1 AND stream_position = $2',
  takeUpMessages: `UPDATE pending_messages p SET attempts = attempts + 1,
      due_at = now() + least(interval '10 seconds' * 2 ^ least(attempts, 9), interval '1 hour')
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM pending_messages
      WHERE due_at < now() AND due_at >= coalesce(now() - $2::float8 * interval '1 millisecond', '-infinity')
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ))
    RETURNING p.stream_id AS "streamId", p.stream_position AS "streamPosition", p.correlation_id AS "correlationId"`,
  noteNotices: `INSERT INTO feed_notices (position, type, actor, subject, correlation_id, due_at)
    SELECT n.position, n.type, n.actor, n.subject, n.correlation_id, now()
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
      AS n (position, type, actor, subject, correlation_id)
    ON CONFLICT DO NOTHING`,
  claimNotices: `UPDATE feed_notices f SET attempts = attempts + 1,
      due_at = now() + least(interval '10 seconds' * 2 ^ least(attempts, 9), interval '1 hour')
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM feed_notices
      WHERE due_at <= now() AND due_at >= coalesce(now() - $2::float8 * interval '1 millisecond', '-infinity')
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ))
    RETURNING f.position, f.type, f.actor, f.subject, f.correlation_id AS "correlationId"`,
  settleNotices: `DELETE FROM feed_notices f USING unnest($1::bigint[], $2::text[]) AS done (position, type)
    WHERE f.position = done.position AND f.type = done.type`,
  startTransfer: `INSERT INTO pending_transfers (transfer_id, from_account_id, owner_id, due_at)
    VALUES ($1, $2, $3, now() + interval '10 seconds')`,
  finishTransfer: 'DELETE FROM pending_transfers WHERE transfer_id = $1',
  ofAccount: 'SELECT FROM pending_transfers WHERE from_account_id = $1',
  takeUpTransfers: `UPDATE pending_transfers p SET attempts = attempts + 1,
      due_at = now() + least(interval '10 seconds' * 2 ^ least(attempts, 9), interval '1 hour')
    WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM pending_transfers
      WHERE due_at < now() AND due_at >= coalesce(now() - $2::float8 * interval '1 millisecond', '-infinity')
      ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ))
    RETURNING p.transfer_id`,
  turnsOf: `WITH named AS (
      SELECT DISTINCT owner_id, CASE WHEN owner_id = '' THEN from_account_id END AS source
      FROM pending_transfers WHERE transfer_id = ANY ($1::text[])
    ), placed AS (
      SELECT p.transfer_id, p.due_at, n.owner_id, n.source,
        row_number() OVER (PARTITION BY p.from_account_id ORDER BY p.due_at, p.transfer_id) AS in_source
      FROM named n JOIN pending_transfers p
        ON p.owner_id = n.owner_id AND p.from_account_id = coalesce(n.source, p.from_account_id)
    ), turns AS (
      SELECT transfer_id,
        row_number() OVER (PARTITION BY owner_id, source ORDER BY in_source, due_at, transfer_id)::int AS turn
      FROM placed
    )
    SELECT transfer_id AS "transferId", turn FROM turns WHERE transfer_id = ANY ($1::text[]) ORDER BY turn`,
  beginFanOuts: `INSERT INTO fanouts (post_id, author, position)
    SELECT post_id, 'ann', 1 FROM unnest($1::uuid[]) AS post_id ON CONFLICT DO NOTHING RETURNING author`,
} as const;

export const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
export const [unfinished, finished, finishedFormerly] = [uuid(1), uuid(2), uuid(3)];

/**
 * A database that was upgraded, with something in every table, while a process of the former version worked: its connection
 * has prepared its statements before the upgrade.
 *
 * @param many how many messages and notices were pending, and transfers of one account; 20 at least
 */
export async function upgradeBesideFormer(many: number) {
  const database = await createTestDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'tidings-outbox-'));
  const open = (max: number) =>
    openPostgres(database.url, { max, applicationName: 'test', onError: () => undefined });
  const [postgres, old] = [open(3), open(1)];
  /** Of each copy: how much was in the outbox after it, and after it was made again. */
  const copies: [number, number][] = [];

  const rows = async <Row extends object>(sql: string, values: readonly unknown[] = []) =>
    (await postgres.query<Row & Record<string, unknown>>(sql, values)).rows;
  async function formerly<Row extends object>(name: keyof typeof former, ...values: unknown[]) {
    const statement = { name, text: former[name] };
    return (await old.query<Row & Record<string, unknown>>(statement, values)).rows;
  }

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

  await rows('DROP SCHEMA public CASCADE');
  await rows('CREATE SCHEMA public');
  await migrateBefore(OUTBOX);
  const all = Array.from({ length: many }, (_, n) => n);
  await formerly(
    'noteMessages',
    all.map((n) => `Order-${n}`),
    all.map(() => 1),
    all.map((n) => `story ${n}`),
  );
  await formerly(
    'noteNotices',
    all,
    all.map(() => 'POST_LIKED'),
    all.map(() => 'ann'),
    all.map(() => uuid(9)),
    all.map((n) => `story ${n}`),
  );
  for (const n of all.slice(0, 20)) await formerly('startTransfer', `t${n}`, `acc-${n % 2}`, 'ann');
  await formerly('startTransfer', 'ownerless', 'acc-old', '');
  await rows(`INSERT INTO pending_transfers (transfer_id, from_account_id, due_at)
    SELECT 'many' || n, 'acc-many', now() + interval '1 hour' FROM generate_series(1, ${many}) n`);
  await formerly('beginFanOuts', [unfinished, finished]);
  await rows('UPDATE fanouts SET completed_at = now() WHERE post_id = $1', [finished]);
  // Prepared, so that their results' types are remembered.
  await formerly('takeUpMessages', 0, null);
  await formerly('claimNotices', 0, null);
  await formerly('takeUpTransfers', 0, null);
  await formerly('turnsOf', ['t0']);
  await formerly('ofAccount', 'acc-0');

  for (const [n, swap] of SWAPS.entries()) {
    await migrateBefore(swap);
    // A copy that was killed half way is made again.
    const copied = (await rows('SELECT FROM outbox')).length;
    const copy = new URL(`migrations/${COPIES[n]}_copied/migration.sql`, prisma);
    await rows('DELETE FROM outbox WHERE kind = $1 AND hashtext(key) % 2 = 0', [
      [messageOutbox, noticeOutbox, transferOutbox][n]!.name,
    ]);
    await postgres.query(await readFile(copy, 'utf8'));
    copies.push([copied, (await rows('SELECT FROM outbox')).length]);
    // Between the copy and the swap the former process goes on.
    if (swap === SWAPS[0]) {
      await formerly('settleMessage', 'Order-0', 1);
      await formerly('noteMessages', ['Order-late'], [2], ['late']);
      // Taken up meanwhile: nothing but one of them is due.
      await rows("UPDATE pending_messages SET due_at = now() + interval '1 hour'");
      await rows("UPDATE pending_messages SET attempts = 3, due_at = now() WHERE stream_id = 'Order-1'");
    }
    if (swap === SWAPS[1]) {
      await formerly('settleNotices', [0, 1], ['POST_LIKED', 'POST_LIKED']);
      await formerly('noteNotices', [9_000], ['NEW_FOLLOWER'], ['ben'], ['ann'], ['late']);
    }
    if (swap === SWAPS[2]) {
      await formerly('finishTransfer', 't0');
      await formerly('startTransfer', 'late', 'acc-late', 'ben');
      await rows("UPDATE pending_transfers SET due_at = now() + interval '1 hour'");
    }
  }
  await migrate(database.url);

  return {
    postgres,
    outbox: outboxOn(postgres),
    copies,
    rows,
    /** Runs a statement of the former version on its connection. */
    formerly,
    async close(): Promise<void> {
      await Promise.all([postgres.close(), old.close()]);
      await database.drop();
      await rm(folder, { recursive: true });
    },
  };
}
