import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql as statements } from '../../src/domains/notifications/dead-letters/find.sql.js';
import type { PageRequest } from '../../src/platform/paging.js';
import { costOf } from '../feed/statement-cost.js';
import { giveUp, sendPushes } from './dead-letter-world.js';
import { aTemplate, type NotificationWorld, openNotificationWorld } from './notification-world.js';

let world: NotificationWorld;
let templateId: string;

beforeAll(async () => {
  world = await openNotificationWorld();
  templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED');
});
afterAll(() => world.close());

describe('open dead letters', () => {
  it('are listed newest first, each once, in both directions and by channel, and counted', async () => {
    const ids = await sendPushes(world, templateId, 7);
    // Two of one instant.
    const at = [1_000, 2_000, 2_000, 3_000, 4_000, 5_000, 6_000];
    for (const [index, id] of ids.entries()) await giveUp(world, [id], { at: Date.now() - at[index]! });
    await world.postgres.query(`UPDATE failed_notifications SET channel = 'sms' WHERE delivery_id = $1`, [
      ids[4],
    ]);
    const { deadLetters } = world.notifications;

    async function walk(direction: PageRequest['direction'], channel: 'push' | null): Promise<string[]> {
      const seen: string[] = [];
      for (let cursor: string | null = null, more = true; more; ) {
        const page: Awaited<ReturnType<typeof deadLetters.page>> = await deadLetters.page(
          { limit: 2, direction, cursor },
          channel,
        );
        const found = page.edges.map(({ node }) => node.deliveryId);
        if (direction === 'forward') seen.push(...found);
        else seen.unshift(...found);
        cursor = direction === 'forward' ? page.pageInfo.endCursor : page.pageInfo.startCursor;
        more = direction === 'forward' ? page.pageInfo.hasNextPage : page.pageInfo.hasPreviousPage;
      }
      return seen;
    }
    const all = await walk('forward', null);
    expect(new Set(all)).toEqual(new Set(ids));
    expect(all.filter((id) => id !== ids[1] && id !== ids[2])).toEqual(
      ids.filter((_, n) => n !== 1 && n !== 2),
    );
    expect(await walk('backward', null)).toEqual(all);
    const push = all.filter((id) => id !== ids[4]);
    expect(await walk('forward', 'push')).toEqual(push);
    expect(await walk('backward', 'push')).toEqual(push);
    const first: PageRequest = { limit: 2, direction: 'forward', cursor: null };
    expect(await (await deadLetters.page(first, null)).total()).toEqual({ count: 7, isEstimate: false });
    expect(await (await deadLetters.page(first, 'push')).total()).toEqual({ count: 6, isEstimate: false });
    const foreign = { limit: 2, direction: 'forward', cursor: 'rubbish' } as const;
    await expect(deadLetters.page(foreign, null)).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });

  it('are found without a look at settled ones, however many there are', async () => {
    await world.postgres.query(
      `INSERT INTO failed_notifications (delivery_id, notification_id, user_id, channel, error, attempts, created_at, settled_at)
       SELECT gen_random_uuid(), 'n', 'u', 'push', 'e', 1, now(), now() FROM generate_series(1, 20000)`,
    );
    await world.postgres.query('VACUUM ANALYZE failed_notifications');
    await giveUp(world, await sendPushes(world, templateId, 1));
    const from = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21];
    const values = { openForward: from, openOfChannelForward: [...from, 'push'], open: [] };
    for (const [name, given] of Object.entries(values)) {
      const plan = await world.postgres.transaction(async (tx) => {
        await tx.query('SET LOCAL plan_cache_mode = force_generic_plan');
        const { text } = statements[name as keyof typeof values];
        const { rows } = await tx.query<{ 'QUERY PLAN': string }>(
          { name: `explained.${name}`, text: `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) ${text}` },
          given,
        );
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      });
      expect(plan).toMatch(/failed_notifications_open/);
      expect(Number(/Buffers: shared hit=(\d+)/.exec(plan)?.[1])).toBeLessThan(20);
    }
  });

  it("are found of a channel that has few among many of others', and counted up to a bound", async () => {
    const { postgres, notifications } = world;
    await postgres.query(
      `INSERT INTO failed_notifications (delivery_id, notification_id, user_id, channel, error, attempts, created_at, failed_at)
       SELECT gen_random_uuid(), 'n', 'u', 'email', 'e', 1, now(), now() + n * interval '1 ms' FROM generate_series(1, 30000) n`,
    );
    await postgres.query('VACUUM ANALYZE failed_notifications');
    const from = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 21];
    expect((await costOf(postgres, statements.openOfChannelForward, [...from, 'sms'])).blocks).toBeLessThan(
      30,
    );
    const page = await notifications.deadLetters.page(
      { limit: 1, direction: 'forward', cursor: null },
      'email',
    );
    const { count, isEstimate } = await page.total();
    expect(isEstimate).toBe(true);
    expect(count).toBeGreaterThan(10_000);
    expect(count).toBeLessThan(60_000);
  });
});
