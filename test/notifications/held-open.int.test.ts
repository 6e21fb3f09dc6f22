import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMailboxes } from '../../src/domains/notifications/delivery/mailbox.js';
import { sql as mailboxSql } from '../../src/domains/notifications/delivery/mailbox.sql.js';
import { createOldestDue } from '../../src/domains/notifications/delivery/oldest-due.js';
import { sql as sweepSql } from '../../src/domains/notifications/delivery/sweep.sql.js';
import { queueOf } from '../../src/domains/notifications/delivery/tasks.js';
import { sql as releaseSql } from '../../src/domains/notifications/schedule/release.sql.js';
import { openPostgres, type Postgres, type Queryable } from '../../src/platform/postgres/postgres.js';
import { costOf } from '../feed/statement-cost.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const { claim } = mailboxSql;
const { takeDue } = releaseSql;
const { silent, requeueOverdue } = sweepSql;

const CYCLES = 550;
/** Blocks that a look at an empty queue may touch. */
const FLAT = 50;
const NIL = '00000000-0000-0000-0000-000000000000';

let database: TestDatabase;
let postgres: Postgres;
let letGo: () => void;
let held: Promise<unknown>;

/** A snapshot is held open from before anything was sent: no dead row and no index entry can be removed. */
beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 4, applicationName: 'held-open', onError: () => undefined });
  const { promise, resolve } = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  letGo = resolve;
  held = postgres.transaction(async (tx) => {
    await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await tx.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    await tx.query('SELECT count(*) FROM deliveries');
    holding.resolve();
    await promise;
  });
  await holding.promise;
});
afterAll(async () => {
  letGo();
  await held;
  await postgres.close();
  await database.drop();
});

async function enqueue(
  userId: string,
  status: 'QUEUED' | 'SCHEDULED' | 'RETRYING',
  count = 1,
): Promise<readonly string[]> {
  const { rows } = await postgres.query<{ id: string }>(
    `WITH request AS (
       INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id)
       SELECT new_uuid_v7(clock_timestamp()), 'p', 'n' || n, 'T', 'high', 't', 'c' FROM generate_series(1, $3) n
       RETURNING request_id, notification_id
     )
     INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
                             status, max_retries, rendered_content, queued_at, due_at, next_retry_at)
     SELECT new_uuid_v7(clock_timestamp()), request_id, notification_id, 'p', $1 || n, 'T', 'push', 'high', $2, 5, '{}', now(), now(), now()
     FROM request JOIN generate_series(1, $3) n ON notification_id = 'n' || n
     RETURNING delivery_id AS id`,
    [userId, status, count],
  );
  return rows.map(({ id }) => id);
}

/** Plans then depend on what there is, not on when autovacuum last looked. */
const analyze = () => postgres.query('ANALYZE');

/** Blocks that a statement touches once it is planned: planning reads catalogs. */
async function blocksOf(statement: { text: string }, values: readonly unknown[]): Promise<number> {
  await costOf(postgres, statement, values);
  return (await costOf(postgres, statement, values)).blocks;
}

const end = (deliveryIds: readonly string[]) =>
  postgres.query("UPDATE deliveries SET status = 'SENT' WHERE delivery_id = ANY ($1)", [deliveryIds]);

it('a mailbox is as cheap to claim from after thousands of messages as at first, though an old snapshot keeps them all', async () => {
  let now = 0;
  let asked: readonly unknown[] = [];
  const spied: Queryable = {
    query(statement, values) {
      asked = values ?? [];
      return postgres.query(statement, values);
    },
  };
  const mailboxes = createMailboxes(
    spied,
    { next: () => randomUUID() },
    1,
    () => undefined,
    () => now,
  );
  const mailbox = { userId: 'busy1', queue: queueOf('push', 'high') };
  let last = '';
  for (let cycle = 0; cycle <= CYCLES; cycle++) {
    await enqueue('busy', 'QUEUED');
    // Others' messages, so that what is theirs does not lie side by side.
    await end(await enqueue('crowd', 'QUEUED', 20));
    const claimed = await mailboxes.claim(mailbox);
    if (claimed.kind !== 'claimed') throw new Error(`claim ${cycle} was ${claimed.kind}`);
    last = claimed.delivery.deliveryId;
    if (cycle < CYCLES) await end([last]);
    // Twenty messages a minute.
    now += 3_000;
  }
  await analyze();
  const bounded = await blocksOf(claim, asked);
  const unbounded = await blocksOf(claim, [...asked.slice(0, -1), [null]]);
  expect(unbounded).toBeGreaterThan(CYCLES / 2);
  expect(bounded).toBeLessThan(150);
  await end([last]);
});

it('what is due, to be retried or forgotten by Redis is found as cheaply as at first', async () => {
  let now = 0;
  const oldestDue = createOldestDue({ postgres }, () => now);
  for (const status of ['SCHEDULED', 'RETRYING', 'QUEUED'] as const) {
    await end(await enqueue('due', status, CYCLES));
    for (let minute = 0; minute < 2; minute++) {
      await oldestDue(status, 'high');
      now += 60_000;
    }
  }
  await analyze();
  const soon = new Date(Date.now() + 60_000);
  const cost = {
    due: (from: Date) => blocksOf(takeDue, [soon, 'high', 200, from]),
    overdue: (from: Date) => blocksOf(requeueOverdue, ['high', soon, from, 1_000]),
    silent: (from: Date) => blocksOf(silent, ['high', from, NIL, ['push'], [soon], soon, 1_000]),
  };
  for (const [look, status] of [
    [cost.due, 'SCHEDULED'],
    [cost.overdue, 'RETRYING'],
    [cost.silent, 'QUEUED'],
  ] as const) {
    const unbounded = await look(new Date(0));
    const bounded = await look(await oldestDue(status, 'high'));
    expect(bounded, status).toBeLessThan(Math.min(FLAT, unbounded / 3));
  }
});
