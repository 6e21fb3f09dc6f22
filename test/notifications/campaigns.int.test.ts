import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchRequest, Campaign } from '../../src/domains/notifications/index.js';
import { LIFECYCLE_EVENTS } from '../support/lifecycle-events.js';
import {
  aCohort,
  addAccounts,
  addToCohort,
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
  aTemplate,
  caller,
  type NotificationWorld,
  openNotificationWorld,
  timelineOf,
  unique,
  until,
} from './notification-world.js';

let world: NotificationWorld;
beforeAll(async () => {
  world = await openNotificationWorld();
});
afterAll(() => world.close());

describe('a campaign', () => {
  it('gives everybody who matches one delivery with its history, and nobody else any', async () => {
    const { userIds, filter } = await aCohort(world, 1_500);
    await aCohort(world, 20);
    const [mailed, unreachable, declining] = userIds;
    const templateId = await aPush(world, 'MARKETING_CAMPAIGN');
    await aTemplate(world, 'email', 'MARKETING_CAMPAIGN', { subject: 'News', body: 'What is new' });
    for (const userId of [mailed!, unreachable!]) await world.notifications.unregisterDevice(userId, 'phone');
    await world.notifications.updateSettings(mailed!, { email: 'ann@example.com' });
    await world.notifications.updateSettings(declining!, { marketingOptIn: false });

    const campaign = await begin(world, {
      templateId,
      segment: { filter, estimatedCount: 7 },
      throttle: FAST,
    });
    expect(campaign).toMatchObject({
      status: 'PENDING',
      priority: 'low',
      estimatedCount: 7,
      startedAt: null,
    });
    await expandOn(world.notifications).done;

    expect(await campaignOf(world, campaign)).toMatchObject({
      status: 'COMPLETED',
      matched: 1_500,
      queued: 1_498,
      suppressed: 2,
      completedAt: expect.any(Date),
    });
    const deliveries = await deliveriesOfCampaign(world, campaign);
    expect(deliveries.map(({ userId }) => userId).sort()).toEqual([...userIds].sort());
    const of = new Map(deliveries.map((one) => [one.userId, one]));
    expect(of.get(mailed!)).toMatchObject({ channel: 'email', status: 'QUEUED' });
    expect(of.get(unreachable!)).toMatchObject({ status: 'SUPPRESSED', suppression: 'NO_ADDRESS' });
    expect(of.get(declining!)).toMatchObject({ status: 'SUPPRESSED', suppression: 'MARKETING_OPT_OUT' });
    const accepted = ['CREATED', 'VALIDATED', 'PREFERENCE_CHECKED'];
    expect(await timelineOf(world, of.get(mailed!)!.deliveryId)).toEqual([...accepted, 'RENDERED', 'QUEUED']);
    expect(await timelineOf(world, of.get(declining!)!.deliveryId)).toEqual([...accepted, 'SUPPRESSED']);
    const { rows } = await world.postgres.query<{ gaps: number }>(
      `SELECT count(*)::int AS gaps FROM notification_requests r WHERE r.request_id = ANY ($1::uuid[]) AND
         (SELECT array_agg(e.number ORDER BY e.number) FROM ${LIFECYCLE_EVENTS} AS e WHERE e.request_id = r.request_id)
           IS DISTINCT FROM ARRAY(SELECT generate_series(1, r.last_event))`,
      [[...new Set(deliveries.map(({ requestId }) => requestId))]],
    );
    expect(rows).toEqual([{ gaps: 0 }]);
    const read = await world.notifications.deliveriesById([of.get(mailed!)!.deliveryId]);
    expect(read[0]).toMatchObject({ content: { subject: 'News', body: 'What is new' }, priority: 'low' });
  });

  it('holds limits of users against it as against any notification', async () => {
    const { filter } = await aCohort(world, 3);
    const templateId = await aPush(world, 'MARKETING_CAMPAIGN');
    const first = await begin(world, { templateId, segment: { filter }, throttle: FAST });
    await expandOn(world.notifications).done;
    const second = await begin(world, { templateId, segment: { filter }, throttle: FAST });
    await expandOn(world.notifications).done;
    expect(await campaignOf(world, first)).toMatchObject({ queued: 3, suppressed: 0 });
    expect(await campaignOf(world, second)).toMatchObject({ queued: 0, suppressed: 3 });
    expect((await deliveriesOfCampaign(world, second))[0]).toMatchObject({ suppression: 'RATE_LIMITED' });
  });

  it('leaves out who signed up after it had begun', async () => {
    const { userIds, filter } = await aCohort(world, 60);
    const campaign = await begin(world, {
      templateId: await aPush(world),
      segment: { filter },
      throttle: { maxPerSecond: 40 },
    });
    const expanding = expandOn(world.notifications);
    await until(async () => (await campaignOf(world, campaign)).matched > 0);
    const late = `${userIds[0]!.slice(0, 8)}-99999`;
    await addAccounts(world, [late]);
    await addToCohort(world, userIds[0]!.slice(0, 8), [late]);
    await expanding.done;
    expect(await campaignOf(world, campaign)).toMatchObject({ status: 'COMPLETED', matched: 60 });
  });

  it('is over at once where nobody matches', async () => {
    await aCohort(world, 1);
    const campaign = await begin(world, {
      templateId: await aPush(world),
      segment: { filter: 'cohort = "nobody"' },
    });
    await expandOn(world.notifications).done;
    expect(await campaignOf(world, campaign)).toMatchObject({ status: 'COMPLETED', matched: 0 });
  });

  it('keeps to its rate in every second, and is done in time', async () => {
    const { filter } = await aCohort(world, 150);
    const campaign = await begin(world, {
      templateId: await aPush(world),
      segment: { filter },
      throttle: { maxPerSecond: 50 },
    });
    await expandOn(world.notifications).done;
    const at = (await deliveriesOfCampaign(world, campaign)).map(({ createdAt }) => createdAt.getTime());
    expect(at).toHaveLength(150);
    for (const from of at)
      expect(at.filter((one) => one >= from && one < from + 1_000).length).toBeLessThanOrEqual(50);
    expect(at.at(-1)! - at[0]!).toBeGreaterThan(2_000);
    expect(new Set(at).size).toBeGreaterThan(5);
  });

  it('of a user in hours is no faster where workers begin anew with it all the time', async () => {
    const [slow, fast] = [await aCohort(world, 5), await aCohort(world, 1)];
    const templateId = await aPush(world);
    const campaign = await begin(world, {
      ...{ templateId, segment: { filter: slow.filter } },
      throttle: { windowHours: 720 },
    });
    for (let run = 0; run < 4; run += 1) {
      // Once this one is done, the run has come to the other as well.
      const other = await begin(world, { templateId, segment: { filter: fast.filter } });
      const worker = expandOn(world.notifications);
      await inCampaignStatus(world, other, 'COMPLETED');
      await until(async () => (await campaignOf(world, campaign)).matched > 0);
      await worker.stop();
      expect(await campaignOf(world, campaign)).toMatchObject({ status: 'RUNNING', matched: 1 });
    }
    await controlOn(world, campaign, 'CANCEL');
  });

  it('waits with the next users while those before are not sent', async () => {
    const { filter } = await aCohort(world, 200);
    const campaign = await begin(world, {
      templateId: await aPush(world),
      segment: { filter },
      throttle: { maxPerSecond: 50 },
    });
    const expanding = expandOn(world.notifications, { aheadMs: 500 });
    await until(async () => (await campaignOf(world, campaign)).matched > 0);
    // Longer than it takes without waiting.
    await until(async () => {
      const { rows } = await world.postgres.query<{ quiet: boolean }>(
        `SELECT max(created_at) < now() - interval '2 s' AS quiet FROM campaign_pages WHERE campaign_id = $1`,
        [campaign.campaignId],
      );
      return rows[0]!.quiet;
    });
    const held = await campaignOf(world, campaign);
    expect(held).toMatchObject({ status: 'RUNNING' });
    expect(held.matched).toBeLessThan(200);
    await world.postgres.query(
      `UPDATE deliveries SET status = 'DELIVERED' WHERE request_id IN
      (SELECT request_id FROM campaign_pages WHERE campaign_id = $1)`,
      [campaign.campaignId],
    );
    await until(async () => (await campaignOf(world, campaign)).matched > held.matched);
    await expanding.stop();
    await controlOn(world, campaign, 'CANCEL');
    await expandOn(world.notifications).done;
  });
});

describe('many campaigns of one producer', () => {
  it('are 20 at most that are not over, also at once, and a repeat answers those that there are', async () => {
    const { filter } = await aCohort(world, 1);
    const [templateId, mill] = [await aPush(world), caller('mill', 'producer')];
    const requests = Array.from(
      { length: 24 },
      (): BatchRequest => ({ batchId: unique('batch'), templateId, segment: { filter } }),
    );
    const send = (request: BatchRequest) => world.notifications.campaigns.send(mill, request);
    const answers = await Promise.all(requests.map(send));
    const accepted = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
    expect(accepted).toHaveLength(20);
    const tooMany = { errors: [{ code: 'TOO_MANY_CAMPAIGNS', path: ['input', 'batchId'] }] };
    for (const answer of answers.filter(({ ok }) => !ok)) expect(answer).toMatchObject(tooMany);

    const [first, second] = accepted;
    const refused = requests.find(({ batchId }) => accepted.every((one) => one.batchId !== batchId))!;
    expect(await send(requests.find(({ batchId }) => batchId === first!.batchId)!)).toEqual({
      ok: true,
      value: first,
    });
    await controlOn(world, first!, 'PAUSE', mill);
    expect(await send(refused)).toMatchObject(tooMany);
    await controlOn(world, second!, 'CANCEL', mill);
    expect(await send(refused)).toMatchObject({ value: { batchId: refused.batchId } });
    await controlOn(world, first!, 'CANCEL', mill);
    await expandOn(world.notifications).done;
  });

  /** As many as are worked on at once, and more, all older than this one, of one producer or of one each. They go on for days. */
  const crowdOut = async ({ campaignId }: Campaign, isOfOne: boolean) => {
    await world.postgres.query(
      `INSERT INTO campaigns (campaign_id, producer, batch_id, body_hash, template_id, type, priority, filter, rate_per_second,
         rate_raised, status, correlation_id, created_at)
       SELECT gen_random_uuid(), concat('crowd', CASE WHEN NOT $2::boolean THEN n END), 'crowd-' || n, body_hash, template_id, type, priority, filter,
         0.001, false, 'PENDING', correlation_id, created_at - interval '1 hour'
       FROM campaigns, generate_series(1, 110) AS n WHERE campaign_id = $1`,
      [campaignId, isOfOne],
    );
  };
  const removeCrowd = () => world.postgres.query(`DELETE FROM campaigns WHERE producer LIKE 'crowd%'`);

  it('keep no other producer waiting', async () => {
    const [many, few] = [await aCohort(world, 20), await aCohort(world, 5)];
    const templateId = await aPush(world);
    const slow = await begin(world, { templateId, segment: many, throttle: { maxPerSecond: 1 } });
    await crowdOut(slow, true);
    const expanding = expandOn(world.notifications);
    try {
      const bakery = caller('bakery', 'producer');
      const other = await begin(world, { templateId, segment: few, throttle: FAST }, bakery);
      await inCampaignStatus(world, other, 'COMPLETED');
      await controlOn(world, slow, 'CANCEL');
    } finally {
      await expanding.stop();
      await removeCrowd();
    }
    await expandOn(world.notifications).done;
  });

  it('keep none waiting that is to be withdrawn', async () => {
    const templateId = await aPush(world);
    const segment = await aCohort(world, 20);
    const campaign = await begin(world, { templateId, segment, throttle: { maxPerSecond: 5 } });
    const begun = expandOn(world.notifications);
    await until(async () => (await campaignOf(world, campaign)).matched > 0);
    await begun.stop();
    await crowdOut(campaign, false);
    await controlOn(world, campaign, 'CANCEL');
    const expanding = expandOn(world.notifications);
    try {
      await until(async () => (await statusesOf(world, campaign)).QUEUED === undefined);
    } finally {
      await expanding.stop();
      await removeCrowd();
    }
  });
});
