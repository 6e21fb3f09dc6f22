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
  deliveriesOfCampaign,
  expandOn,
  inCampaignStatus,
} from './campaign-world.js';
import {
  admin,
  aTemplate,
  caller,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  timelineOf,
  unique,
  until,
} from './notification-world.js';

let world: NotificationWorld;
beforeAll(async () => {
  world = await openNotificationWorld();
});
afterAll(() => world.close());

const FAST = { maxPerSecond: 100_000 };
const control = async (campaign: Campaign, action: 'PAUSE' | 'RESUME' | 'CANCEL', by = shop) =>
  world.notifications.campaigns.control(by, campaign.campaignId, action);
const statuses = async (campaign: Campaign) =>
  Object.groupBy(await deliveriesOfCampaign(world, campaign), ({ status }) => status);

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
    await control(campaign, 'CANCEL');
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
    await control(first!, 'PAUSE', mill);
    expect(await send(refused)).toMatchObject(tooMany);
    await control(second!, 'CANCEL', mill);
    expect(await send(refused)).toMatchObject({ value: { batchId: refused.batchId } });
    await control(first!, 'CANCEL', mill);
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
      await control(slow, 'CANCEL');
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
    await control(campaign, 'CANCEL');
    const expanding = expandOn(world.notifications);
    try {
      await until(async () => (await statuses(campaign)).QUEUED === undefined);
    } finally {
      await expanding.stop();
      await removeCrowd();
    }
  });
});

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
    expect(await control(ofFilter, 'CANCEL')).toMatchObject({ errors: [{ code: 'CAMPAIGN_OVER' }] });
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
      await control(campaign, 'PAUSE');
      await expanding.done;
      await control(campaign, 'RESUME');
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
    const paused = await control(campaign, 'PAUSE');
    expect(paused).toMatchObject({ value: { status: 'PAUSED' } });
    expect(await control(campaign, 'PAUSE')).toEqual(paused);
    // Nothing is left to do for the worker, and nothing was stored since.
    await expanding.done;
    expect(await campaignOf(world, campaign)).toEqual(paused.ok && paused.value);

    const begunAt = Date.now();
    expect(await control(campaign, 'RESUME')).toMatchObject({ value: { status: 'RUNNING' } });
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
    const cancelled = await control(campaign, 'CANCEL');
    const cancelledAt = Date.now();
    expect(cancelled).toMatchObject({ value: { status: 'CANCELLED', completedAt: expect.any(Date) } });
    await until(async () => (await statuses(campaign)).QUEUED === undefined);
    expect(Date.now() - cancelledAt).toBeLessThan(4_000);
    await expanding.done;
    const { SENT, CANCELLED, ...others } = await statuses(campaign);
    expect(others).toEqual({});
    expect([SENT!.length, CANCELLED!.length]).toEqual([1, cancelled.ok && cancelled.value.matched - 1]);
    expect(await timelineOf(world, CANCELLED![0]!.deliveryId)).toContain('CANCELLED');
    for (const action of ['PAUSE', 'RESUME'] as const)
      expect(await control(campaign, action)).toMatchObject({
        errors: [{ code: 'CAMPAIGN_OVER', path: ['input', 'action'] }],
      });
    expect(await control(campaign, 'CANCEL')).toMatchObject({ value: { status: 'CANCELLED' } });
  });

  it('is its producer or an admin', async () => {
    const campaign = await slow();
    const bakery = caller('bakery', 'producer');
    expect(await control(campaign, 'CANCEL', bakery)).toMatchObject({
      errors: [{ code: 'NOT_FOUND', path: ['input', 'batchId'] }],
    });
    const find = (by: typeof shop) => world.notifications.campaigns.find(by, campaign.batchId);
    expect([await find(bakery), await find(shop), await find(admin)]).toMatchObject([
      null,
      { batchId: campaign.batchId },
      { producer: 'shop' },
    ]);
    expect(await control(campaign, 'CANCEL', admin)).toMatchObject({ value: { status: 'CANCELLED' } });
  });
});

describe('a batch id', () => {
  it('stands for one campaign of its producer: the same body answers it, also at once, another is refused', async () => {
    const { filter } = await aCohort(world, 1);
    const request: BatchRequest = {
      batchId: unique('batch'),
      templateId: await aPush(world),
      segment: { filter },
    };
    const { send } = world.notifications.campaigns;
    const answers = await Promise.all([request, { ...request }, request].map((one) => send(shop, one)));
    const ids = answers.map((answer) => answer.ok && answer.value.campaignId);
    expect(new Set(ids).size).toBe(1);
    const other = { ...request, throttle: { maxPerSecond: 3 } };
    expect(await send(shop, other)).toMatchObject({
      errors: [{ code: 'BATCH_ID_REUSED', path: ['input', 'batchId'] }],
    });
    expect(await send(caller('bakery', 'producer'), other)).toMatchObject({
      ok: true,
      value: { ratePerSecond: 3 },
    });
    await expandOn(world.notifications).done;
    expect(await send(shop, request)).toMatchObject({
      value: { campaignId: ids[0], status: 'COMPLETED', matched: 1 },
    });
  });
});

describe('a bad batch', () => {
  it('is refused with every fault and its path, and nothing is stored', async () => {
    await aCohort(world, 1);
    const result = await world.notifications.campaigns.send(shop, {
      batchId: '',
      templateId: 'no-such-template',
      segment: { filter: 'cohort = "a" and (' },
      throttle: { maxPerSecond: 0, windowHours: 10_000 },
    });
    expect(result.ok ? [] : result.errors.map(({ code, path }) => `${code} ${path?.join('.')}`)).toEqual([
      'ID_INVALID input.batchId',
      'TEMPLATE_NOT_FOUND input.templateId',
      'FILTER_INVALID input.segment.filter',
      'RATE_INVALID input.throttle.maxPerSecond',
      'WINDOW_INVALID input.throttle.windowHours',
    ]);
    const { rows } = await world.postgres.query(`SELECT FROM campaigns WHERE batch_id = ''`);
    expect(rows).toEqual([]);
  });

  it('is refused where its variables are nested without end', async () => {
    await aCohort(world, 1);
    let nested: unknown = 'x';
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
    const result = await world.notifications.campaigns.send(shop, {
      batchId: unique('batch'),
      templateId: await aPush(world),
      variables: { nested },
      segment: { filter: 'cohort = "a"' },
    });
    expect(result).toMatchObject({
      errors: [{ code: 'VARIABLE_INVALID', path: ['input', 'variables', 'nested'] }],
    });
  });

  it('names a template of whose type nothing is active', async () => {
    const { filter } = await aCohort(world, 1);
    const templateId = await aPush(world);
    await world.notifications.templates.deactivate(templateId);
    const result = await world.notifications.campaigns.send(shop, {
      batchId: unique('batch'),
      templateId,
      segment: { filter },
    });
    expect(result).toMatchObject({
      errors: [{ code: 'TEMPLATE_NOT_FOUND', path: ['input', 'templateId'] }],
    });
  });
});

describe('a window', () => {
  it('spreads the campaign over its hours, and raises a rate that is too low for it', async () => {
    const { filter } = await aCohort(world, 100);
    const templateId = await aPush(world);
    const rate = async (throttle: BatchRequest['throttle']) => {
      const campaign = await begin(world, { templateId, segment: { filter }, throttle });
      await control(campaign, 'CANCEL');
      return [campaign.ratePerSecond * 3_600, campaign.rateRaised];
    };
    expect(await rate({ windowHours: 1 })).toEqual([expect.closeTo(102, 0), false]);
    expect(await rate({ windowHours: 1, maxPerSecond: 1 })).toEqual([3_600, false]);
  });

  it('counts users by the estimate that was made for another call', async () => {
    const { filter, userIds } = await aCohort(world, 100);
    const templateId = await aPush(world);
    const estimate = await world.notifications.segments.estimate(filter, ['filter']);
    expect(estimate).toMatchObject({ ok: true, value: { count: 100 } });
    await world.postgres.query('DELETE FROM user_attributes WHERE user_id = ANY ($1)', [userIds]);
    const campaign = await begin(world, { templateId, segment: { filter }, throttle: { windowHours: 1 } });
    await control(campaign, 'CANCEL');
    expect(campaign.ratePerSecond * 3_600).toBeCloseTo(102, 0);
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
    await control(open, 'PAUSE');
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
    await control(open, 'CANCEL');
  });
});
