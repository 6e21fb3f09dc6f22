import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageOutbox } from '../../src/domains/commerce/tasks.js';
import { transferOutbox } from '../../src/domains/commerce/transfer/pending.js';
import { fanOutOutbox, noticeOutbox } from '../../src/domains/feed/index.js';
import { migrate } from '../../src/platform/migrations.js';
import type { Outbox } from '../../src/platform/outbox/index.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { keysOf, outboxOn } from '../support/outbox.js';

const prisma = new URL('../../prisma/', import.meta.url);
/** The migration that makes the outbox, and those that move something into it: its copy first, then the swap. */
const OUTBOX = '20261126040000';
const SWAPS = ['20261126040200', '20261126040400', '20261126040600'];
const COPIES = ['20261126040100_messages', '20261126040300_notices', '20261126040500_transfers'];
const MANY = 2_500;

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

let database: TestDatabase;
let folder: string;
let postgres: Postgres;
let outbox: Outbox;
/** Of each copy: how much was in the outbox after it, and after it was made again. */
const copies: [number, number][] = [];
/** A connection of a former process, which has prepared its statements before the upgrade. */
let old: Postgres;

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

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [unfinished, finished, finishedFormerly] = [uuid(1), uuid(2), uuid(3)];

/** A database that was upgraded, with something in every table, while a process of the former version worked. */
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(path.join(tmpdir(), 'tidings-outbox-'));
  const open = (max: number) =>
    openPostgres(database.url, { max, applicationName: 'test', onError: () => undefined });
  [postgres, old] = [open(3), open(1)];
  outbox = outboxOn(postgres);
  await rows('DROP SCHEMA public CASCADE');
  await rows('CREATE SCHEMA public');
  await migrateBefore(OUTBOX);

  const all = Array.from({ length: MANY }, (_, n) => n);
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
    SELECT 'many' || n, 'acc-many', now() + interval '1 hour' FROM generate_series(1, ${MANY}) n`);
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
}, 180_000);
afterAll(async () => {
  await Promise.all([postgres.close(), old.close()]);
  await database.drop();
  await rm(folder, { recursive: true });
});

describe('whatever was pending before the upgrade is in the outbox, and nothing that was done since:', () => {
  it('copied, whatever killed the copy', () => {
    expect(copies.map(([first]) => first)).toEqual(copies.map(([, again]) => again));
  });

  it('messages', async () => {
    const keys = await keysOf(postgres, messageOutbox);
    expect(keys).toHaveLength(MANY);
    expect(keys).toContain('Order-late@2');
    expect(keys).not.toContain('Order-0@1');
    // As due as it was, whoever took it up meanwhile.
    expect(await outbox.claim(messageOutbox, 10)).toEqual([
      { payload: { streamId: 'Order-1', streamPosition: 1 }, correlationId: 'story 1' },
    ]);
    expect(await rows("SELECT attempts FROM outbox WHERE key = 'commerce.message:Order-1@1'")).toEqual([
      { attempts: 4 },
    ]);
  });

  it('notices', async () => {
    const keys = await keysOf(postgres, noticeOutbox);
    expect(keys).toHaveLength(MANY - 1);
    expect(keys).not.toContain('0:POST_LIKED');
    const claimed = await outbox.claim(noticeOutbox, MANY);
    expect(claimed).toHaveLength(MANY - 1);
    expect(claimed).toContainEqual({
      payload: { position: 9_000, type: 'NEW_FOLLOWER', actor: 'ben', subject: 'ann' },
      correlationId: 'late',
    });
  });

  it('transfers', async () => {
    const keys = await keysOf(postgres, transferOutbox);
    expect(keys).toHaveLength(MANY + 21);
    expect(keys).toEqual(expect.arrayContaining(['t1', 'late', 'ownerless']));
    expect(keys).not.toContain('t0');
    const closing = async (accountId: string) =>
      (await rows<{ refusal: unknown }>('SELECT guard_close_account($1) AS refusal', [{ accountId }]))[0]!
        .refusal;
    expect(await closing('acc-late')).toEqual({ refuse: 'TRANSFERS_PENDING' });
    expect(await closing('acc-none')).toBe(null);
    const args = { transferId: 'one-too-many', fromAccountId: 'acc-many', ownerId: 'cat' };
    expect(await rows('SELECT guard_start_transfer($1, now()) AS refusal', [args])).toEqual([
      { refusal: { refuse: 'TOO_MANY_TRANSFERS', of: 'source' } },
    ]);
    await rows(`SELECT guard_finish_transfer('{"transferId": "late"}')`);
    expect(await closing('acc-late')).toBe(null);
  });

  it('the turns of transfers: owners take turns, then sources; of an owner who is not known, each source by itself', async () => {
    const turnsOf = async (owner: string) =>
      (
        await rows<{ turn: number }>(
          `SELECT (payload -> 'turn')::int AS turn FROM outbox WHERE payload ->> 'fromOwnerId' = $1 ORDER BY 1`,
          [owner],
        )
      ).map(({ turn }) => turn);
    expect(await turnsOf('ann')).toEqual(Array.from({ length: 19 }, (_, n) => n + 1));
    expect(await turnsOf('account acc-old')).toEqual([1]);
    expect(
      await rows("SELECT pending, sources FROM transfer_counts WHERE scope = 'owner' AND id = 'ann'"),
    ).toEqual([{ pending: 19, sources: 2 }]);
  });

  it('fan-outs', async () => {
    expect(await outbox.claim(fanOutOutbox, 10)).toMatchObject([
      { payload: { postId: unfinished, authorId: 'ann' } },
    ]);
  });
});

describe('a process of the former version goes on beside new ones:', () => {
  it('its messages are in the outbox at once, and it finds those of new processes', async () => {
    await formerly('noteMessages', ['Order-former', 'Order-former'], [1, 1], ['c', 'c']);
    expect(await keysOf(postgres, messageOutbox)).toContain('Order-former@1');
    await outbox.add(postgres, messageOutbox, [
      { payload: { streamId: 'Order-new', streamPosition: 7 }, correlationId: 'new' },
    ]);
    await rows(
      "UPDATE outbox SET due_at = now() - interval '1 ms' WHERE key LIKE 'commerce.message:Order-former@1' OR key LIKE 'commerce.message:Order-new@7'",
    );
    expect(await formerly('takeUpMessages', 1_000, null)).toHaveLength(2);
    expect(await formerly('takeUpMessages', 1_000, 10_000)).toEqual([]);
    expect(await outbox.claim(messageOutbox, 1_000)).toEqual([]);
    await formerly('settleMessage', 'Order-new', 7);
    await outbox.complete(messageOutbox, [{ streamId: 'Order-former', streamPosition: 1 }]);
    expect(await keysOf(postgres, messageOutbox)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/former|new/)]),
    );
  });

  it('its notices are in the outbox at once, and it publishes those of new processes', async () => {
    await rows("DELETE FROM outbox WHERE kind = 'feed.notice'");
    await formerly('noteNotices', [10_001], ['POST_LIKED'], ['ann'], [uuid(9)], ['former']);
    await outbox.add(postgres, noticeOutbox, [
      {
        payload: { position: 10_002, type: 'POST_LIKED', actor: 'ben', subject: uuid(9) },
        correlationId: 'new',
      },
    ]);
    const claimed = await formerly<{ position: number }>('claimNotices', 20, null);
    expect(claimed.toSorted((one, other) => one.position - other.position)).toEqual([
      { position: 10_001, type: 'POST_LIKED', actor: 'ann', subject: uuid(9), correlationId: 'former' },
      { position: 10_002, type: 'POST_LIKED', actor: 'ben', subject: uuid(9), correlationId: 'new' },
    ]);
    await formerly('settleNotices', [10_001, 10_002], ['POST_LIKED', 'POST_LIKED']);
    expect(await keysOf(postgres, noticeOutbox)).toEqual([]);
  });

  it('it finds pending transfers, and takes them up', async () => {
    const args = { transferId: 'n1', fromAccountId: 'acc-n', ownerId: 'dan', correlationId: 'story' };
    for (const transferId of ['n1', 'n2'])
      await rows('SELECT guard_start_transfer($1, now())', [{ ...args, transferId }]);
    expect(await formerly('turnsOf', ['n1', 'n2'])).toEqual([
      { transferId: 'n1', turn: 1 },
      { transferId: 'n2', turn: 2 },
    ]);
    expect(await formerly('ofAccount', 'acc-n')).toHaveLength(2);
    await rows("UPDATE outbox SET due_at = now() - interval '1 ms' WHERE key = 'commerce.transfer:n1'");
    expect(await formerly('takeUpTransfers', 1_000, null)).toEqual([{ transfer_id: 'n1' }]);
    for (const transferId of ['n1', 'n2']) await rows('SELECT guard_finish_transfer($1)', [{ transferId }]);
    expect(await formerly('ofAccount', 'acc-n')).toEqual([]);
  });

  it('its fan-outs are in the outbox at once, and are over when it has finished them', async () => {
    await formerly('beginFanOuts', [finishedFormerly]);
    expect(await keysOf(postgres, fanOutOutbox)).toContain(finishedFormerly);
    await rows('UPDATE fanouts SET completed_at = now() WHERE post_id = $1', [finishedFormerly]);
    expect(await keysOf(postgres, fanOutOutbox)).not.toContain(finishedFormerly);
  });
});
