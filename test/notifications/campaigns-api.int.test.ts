import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signToken } from '../../src/platform/auth/auth.js';
import { systemClock } from '../../src/platform/clock.js';
import { aCohort, aPush } from './campaign-world.js';
import { type NotificationWorld, openNotificationWorld, unique } from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';

let world: NotificationWorld;
let api: ApiOnTest;
/** How often `sendBatch` may be asked for. */
let left = Number.POSITIVE_INFINITY;
beforeAll(async () => {
  world = await openNotificationWorld();
  api = await openApi(
    world.notifications,
    systemClock,
    {},
    {
      consume: async ({ field, owner }) => {
        if (field !== 'Mutation.sendBatch' || owner !== 'u:shop') return null;
        left -= 1;
        return left < 0 ? 1_000 : null;
      },
    },
  );
});
afterAll(async () => {
  await api.close();
  await world.close();
});

const FIELDS = `id batchId producer templateId notificationType priority filter status failure matched queued suppressed
  ratePerSecond estimatedCount maxPerSecond windowHours rateRaised createdAt startedAt completedAt`;
const SEND = `mutation ($input: SendBatchInput!) { sendBatch(input: $input) { campaign { ${FIELDS} } userErrors { code message path } } }`;
const CONTROL = `mutation ($input: ControlCampaignInput!) {
  controlCampaign(input: $input) { campaign { status } userErrors { code path } } }`;
const FIND = `query ($batchId: ID!) { campaign(batchId: $batchId) { ${FIELDS} } }`;
const asProducer = (query: string, variables: Record<string, unknown> = {}, userId = 'shop') =>
  api.graphql(userId, query, variables, 'user', 'producer');

async function post(body: object, roles: ('user' | 'producer')[] = ['user', 'producer']) {
  const token = await signToken('a secret of thirty-two characters', {
    userId: 'shop',
    roles,
    plan: 'free',
    expiresInSeconds: 600,
  });
  const answer = await fetch(`${api.url}/api/v1/notifications/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

describe('campaigns over GraphQL', () => {
  it('are sent, found by batch id, global id and `node`, listed, paused and cancelled', async () => {
    const { filter } = await aCohort(world, 2);
    const batchId = unique('batch');
    const templateId = await aPush(world);
    const input = {
      batchId,
      templateId,
      priority: 'MEDIUM',
      segment: { filter, estimatedCount: 2 },
      throttle: null,
    };
    const { data } = await asProducer(SEND, { input });
    expect(data.sendBatch).toMatchObject({
      userErrors: [],
      campaign: {
        ...{ batchId, templateId, filter, producer: 'shop', priority: 'MEDIUM', status: 'PENDING' },
        ...{ matched: 0, queued: 0, suppressed: 0, ratePerSecond: 500, estimatedCount: 2 },
        ...{ maxPerSecond: null, windowHours: null, rateRaised: false, startedAt: null, completedAt: null },
      },
    });
    const campaign = data.sendBatch!.campaign as { id: string };
    expect((await asProducer(SEND, { input })).data.sendBatch!.campaign).toEqual(campaign);
    for (const name of [batchId, campaign.id])
      expect((await asProducer(FIND, { batchId: name })).data.campaign).toEqual(campaign);
    const node = `query ($id: ID!) { node(id: $id) { id ... on Campaign { batchId } } }`;
    expect((await asProducer(node, { id: campaign.id })).data.node).toEqual({ id: campaign.id, batchId });
    const { data: listed } = await asProducer(
      '{ campaigns(first: 1) { nodes { batchId } pageInfo { hasNextPage } } }',
    );
    expect(listed.campaigns).toEqual({ nodes: [{ batchId }], pageInfo: { hasNextPage: false } });

    for (const [action, status] of [
      ['PAUSE', 'PAUSED'],
      ['RESUME', 'PENDING'],
      ['CANCEL', 'CANCELLED'],
    ]) {
      const changed = await asProducer(CONTROL, { input: { batchId: campaign.id, action } });
      expect(changed.data.controlCampaign).toEqual({ campaign: { status }, userErrors: [] });
    }
    const over = await asProducer(CONTROL, { input: { batchId, action: 'RESUME' } });
    expect(over.data.controlCampaign).toEqual({
      campaign: null,
      userErrors: [{ code: 'CAMPAIGN_OVER', path: ['input', 'action'] }],
    });
  });

  it('are hidden from other producers, and from everybody who is none', async () => {
    const { filter } = await aCohort(world, 1);
    const batchId = unique('batch');
    const { data } = await asProducer(SEND, {
      input: { batchId, templateId: await aPush(world), segment: { filter } },
    });
    const { id } = data.sendBatch!.campaign as { id: string };
    const node = 'query ($id: ID!) { node(id: $id) { id } }';
    for (const name of [batchId, id]) {
      expect((await asProducer(FIND, { batchId: name }, 'bakery')).data.campaign).toBeNull();
      const cancel = await asProducer(CONTROL, { input: { batchId: name, action: 'CANCEL' } }, 'bakery');
      expect(cancel.data.controlCampaign!.userErrors).toEqual([
        { code: 'NOT_FOUND', path: ['input', 'batchId'] },
      ]);
    }
    expect((await asProducer(node, { id }, 'bakery')).data.node).toBeNull();
    expect((await asProducer('{ campaigns { nodes { batchId } } }', {}, 'bakery')).data.campaigns).toEqual({
      nodes: [],
    });
    const ofAdmin = await api.graphql('root', FIND, { batchId }, 'user', 'admin');
    expect(ofAdmin.data.campaign).toMatchObject({ id, producer: 'shop' });
    for (const field of [FIND, '{ campaigns { nodes { batchId } } }']) {
      const { errors } = await api.graphql('alice', field, { batchId }, 'user');
      expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    }
  });

  it('are refused with what is wrong with their filter, with line and column', async () => {
    await aCohort(world, 1);
    const { data } = await asProducer(SEND, {
      input: {
        batchId: unique('batch'),
        templateId: await aPush(world),
        segment: { filter: 'cohort = "a"\n  and cohrt = "b"' },
        throttle: { windowHours: 0 },
      },
    });
    expect(data.sendBatch).toMatchObject({
      campaign: null,
      userErrors: [
        {
          code: 'ATTRIBUTE_UNKNOWN',
          message: expect.stringMatching(/line 2.*column 7/i),
          path: ['input', 'segment', 'filter'],
        },
        { code: 'WINDOW_INVALID', path: ['input', 'throttle', 'windowHours'] },
      ],
    });
  });
});

describe('POST /api/v1/notifications/batch', () => {
  it('answers 202 and the same again, also where GraphQL came first, and 409 for another body', async () => {
    const { filter } = await aCohort(world, 1);
    const batch_id = unique('batch');
    const template_id = await aPush(world);
    const body = {
      batch_id,
      template_id,
      priority: 'high',
      segment: { filter, estimated_count: 7 },
      throttle: { max_per_second: 30, window_hours: 2 },
    };
    const first = await post(body);
    expect(first).toEqual({
      status: 202,
      body: {
        batch_id,
        status: 'accepted',
        rate_per_second: 30,
        rate_raised: false,
        created_at: expect.stringContaining('T'),
      },
    });
    expect(await post(body)).toEqual(first);
    const same = await asProducer(SEND, {
      input: {
        batchId: batch_id,
        templateId: template_id,
        priority: 'HIGH',
        segment: { filter, estimatedCount: 7 },
        throttle: { maxPerSecond: 30, windowHours: 2 },
      },
    });
    expect(same.data.sendBatch).toMatchObject({ campaign: { batchId: batch_id }, userErrors: [] });
    expect(await post({ ...body, priority: 'low' })).toMatchObject({
      status: 409,
      body: { error: { code: 'BATCH_ID_REUSED', path: ['batch_id'] } },
    });
  });

  it('takes the same time to begin at as GraphQL does', async () => {
    const { filter } = await aCohort(world, 1);
    const [batch_id, template_id] = [unique('batch'), await aPush(world)];
    const at = new Date(Date.now() + 3_600_000).toISOString();
    expect(await post({ batch_id, template_id, segment: { filter }, schedule_at: at })).toMatchObject({
      status: 202,
    });
    const input = { batchId: batch_id, templateId: template_id, segment: { filter }, scheduleAt: at };
    const same = await asProducer(SEND, { input });
    expect(same.data.sendBatch).toMatchObject({ campaign: { status: 'SCHEDULED' }, userErrors: [] });
    const { data } = await asProducer(
      'query ($batchId: ID!) { campaign(batchId: $batchId) { scheduleAt } }',
      {
        batchId: batch_id,
      },
    );
    expect(data.campaign).toEqual({ scheduleAt: at });
    await asProducer(CONTROL, { input: { batchId: batch_id, action: 'CANCEL' } });
  });

  it.each([
    [{ schedule_at: 'tomorrow' }, 400, 'BAD_USER_INPUT', ['schedule_at']],
    [{ schedule_at: '2020-01-01T00:00:00Z' }, 400, 'SCHEDULE_IN_PAST', ['schedule_at']],
    [{ throttle: { max_per_second: 0 } }, 400, 'RATE_INVALID', ['throttle', 'max_per_second']],
    [{ segment: { filter: 'cohort =' } }, 400, 'FILTER_INVALID', ['segment', 'filter']],
    [{ template_id: 'none' }, 422, 'TEMPLATE_NOT_FOUND', ['template_id']],
    [{ segment: {} }, 400, 'BAD_USER_INPUT', ['segment', 'filter']],
    [{ more: 1 }, 400, 'BAD_USER_INPUT', ['more']],
  ])('refuses %j with %i %s', async (own, status, code, path) => {
    const { filter } = await aCohort(world, 1);
    const body = { batch_id: unique('batch'), template_id: await aPush(world), segment: { filter }, ...own };
    expect(await post(body)).toMatchObject({ status, body: { error: { code, path } } });
  });

  it('counts in the limit of `sendBatch`', async () => {
    left = 1;
    const refused = { status: 400, body: { error: { code: 'BAD_USER_INPUT' } } };
    expect(await post({})).toMatchObject(refused);
    expect(await post({})).toMatchObject({
      status: 429,
      body: { error: { code: 'RATE_LIMIT_EXCEEDED', retry_after: 1, limit: 120, window: '1m' } },
    });
    const { errors } = await asProducer(SEND, {
      input: { batchId: 'b', templateId: 't', segment: { filter: 'cohort exists' } },
    });
    expect(errors?.[0]?.extensions.code).toBe('RATE_LIMIT_EXCEEDED');
    left = Number.POSITIVE_INFINITY;
  });

  it('is for producers', async () => {
    expect(await post({}, ['user'])).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  });
});
