import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Campaign } from '../../src/domains/notifications/index.js';
import {
  aCohort,
  aPush,
  begin,
  campaignOf,
  controlOn,
  deliveriesOfCampaign,
  expandOn,
  FAST,
  inCampaignStatus,
  statusesOf,
} from './campaign-world.js';
import {
  admin,
  aTemplate,
  caller,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  timelineOf,
  until,
} from './notification-world.js';

let world: NotificationWorld;
beforeAll(async () => {
  world = await openNotificationWorld();
});
afterAll(() => world.close());

describe('a campaign that cannot go on', () => {
  it('says why: its template is not active any more, or its filter does not hold', async () => {
    const { filter } = await aCohort(world, 3);
    const templateId = await aPush(world);
    const [ofTemplate, ofFilter] = [
      await begin(world, { templateId, segment: { filter } }),
      await begin(world, { templateId: await aPush(world), segment: { filter } }),
    ];
    await world.notifications.templates.deactivate(templateId);
    await world.postgres.query('UPDATE campaigns SET filter = $2 WHERE campaign_id = $1', [
      ofFilter.campaignId,
      'nothing = 1',
    ]);
    await expandOn(world.notifications).done;
    expect(await campaignOf(world, ofTemplate)).toMatchObject({
      status: 'FAILED',
      failure: expect.stringMatching(/^TEMPLATE_NOT_FOUND: /),
    });
    expect(await campaignOf(world, ofFilter)).toMatchObject({
      status: 'FAILED',
      failure: expect.stringMatching(/^ATTRIBUTE_UNKNOWN: /),
    });
    expect(await controlOn(world, ofFilter, 'CANCEL')).toMatchObject({ errors: [{ code: 'CAMPAIGN_OVER' }] });
  });
});

describe('who controls a campaign', () => {
  const slow = async (): Promise<Campaign> => {
    const { filter } = await aCohort(world, 400);
    return begin(world, {
      templateId: await aPush(world),
      segment: { filter },
      throttle: { maxPerSecond: 100 },
    });
  };

  it('leaves nobody out whom a pause kept from being stored: limits count them once', async () => {
    const { filter } = await aCohort(world, 200);
    const campaign = await begin(world, {
      templateId: await aPush(world, 'MARKETING_CAMPAIGN'),
      segment: { filter },
      throttle: { maxPerSecond: 200 },
    });
    for (const matched of [20, 60, 100]) {
      const expanding = expandOn(world.notifications);
      await until(async () => (await campaignOf(world, campaign)).matched > matched);
      await controlOn(world, campaign, 'PAUSE');
      await expanding.done;
      await controlOn(world, campaign, 'RESUME');
    }
    await expandOn(world.notifications).done;
    expect(await campaignOf(world, campaign)).toMatchObject({ matched: 200, queued: 200, suppressed: 0 });
  });

  it('gives each user the time of their own zone in one template', async () => {
    const { filter, userIds } = await aCohort(world, 40);
    const zones = userIds.map((_, n) => (n % 2 === 0 ? 'Europe/Berlin' : 'Asia/Tokyo'));
    await world.postgres.query(
      `INSERT INTO user_notification_settings (user_id, timezone) SELECT * FROM unnest($1::text[], $2::text[])
         ON CONFLICT (user_id) DO UPDATE SET timezone = excluded.timezone`,
      [userIds, zones],
    );
    const type = 'ZONED_NEWS';
    const templateId = await aTemplate(world, 'push', type, {
      syntax: 'LIQUID',
      title: 'News',
      body: '{{ starts | date: "%H:%M" }}',
      variables: { starts: { type: 'string', required: true } },
    });
    const campaign = await begin(world, {
      templateId,
      segment: { filter },
      throttle: FAST,
      variables: { starts: '2027-01-15T12:00:00Z' },
    });
    await expandOn(world.notifications).done;
    const ids = (await deliveriesOfCampaign(world, campaign)).map(({ deliveryId }) => deliveryId);
    const texts = (await world.notifications.deliveriesById(ids)).map((one) => [
      one?.userId,
      one?.content?.body,
    ]);
    const expected = userIds.map((userId, n) => [userId, n % 2 === 0 ? '13:00' : '21:00']);
    expect(Object.fromEntries(texts)).toEqual(Object.fromEntries(expected));
  });

  it('pauses it at once, and resumes it where it was', async () => {
    const campaign = await slow();
    const expanding = expandOn(world.notifications);
    await until(async () => (await campaignOf(world, campaign)).matched > 20);
    const paused = await controlOn(world, campaign, 'PAUSE');
    expect(paused).toMatchObject({ value: { status: 'PAUSED' } });
    expect(await controlOn(world, campaign, 'PAUSE')).toEqual(paused);
    // Nothing is left to do for the worker, and nothing was stored since.
    await expanding.done;
    expect(await campaignOf(world, campaign)).toEqual(paused.ok && paused.value);

    const begunAt = Date.now();
    expect(await controlOn(world, campaign, 'RESUME')).toMatchObject({ value: { status: 'RUNNING' } });
    const resumed = expandOn(world.notifications);
    await until(
      async () => (await campaignOf(world, campaign)).matched > (paused.ok ? paused.value.matched : 0),
    );
    expect(Date.now() - begunAt).toBeLessThan(3_000);
    await resumed.done;
    expect(await campaignOf(world, campaign)).toMatchObject({ status: 'COMPLETED', matched: 400 });
    const users = (await deliveriesOfCampaign(world, campaign)).map(({ userId }) => userId);
    expect(new Set(users).size).toBe(400);
  });

  it('cancels it: nothing more is queued, what was queued is withdrawn, and what was sent stays', async () => {
    const campaign = await slow();
    const expanding = expandOn(world.notifications);
    await until(async () => (await campaignOf(world, campaign)).matched > 60);
    const [sent] = await deliveriesOfCampaign(world, campaign);
    await world.postgres.query(`UPDATE deliveries SET status = 'SENT' WHERE delivery_id = $1`, [
      sent!.deliveryId,
    ]);
    const cancelled = await controlOn(world, campaign, 'CANCEL');
    const cancelledAt = Date.now();
    expect(cancelled).toMatchObject({ value: { status: 'CANCELLED', completedAt: expect.any(Date) } });
    await until(async () => (await statusesOf(world, campaign)).QUEUED === undefined);
    expect(Date.now() - cancelledAt).toBeLessThan(4_000);
    await expanding.done;
    const { SENT, CANCELLED, ...others } = await statusesOf(world, campaign);
    expect(others).toEqual({});
    expect([SENT!.length, CANCELLED!.length]).toEqual([1, cancelled.ok && cancelled.value.matched - 1]);
    expect(await timelineOf(world, CANCELLED![0]!.deliveryId)).toContain('CANCELLED');
    for (const action of ['PAUSE', 'RESUME'] as const)
      expect(await controlOn(world, campaign, action)).toMatchObject({
        errors: [{ code: 'CAMPAIGN_OVER', path: ['input', 'action'] }],
      });
    expect(await controlOn(world, campaign, 'CANCEL')).toMatchObject({ value: { status: 'CANCELLED' } });
  });

  it('is its producer or an admin', async () => {
    const campaign = await slow();
    const bakery = caller('bakery', 'producer');
    expect(await controlOn(world, campaign, 'CANCEL', bakery)).toMatchObject({
      errors: [{ code: 'NOT_FOUND', path: ['input', 'batchId'] }],
    });
    const find = (by: typeof shop) => world.notifications.campaigns.find(by, campaign.batchId);
    expect([await find(bakery), await find(shop), await find(admin)]).toMatchObject([
      null,
      { batchId: campaign.batchId },
      { producer: 'shop' },
    ]);
    expect(await controlOn(world, campaign, 'CANCEL', admin)).toMatchObject({
      value: { status: 'CANCELLED' },
    });
  });
});

describe('old campaigns', () => {
  it('are forgotten with their pages once they are over for long enough, and no others', async () => {
    const { filter } = await aCohort(world, 5);
    const templateId = await aPush(world);
    const [old, recent, open] = [
      await begin(world, { templateId, segment: { filter } }),
      await begin(world, { templateId, segment: { filter } }),
      await begin(world, { templateId, segment: { filter } }),
    ];
    await controlOn(world, open, 'PAUSE');
    await expandOn(world.notifications).done;
    await world.postgres.query(
      `UPDATE campaigns SET created_at = created_at - interval '91 days', completed_at = completed_at - interval '91 days'
       WHERE campaign_id = ANY ($1::uuid[])`,
      [[old.campaignId, open.campaignId]],
    );
    const worker = world.notifications.openDelivery({ providers: { close: async () => undefined } });
    for (const forget of worker.forgets) await forget(1_000);
    const found = await world.notifications.campaigns.byId([old, recent, open].map((one) => one.campaignId));
    expect(found.map(({ campaignId }) => campaignId).sort()).toEqual(
      [recent.campaignId, open.campaignId].sort(),
    );
    expect(await deliveriesOfCampaign(world, old)).toEqual([]);
    await inCampaignStatus(world, recent, 'COMPLETED');
    await controlOn(world, open, 'CANCEL');
  });
});
