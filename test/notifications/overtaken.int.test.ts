import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyTransitions } from '../../src/domains/notifications/delivery/mailbox.js';
import { recordOvertaken } from '../../src/domains/notifications/delivery/overtaken.js';
import type { ReportDeps } from '../../src/domains/notifications/delivery/report.js';
import { stepOf } from '../../src/domains/notifications/delivery/transition.js';
import { openPostgres, type Postgres, type Queryable } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let postgres: Postgres;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = openPostgres(database.url, { max: 3, applicationName: 'overtaken', onError: () => undefined });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

/** Claims the head of ann's mailbox, for a lease that is over at once. */
async function claim(): Promise<{ id: string | null; token: string }> {
  const { rows } = await postgres.query<{ id: string | null; token: string }>(
    `SELECT "deliveryId" AS id, "leaseToken" AS token
     FROM claim_mailboxes(ARRAY['ann'], ARRAY['sms'], ARRAY['high'], ARRAY[gen_random_uuid()], 0, ARRAY[NULL::bigint])`,
  );
  return rows[0]!;
}

it('while the answer of a call whose lease has ended is recorded with an early report, nobody claims it and calls again', async () => {
  const deliveryId = randomUUID();
  await postgres.query(
    `WITH request AS (
       INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id)
       VALUES (gen_random_uuid(), 'shop', 'n', 'T', 'high', 't', 'c') RETURNING request_id
     )
     INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
                             status, max_retries, rendered_content, queued_at)
     SELECT $1, request_id, 'n', 'shop', 'ann', 'T', 'sms', 'high', 'QUEUED', 5, '{}', now() FROM request`,
    [deliveryId],
  );
  const { token } = await claim();
  await postgres.query(
    `UPDATE deliveries SET early_reports = '[{"kind": "failed", "providerId": "of another call"}]' WHERE delivery_id = $1`,
    [deliveryId],
  );
  const answer = {
    ...stepOf({ deliveryId, attempt: 0, leaseToken: token }, Date.now()),
    status: 'SENT' as const,
    events: [{ event: 'SENT' as const, status: 'SENT' as const }],
    targets: [{ target: 'sms', error: null, providerId: 'of this call' }],
  };
  expect(await applyTransitions(postgres, [answer])).toEqual([]);

  const claimed: (string | null)[] = [];
  const interposed: Postgres = {
    ...postgres,
    transaction: (work) =>
      postgres.transaction((tx) => {
        const watched: Queryable = {
          async query(statement, values) {
            if (JSON.stringify(statement).includes('FROM apply_transitions'))
              claimed.push((await claim()).id);
            return tx.query(statement, values);
          },
        };
        return work(watched);
      }),
  };
  const deps = {
    postgres: interposed,
    clock: { now: () => Date.now() },
    queues: { enqueueMany: async () => undefined, enqueue: async () => undefined },
    wakeUps: { publish: async () => undefined },
    freshness: { userChanged: async () => undefined },
    lifecycle: { publish: () => undefined },
    metrics: { moved: () => undefined, delivered: () => undefined, engaged: () => undefined },
  } as unknown as ReportDeps;
  expect(await recordOvertaken(deps, answer, 'c')).toMatchObject({ deliveryId });
  expect(claimed[0]).toBe(null);
  const { rows } = await postgres.query('SELECT status FROM deliveries WHERE delivery_id = $1', [deliveryId]);
  expect(rows).toEqual([{ status: 'SENT' }]);
});
