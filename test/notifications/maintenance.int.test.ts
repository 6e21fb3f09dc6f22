import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMailboxes } from '../../src/domains/notifications/delivery/mailbox.js';
import { queueOf } from '../../src/domains/notifications/delivery/tasks.js';
import { createNotificationMetrics } from '../../src/domains/notifications/metrics.js';
import { systemClock } from '../../src/platform/clock.js';
import { createForgetCommands } from '../../src/platform/event-log/forget-commands.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';
import { giveUp, sendPushes } from './dead-letter-world.js';
import {
  admin,
  aRequest,
  aTemplate,
  aUser,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  until,
} from './notification-world.js';
import { type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

let world: NotificationWorld;
let trial: SandboxTrial;
let templateId: string;

beforeAll(async () => {
  [world, trial] = await Promise.all([openNotificationWorld(), tryWithSandbox()]);
  templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED');
});
afterAll(async () => {
  await world.close();
  await trial.close();
});

/** Accepts one push and answers its notification id. */
async function push(userId: string): Promise<string> {
  const request = aRequest({ templateId, recipients: [{ userId, channels: ['push'] }] });
  expect(await world.notifications.send(shop, request)).toMatchObject({ ok: true });
  return request.notificationId;
}

describe('the depth of the dead letter queue', () => {
  const depth = async (from: Registry): Promise<string | undefined> =>
    /^notification_dlq_depth (.*)$/m.exec(await from.metrics())?.[1];
  const measured = (): Promise<string | undefined> => {
    const registry = new Registry();
    createNotificationMetrics(registry, world.postgres);
    return depth(registry);
  };

  it('rises with a delivery that is given up, and falls when it is retried or discarded', async () => {
    const { deadLetters } = world.notifications;
    const [retried, discarded] = await giveUp(world, await sendPushes(world, templateId, 2));
    expect(await measured()).toBe('2');
    await deadLetters.retry(admin, { deliveryIds: [retried!] });
    expect(await measured()).toBe('1');
    await deadLetters.discard(admin, { deliveryIds: [discarded!] });
    expect(await measured()).toBe('0');
  });

  it('never fails the scrape or keeps it waiting, though the database is away or silent', async () => {
    for (const query of [
      () => Promise.reject(new Error('away')),
      () => new Promise<never>(() => undefined),
    ]) {
      const registry = new Registry();
      createNotificationMetrics(registry, { query });
      const started = performance.now();
      expect(await depth(registry)).toMatch(/^nan$/i);
      // Prometheus gives up after 10 s.
      expect(performance.now() - started).toBeLessThan(5_000);
      expect(await registry.metrics()).toContain('notification_latency_seconds');
    }
  });

  it('is measured once for many scrapes', async () => {
    const asked: string[] = [];
    const registry = new Registry();
    createNotificationMetrics(registry, {
      query: (...args) => {
        asked.push(typeof args[0] === 'string' ? args[0] : args[0].name);
        return world.postgres.query(...args);
      },
    });
    for (let scrape = 0; scrape < 5; scrape++) await depth(registry);
    expect(asked.toSorted()).toEqual([
      'find.open.counted',
      'index-deliveries.oldest',
      'lacking-months.findLacking',
    ]);
  });
});

describe('what nobody asks for any more', () => {
  it('is forgotten by the worker: ids after 24 h, and whatever else it is given', async () => {
    const { userId } = await aUser(world);
    const [old, young] = [await push(userId), await push(userId)];
    const known = async () => {
      const { rows } = await world.postgres.query<{ id: string }>(
        'SELECT notification_id AS id FROM notification_ids WHERE notification_id = ANY ($1)',
        [[old, young]],
      );
      return rows.map(({ id }) => id).sort();
    };
    await world.postgres.query(
      `UPDATE notification_ids SET first_seen = first_seen - interval '24 hours 1 second' WHERE notification_id = $1`,
      [old],
    );
    const worker = world.work({ providers: trial.providers() });
    await worker.run('notifications.forget');
    await until(async () => (await known()).length === 1);
    expect(await known()).toEqual([young]);
    await worker.close();
  });

  it('is forgotten of commands after 48 h, as many at once as is allowed', async () => {
    await world.postgres.query(
      `INSERT INTO commands (command_id, body_hash, result, created_at)
       SELECT 'c' || n, '\\x00', '{}', now() - CASE WHEN n <= 5 THEN interval '48 hours 1 second' ELSE interval '47 hours' END
       FROM generate_series(1, 8) AS n`,
    );
    const forgetCommands = createForgetCommands({ postgres: world.postgres, clock: systemClock });
    const forget = () => forgetCommands(3);
    expect([await forget(), await forget(), await forget()]).toEqual([3, 2, 0]);
    const { rows } = await world.postgres.query('SELECT command_id FROM commands');
    expect(rows).toHaveLength(3);
  });
});

describe('a mailbox of 20,000 messages', () => {
  /** Half of them medium and half low; each of a request of its own, as a request has a user once on a channel. */
  async function fill(postgres: Queryable, userId: string): Promise<void> {
    await postgres.query(
      `WITH requests AS (
         INSERT INTO notification_requests (request_id, producer, notification_id, type, priority, template_id, correlation_id)
         SELECT gen_random_uuid(), 'bulk', 'bulk', 'T', 'low', 'T', 'test' FROM generate_series(1, 20000)
         RETURNING request_id)
       INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel,
                               priority, status, max_retries, rendered_content)
       SELECT gen_random_uuid(), request_id, 'bulk', 'bulk', $1, 'T', 'sms',
              CASE WHEN row_number() OVER () % 2 = 0 THEN 'low' ELSE 'medium' END, 'QUEUED', 5, '{"body":"x"}'
       FROM requests`,
      [userId],
    );
  }

  it.each([
    ['when there was none', ''],
    ['when nothing waited for anybody', 'DELETE FROM pending_deliveries'],
  ])('costs a claim a few pages, also by a plan that was made %s', async (_, before) => {
    const { userId } = await aUser(world);
    const tokens = ['0190a5c0-0000-7000-8000-000000000000'];
    const claim = `SELECT * FROM claim_deliveries($1, '{sms}', '{"medium,low"}', $2, 1000)`;
    const undone = new Error('undone');
    const trial = world.postgres.transaction(async (tx) => {
      await fill(tx, 'others');
      if (before) await tx.query(before);
      await tx.query('ANALYZE pending_deliveries');
      // After five executions Postgres keeps a plan.
      for (let n = 0; n < 7; n += 1) await tx.query(claim, [[userId], tokens]);
      await fill(tx, userId);
      async function pagesOfAClaim(): Promise<number> {
        await tx.query('SAVEPOINT before_the_claim');
        const explained = await tx.query<{ 'QUERY PLAN': string }>(
          `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${claim}`,
          [[userId], tokens],
        );
        await tx.query('ROLLBACK TO before_the_claim');
        const plan = explained.rows.map((row) => row['QUERY PLAN']).join('\n');
        return Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1]);
      }
      // Who analyses the tables meanwhile makes one of them read the catalogs anew.
      const pages = [await pagesOfAClaim(), await pagesOfAClaim(), await pagesOfAClaim()];
      expect(Math.min(...pages), String(pages)).toBeLessThan(200);
      throw undone;
    });
    await expect(trial).rejects.toBe(undone);
  });

  it('has its urgent ones first', async () => {
    const { userId } = await aUser(world);
    await fill(world.postgres, userId);
    const mailboxes = createMailboxes(world.postgres, uuidV7Ids(systemClock), 1_000, () => undefined);
    expect(await mailboxes.claim({ userId, queue: queueOf('sms', 'medium') })).toMatchObject({
      delivery: { priority: 'medium', more: true },
    });
  });
});
