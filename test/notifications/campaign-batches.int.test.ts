import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BatchRequest } from '../../src/domains/notifications/index.js';
import { signToken } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { aCohort, aPush, begin, controlOn, expandOn } from './campaign-world.js';
import {
  aTemplate,
  caller,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
} from './notification-world.js';
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

const SEND = `mutation ($input: SendBatchInput!) {
  sendBatch(input: $input) {
    campaign { batchId }
    dryRun { estimatedUsers ratePerSecond rateRaised samples { userId channel suppression dueAt content { title body } } }
    userErrors { code path }
  }
}`;
const send = async (input: object) =>
  (await api.graphql('shop', SEND, { input }, 'user', 'producer')).data.sendBatch as {
    readonly campaign: object | null;
    readonly dryRun: { readonly samples: readonly { readonly userId: string }[] } | null;
    readonly userErrors: readonly object[];
  };

/** How many rows there are of everything that a campaign writes. */
async function stored(): Promise<unknown> {
  const { rows } = await world.postgres.query(
    `SELECT (SELECT count(*) FROM campaigns) AS campaigns, (SELECT count(*) FROM campaign_pages) AS pages,
            (SELECT count(*) FROM notification_requests) AS requests, (SELECT count(*) FROM deliveries) AS deliveries`,
  );
  return rows[0];
}

describe('a dry run of a batch', () => {
  it('counts its users, and shows what some of them would get and why not, and stores nothing', async () => {
    const type = unique('NEWS');
    const { filter, userIds } = await aCohort(world, 4);
    const [plain, german, off, quiet] = userIds as [string, string, string, string];
    const templateId = await aTemplate(world, 'push', type, {
      title: 'News for {{who}}',
      body: 'In English',
      variables: { who: { type: 'string', required: true } },
    });
    await aTemplate(world, 'push', type, { language: 'de', title: 'Neues', body: 'Auf Deutsch' });
    const { notifications } = world;
    await notifications.updateSettings(german, { language: 'de' });
    await notifications.setPreferences(off, [{ notificationType: type, channel: 'push', enabled: false }]);
    await notifications.updateSettings(quiet, { quietHoursStart: '00:00', quietHoursEnd: '23:59' });
    const before = await stored();
    const input = {
      batchId: unique('batch'),
      templateId,
      variables: { who: 'you' },
      segment: { filter },
      throttle: { maxPerSecond: 1, windowHours: 1 },
    };
    const dryRun = await send({ ...input, dryRun: true });
    expect(dryRun).toMatchObject({
      ...{ campaign: null, userErrors: [] },
      dryRun: { estimatedUsers: 4, ratePerSecond: 1, rateRaised: false },
    });
    const samples = new Map(dryRun.dryRun!.samples.map((sample) => [sample.userId, sample]));
    const english = { channel: 'PUSH', dueAt: null, content: { title: 'News for you', body: 'In English' } };
    expect(samples.get(plain)).toMatchObject({ ...english, suppression: null });
    expect(samples.get(german)).toMatchObject({ content: { title: 'Neues', body: 'Auf Deutsch' } });
    expect(samples.get(off)).toMatchObject({ ...english, suppression: 'CHANNEL_DISABLED' });
    expect(samples.get(quiet)).toMatchObject({ ...english, suppression: 'QUIET_HOURS' });
    expect(await stored()).toEqual(before);

    // The id is free, and a dry run of what is accepted says the same.
    expect(await send(input)).toMatchObject({ campaign: { batchId: input.batchId }, dryRun: null });
    expect(await send({ ...input, dryRun: true })).toEqual(dryRun);
    expect(await send({ ...input, priority: 'HIGH', dryRun: true })).toMatchObject({
      dryRun: null,
      userErrors: [{ code: 'BATCH_ID_REUSED', path: ['input', 'batchId'] }],
    });
  });

  it('is refused with every fault that the batch would be refused with', async () => {
    const { filter } = await aCohort(world, 1);
    const templateId = await aPush(world);
    const batch = { batchId: unique('batch'), templateId, segment: { filter }, dryRun: true };
    const before = await stored();
    const wrong = { segment: { filter: 'cohort =' }, throttle: { maxPerSecond: 0 }, templateId: 'none' };
    expect(await send({ ...batch, ...wrong })).toMatchObject({
      ...{ campaign: null, dryRun: null },
      userErrors: [{ code: 'TEMPLATE_NOT_FOUND' }, { code: 'FILTER_INVALID' }, { code: 'RATE_INVALID' }],
    });
    expect(await stored()).toEqual(before);
    const requests = Array.from({ length: 20 }, () => ({
      batchId: unique('batch'),
      templateId,
      segment: { filter },
    }));
    for (const request of requests) await world.notifications.campaigns.send(shop, request);
    expect(await send(batch)).toMatchObject({ dryRun: null, userErrors: [{ code: 'TOO_MANY_CAMPAIGNS' }] });
    await world.postgres.query("UPDATE campaigns SET status = 'CANCELLED'");
  });

  it('of a segment of nobody shows nobody', async () => {
    const templateId = await aPush(world);
    const { filter } = await aCohort(world, 1);
    const batch = { batchId: unique('batch'), templateId, dryRun: true };
    expect(await send({ ...batch, segment: { filter: `${filter} and followerCount > 5` } })).toMatchObject({
      dryRun: { estimatedUsers: 0, samples: [] },
    });
  });

  it('is answered by REST with 200', async () => {
    const { filter, userIds } = await aCohort(world, 1);
    const body = {
      batch_id: unique('batch'),
      template_id: await aPush(world),
      segment: { filter },
      dry_run: true,
    };
    const token = await signToken('a secret of thirty-two characters', {
      ...{ userId: 'shop', roles: ['user', 'producer'], plan: 'free', expiresInSeconds: 600 },
    });
    const answer = await fetch(`${api.url}/api/v1/notifications/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      ...{ batch_id: body.batch_id, status: 'dry_run', rate_per_second: 500, rate_raised: false },
      estimated_users: 1,
      samples: [
        {
          ...{ user_id: userIds[0], channel: 'push', suppression: null, due_at: null },
          content: { title: 'News', body: 'What is new' },
        },
      ],
    });
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
      await controlOn(world, campaign, 'CANCEL');
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
    await controlOn(world, campaign, 'CANCEL');
    expect(campaign.ratePerSecond * 3_600).toBeCloseTo(102, 0);
  });
});
