import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcile } from '../../src/domains/notifications/analytics/reconcile.js';
import { systemClock } from '../../src/platform/clock.js';
import { aCohort, aPush, expandOn } from './campaign-world.js';
import { caller, type NotificationWorld, openNotificationWorld, unique } from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';

let world: NotificationWorld;
let api: ApiOnTest;
beforeAll(async () => {
  world = await openNotificationWorld();
  api = await openApi(world.notifications, systemClock);
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const SEND = 'mutation ($input: SendBatchInput!) { sendBatch(input: $input) { userErrors { code } } }';
const FIND = 'query ($batchId: ID!) { campaign(batchId: $batchId) { id } }';
const asProducer = (query: string, variables: Record<string, unknown> = {}, userId = 'shop') =>
  api.graphql(userId, query, variables, 'user', 'producer');

describe('analytics of a batch', () => {
  it('count its deliveries alone, at once, and the same when its minutes are closed', async () => {
    const [ours, others] = [await aCohort(world, 3), await aCohort(world, 2)];
    const templateId = await aPush(world);
    const [batchId, otherId] = [unique('batch'), unique('batch')];
    for (const [id, { filter }] of [
      [batchId, ours],
      [otherId, others],
    ] as const)
      await asProducer(SEND, { input: { batchId: id, templateId, segment: { filter } } });
    await expandOn(world.notifications).done;
    const { rows } = await world.postgres.query<{ deliveryId: string }>(
      `SELECT d.delivery_id AS "deliveryId" FROM campaign_pages p JOIN campaigns c USING (campaign_id)
       JOIN deliveries d USING (request_id) WHERE c.batch_id = $1`,
      [batchId],
    );
    const reports = rows.map(({ deliveryId }) => ({ deliveryId, kind: 'delivered' as const }));
    await world.notifications.reportAll(reports, 'test');

    const signal = new AbortController().signal;
    const { keeper, totals, scope } = world.notifications.analytics;
    const around = { from: new Date(Date.now() - 600_000), to: new Date(Date.now() + 600_000) };
    const counted = async (id: string) => {
      const { rows } = await world.postgres.query<{ created: number; queued: number; delivered: number }>(
        `SELECT sum(created)::int AS created, sum(queued)::int AS queued, sum(delivered)::int AS delivered
         FROM campaign_rollups WHERE campaign_id = (SELECT campaign_id FROM campaigns WHERE batch_id = $1)`,
        [id],
      );
      return rows[0];
    };
    await expect
      .poll(async () => {
        await keeper.consume(signal);
        return [await counted(batchId), await counted(otherId)];
      })
      .toEqual([
        { created: 3, queued: 3, delivered: 3 },
        { created: 2, queued: 2, delivered: 0 },
      ]);
    const idOf = async (named: string) => {
      const campaign = await world.notifications.campaigns.find(caller('shop', 'producer'), named);
      return campaign!.campaignId;
    };
    const [campaignId, otherCampaignId] = [await idOf(batchId), await idOf(otherId)];
    expect(await totals(scope({ ...around, campaignId }))).toMatchObject({ delivered: 3 });
    expect(await totals(scope({ ...around, campaignId, channel: 'email' }))).toMatchObject({ delivered: 0 });
    expect(await totals(scope({ ...around, campaignId: otherCampaignId }))).toMatchObject({ delivered: 0 });

    await world.postgres.query('DELETE FROM campaign_rollups');
    const later = { now: () => Date.now() + 30 * 60_000 };
    await reconcile({ postgres: world.postgres, clock: later }, signal);
    expect(await counted(batchId)).toEqual({ created: 3, queued: 3, delivered: 3 });
    const { id } = (await asProducer(FIND, { batchId })).data.campaign as { id: string };
    const { data } = await api.graphql(
      'root',
      `query ($from: DateTime!, $to: DateTime!, $id: ID!) { notificationAnalytics(from: $from, to: $to, batchId: $id) {
         delivered series(stepSeconds: 1200) { delivered } } }`,
      { ...around, id },
      'user',
      'admin',
    );
    expect(data.notificationAnalytics).toMatchObject({ delivered: 3, series: [{ delivered: 3 }] });

    // Another producer's campaign may have the same batch id.
    await asProducer(SEND, { input: { batchId, templateId, segment: { filter: others.filter } } }, 'market');
    await expandOn(world.notifications).done;
    const ask = async (named: string, userId: string, ...roles: ('user' | 'producer' | 'admin')[]) => {
      const answer = await api.graphql(
        userId,
        `query ($from: DateTime!, $to: DateTime!, $named: ID!) {
           notificationAnalytics(from: $from, to: $to, batchId: $named) { delivered } }`,
        { ...around, named },
        ...roles,
      );
      return answer.errors ?? answer.data.notificationAnalytics;
    };
    const theirs = (await asProducer(FIND, { batchId }, 'market')).data.campaign as { id: string };
    expect(await ask(batchId, 'shop', 'producer')).toEqual({ delivered: 3 });
    expect(await ask(id, 'shop', 'producer')).toEqual({ delivered: 3 });
    expect(await ask(batchId, 'market', 'producer')).toEqual({ delivered: 0 });
    expect(await ask(id, 'market', 'producer')).toEqual({ delivered: 0 });
    expect(await ask(id, 'root', 'admin')).toEqual({ delivered: 3 });
    expect(await ask(theirs.id, 'root', 'admin')).toEqual({ delivered: 0 });
  });
});
