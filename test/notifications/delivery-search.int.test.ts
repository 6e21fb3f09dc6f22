import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryWorker } from '../../src/domains/notifications/index.js';
import { createSearchLag } from '../../src/domains/notifications/search/lag.js';
import type { DeliveryFilter } from '../../src/domains/notifications/search/search.js';
import type { PageRequest } from '../../src/platform/paging.js';
import { forgetting } from './forgetting.js';
import {
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
} from './notification-world.js';

let world: NotificationWorld;
let worker: DeliveryWorker;
let templates: Record<'push' | 'email' | 'code' | 'wide', string>;
beforeAll(async () => {
  world = await openNotificationWorld();
  // It sends nothing by itself.
  worker = world.notifications.openDelivery({ providers: none });
  const variables = { text: { type: 'string' as const, required: true } };
  templates = {
    push: await aTemplate(world, 'push', 'ORDER_SHIPPED', {
      title: 'Good news',
      body: '{{text}}',
      variables,
    }),
    email: await aTemplate(world, 'email', 'ORDER_SHIPPED', {
      subject: 'Parcel',
      body: '{{text}}',
      variables,
    }),
    code: await aTemplate(world, 'push', 'VERIFICATION_CODE', { body: '{{text}}', variables }),
    wide: await aTemplate(world, 'push', 'NEW_MESSAGE', { body: '{{text}}', variables }),
  };
});
afterAll(() => world.close());

const none = { close: async () => undefined };
const index = () => worker.indexDeliveries(new AbortController().signal);
const first: PageRequest = { limit: 100, direction: 'forward', cursor: null };
async function find(query: string | null, filter: DeliveryFilter = {}, page = first): Promise<string[]> {
  const found = await world.notifications.searchDeliveries(query, filter, page);
  return found.edges.map(({ node }) => node.deliveryId);
}

async function send(text: string, own: Partial<Parameters<typeof aRequest>[0]> = {}) {
  const { userId } = await aUser(world);
  const request = aRequest({
    templateId: templates.push,
    recipients: [{ userId, channels: ['push'], variables: { text } }],
    ...own,
  });
  const sent = await world.notifications.send(shop, request);
  if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
  const [delivery] = await deliveriesOf(world, request.notificationId);
  return delivery!;
}

describe('a search', () => {
  it('finds deliveries by the words of their text, and by what words begin with', async () => {
    const delivery = await send('Your Zeppelin, nº 4711, lands in São Paulo');
    await index();
    for (const query of ['zeppelin', 'ZEPP', 'zepp 47', 'good zepp', 'sao p', 'paulo, são'])
      expect(await find(query), query).toEqual([delivery.deliveryId]);
    for (const query of ['eppelin', 'zeppelin airship', '711']) expect(await find(query), query).toEqual([]);
  });

  it('says for how long what it does not find yet has waited', async () => {
    const lag = createSearchLag(world.postgres);
    await index();
    expect(await lag()).toBe(0);
    await send('Waiting');
    await world.postgres.query(
      `UPDATE delivery_search_queue SET queued_at = queued_at - interval '30 seconds'`,
    );
    await send('Waiting, too');
    expect(await lag()).toBeGreaterThanOrEqual(30);
    expect(await lag()).toBeLessThan(90);
    await index();
    expect(await lag()).toBe(0);
  });

  it('finds mails by their subject and by the address that they went to', async () => {
    const { userId } = await aUser(world);
    const variables = { text: 'It is here' };
    const delivery = await send('', {
      templateId: templates.email,
      recipients: [{ userId, channels: ['email'], variables }],
    });
    await index();
    expect(await find(`${userId}@example.com`)).toEqual([delivery.deliveryId]);
    expect(await find(`parcel ${userId}`)).toEqual([delivery.deliveryId]);
  });

  it('narrows by every field of the filter, alone and together with words', async () => {
    const name = unique('narrowed');
    const [one, other] = [await send(name), await send(name)];
    await index();
    const { userId, createdAt } = one;
    expect(await find(name)).toEqual([other.deliveryId, one.deliveryId]);
    expect(await find(name, { userId })).toEqual([one.deliveryId]);
    expect(
      await find(null, { userId, channel: 'push', notificationType: 'ORDER_SHIPPED', producer: 'shop' }),
    ).toEqual([one.deliveryId]);
    expect(await find(name, { channel: 'sms' })).toEqual([]);
    expect(await find(name, { producer: "o'neil \\" })).toEqual([]);
    expect(await find(name, { userId, status: 'QUEUED' })).toEqual([one.deliveryId]);
    expect(await find(name, { status: 'DEAD' })).toEqual([]);
    expect(await find(name, { to: createdAt })).toEqual([]);
    expect(await find(name, { userId, from: createdAt })).toEqual([one.deliveryId]);
    expect(await find(name, { from: new Date(other.createdAt.getTime() + 1) })).toEqual([]);
  });

  it('lists each match once, newest first, both ways', async () => {
    const name = unique('walked');
    const sent: string[] = [];
    for (let n = 0; n < 7; n++) sent.unshift((await send(name)).deliveryId);
    await index();
    for (const direction of ['forward', 'backward'] as const) {
      const seen: string[] = [];
      for (let cursor: string | null = null, more = true; more; ) {
        const page: Awaited<ReturnType<typeof world.notifications.searchDeliveries>> =
          await world.notifications.searchDeliveries(name, {}, { limit: 3, direction, cursor });
        const found = page.edges.map(({ node }) => node.deliveryId);
        if (direction === 'forward') seen.push(...found);
        else seen.unshift(...found);
        cursor = direction === 'forward' ? page.pageInfo.endCursor : page.pageInfo.startCursor;
        more = direction === 'forward' ? page.pageInfo.hasNextPage : page.pageInfo.hasPreviousPage;
      }
      expect(seen, direction).toEqual(sent);
    }
  });

  it('never finds a code, but the delivery by its user', async () => {
    const delivery = await send('987321', { templateId: templates.code, type: 'VERIFICATION_CODE' });
    await index();
    expect(await find('987321')).toEqual([]);
    expect(await find(null, { userId: delivery.userId })).toEqual([delivery.deliveryId]);
  });

  it('finds a scheduled one by its user at once, and by its text when that was made, at the place that it had', async () => {
    const name = unique('later');
    const scheduleAt = new Date(Date.now() + 3_600_000);
    const scheduled = await send(name, { scheduleAt });
    const next = await send(name);
    await index();
    expect(await find(null, { userId: scheduled.userId, status: 'SCHEDULED' })).toEqual([
      scheduled.deliveryId,
    ]);
    expect(await find(name)).toEqual([next.deliveryId]);
    await world.postgres.query('UPDATE deliveries SET due_at = now() WHERE delivery_id = $1', [
      scheduled.deliveryId,
    ]);
    await worker.release();
    await index();
    expect(await find(name)).toEqual([next.deliveryId, scheduled.deliveryId]);
  });

  it('finds what was left out, with the status that it has', async () => {
    const { userId } = await aUser(world);
    await world.notifications.setPreferences(userId, [
      { notificationType: 'ORDER_SHIPPED', channel: 'push', enabled: false },
    ]);
    const request = aRequest({
      templateId: templates.push,
      recipients: [{ userId, channels: ['push'], variables: { text: 'unwanted' } }],
    });
    expect((await world.notifications.send(shop, request)).ok).toBe(false);
    await index();
    expect(await find(null, { userId, status: 'SUPPRESSED' })).toHaveLength(1);
  });

  it.each([
    ['has no word', '… !'],
    ['is too long', 'x'.repeat(201)],
    ['has too many words', 'a b c d e f g h i'],
  ])('is refused where the query %s', async (_, query) => {
    await expect(find(query)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  });

  it('is refused with a cursor of another list', async () => {
    const page = { ...first, cursor: 'rubbish' };
    await expect(find('a', {}, page)).rejects.toMatchObject({ code: 'BAD_CURSOR' });
  });
});

describe('what a search finds by', () => {
  it('goes with the delivery', async () => {
    const name = unique('gone');
    const { deliveryId, requestId } = await send(name);
    await index();
    const count = async () => {
      const { rows } = await world.postgres.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM delivery_search_documents WHERE delivery_id = $1',
        [deliveryId],
      );
      return rows[0]!.count;
    };
    expect(await count()).toBe(1);
    await world.postgres.query(`UPDATE deliveries SET status = 'DELIVERED' WHERE delivery_id = $1`, [
      deliveryId,
    ]);
    const { requests } = forgetting(world.postgres, { now: () => Date.now() + 91 * 86_400_000 });
    while ((await requests(4_000)) === 4_000);
    expect(await world.notifications.requestsById([requestId])).toEqual([]);
    expect(await count()).toBe(0);
    expect(await find(name)).toEqual([]);
  });

  it('leaves no list of pending entries, which each search would read', async () => {
    await send('a parcel for the list');
    await index();
    const { rows } = await world.postgres.query(
      `SELECT gin_clean_pending_list(inhrelid)::int AS pages FROM pg_inherits
       WHERE inhparent = 'delivery_search_documents_terms'::regclass`,
    );
    expect(rows.map(({ pages }) => pages)).toEqual(rows.map(() => 0));
  });

  it('is written in batches of 500, however many deliveries one statement inserts', async () => {
    const { deliveryId, createdAt } = await send('copied many times over');
    await index();
    const { rows } = await world.postgres.query(
      `WITH copied AS (
         INSERT INTO deliveries (delivery_id, request_id, notification_id, producer, user_id, notification_type, channel, priority,
             status, max_retries, rendered_content, created_at)
           SELECT gen_random_uuid(), request_id, notification_id, producer, user_id, notification_type, channel, priority, status,
             max_retries, rendered_content, created_at
           FROM deliveries, generate_series(1, 1200) WHERE delivery_id = $1 AND created_at = $2 RETURNING delivery_id)
       SELECT count(*) FROM copied`,
      [deliveryId, createdAt],
    );
    expect(rows).toHaveLength(1);
    const queue = await world.postgres.query(
      'SELECT cardinality(delivery_ids) AS queued FROM delivery_search_queue',
    );
    expect(queue.rows.map(({ queued }) => queued)).toEqual([500, 500, 200]);
    expect(await index()).toBe(1200);
  });

  it('is written once more where a process died before it was done', async () => {
    const name = unique('twice');
    const { deliveryId } = await send(name);
    await index();
    await world.postgres.query('INSERT INTO delivery_search_queue (delivery_ids) VALUES ($1)', [
      [deliveryId, deliveryId],
    ]);
    await index();
    expect(await find(name)).toEqual([deliveryId]);
  });

  it('is written by one process at a time, and each entry of the queue once', async () => {
    const name = unique('raced');
    const others = [1, 2].map(() => world.another().openDelivery({ providers: none }));
    const sent = await Promise.all(Array.from({ length: 20 }, () => send(name)));
    await Promise.all([index(), ...others.map((one) => one.indexDeliveries(new AbortController().signal))]);
    await index();
    expect((await find(name)).toSorted()).toEqual(sent.map(({ deliveryId }) => deliveryId).toSorted());
    expect((await world.postgres.query('SELECT FROM delivery_search_queue')).rowCount).toBe(0);
  });
});
