import { type GraphQLSchema, graphql } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../src/platform/auth/caller.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import {
  admin,
  caller,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
} from './notification-world.js';

let world: NotificationWorld;
let schema: GraphQLSchema;

beforeAll(async () => {
  [world, schema] = await Promise.all([openNotificationWorld(), buildApiSchema()]);
});
afterAll(() => world.close());

async function ask(by: Caller | null, source: string, variableValues: Record<string, unknown> = {}) {
  const app = {
    notifications: world.notifications,
    postgres: world.postgres,
    get feed(): never {
      throw new Error('notifications ask nothing of the feed');
    },
  };
  const viewer = by?.viewer ?? null;
  const contextValue = {
    app,
    viewer,
    loaders: createLoaders(app, viewer),
    correlationId: 'test',
  };
  const result = await graphql({ schema, source, variableValues, contextValue });
  return JSON.parse(JSON.stringify(result)) as {
    data: Record<string, Record<string, unknown>>;
    errors?: { message: string }[];
  };
}
const send = (by: Caller | null, input: object) =>
  ask(
    by,
    `mutation ($input: SendNotificationInput!) { sendNotification(input: $input) {
       requestId status notificationsQueued estimatedDelivery suppressed { userId channel reason detail }
       request { requestId notificationId } userErrors { code path } } }`,
    { input },
  );
const saveTemplate = (by: Caller, input: object) =>
  ask(
    by,
    `mutation ($input: SaveTemplateInput!) { saveTemplate(input: $input) {
       template { id templateId version isActive language variables } userErrors { code path } } }`,
    { input },
  );

describe('the API', () => {
  it('takes a template, a device, preferences and settings, sends, and shows what became of it', async () => {
    const ann = caller(unique('ann'));
    const templateId = unique('template');
    const template = {
      templateId,
      notificationType: 'NEW_MESSAGE',
      channel: 'PUSH',
      title: 'Hi',
      body: 'Hi {{who}}',
    };
    expect(await saveTemplate(admin, template)).toMatchObject({
      data: {
        saveTemplate: {
          template: { templateId, version: 1, isActive: true, language: 'en', variables: {} },
          userErrors: [],
        },
      },
    });
    const set = await ask(
      ann,
      `mutation { registerDevice(input: { deviceId: "phone", platform: IOS, deviceToken: "abc" }) {
           device { deviceId platform isActive } userErrors { code } }
         setNotificationPreferences(input: { preferences: [
             { notificationType: "NEW_MESSAGE", channel: EMAIL, enabled: false }] }) {
           preferences { preferences { notificationType channel enabled } effectiveChannels(notificationType: "NEW_MESSAGE") } }
         updateNotificationSettings(input: { phone: "+15551234567", timezone: "Asia/Tokyo", quietHoursStart: null }) {
           preferences { settings { phone timezone quietHoursStart marketingOptIn email } } userErrors { code } } }`,
    );
    expect(set.data).toEqual({
      registerDevice: { device: { deviceId: 'phone', platform: 'IOS', isActive: true }, userErrors: [] },
      setNotificationPreferences: {
        preferences: {
          preferences: [{ notificationType: 'NEW_MESSAGE', channel: 'EMAIL', enabled: false }],
          effectiveChannels: ['PUSH', 'SMS'],
        },
      },
      updateNotificationSettings: {
        preferences: {
          settings: {
            phone: '+15551234567',
            timezone: 'Asia/Tokyo',
            quietHoursStart: null,
            marketingOptIn: true,
            email: null,
          },
        },
        userErrors: [],
      },
    });
    const notificationId = unique('n');
    const { userId } = ann.viewer;
    const sent = await send(shop, {
      notificationId,
      type: 'NEW_MESSAGE',
      templateId,
      recipients: [{ userId, variables: { who: 'Ann' } }],
    });
    expect(sent.data.sendNotification).toMatchObject({
      request: { requestId: sent.data.sendNotification?.requestId, notificationId },
      status: 'accepted',
      notificationsQueued: 1,
      suppressed: [
        { userId, channel: 'EMAIL', reason: 'CHANNEL_DISABLED', detail: null },
        { userId, channel: 'SMS', reason: 'TEMPLATE_NOT_FOUND' },
      ],
      userErrors: [],
    });
    const shown = await ask(
      shop,
      `query ($id: ID!) { notificationRequest(notificationId: $id) { id status priority producer
           deliveries(first: 1) { pageInfo { hasNextPage } edges { node {
             id deliveryId channel status maxRetries renderedContent { title body } timeline { event detail } } } } } }`,
      { id: notificationId },
    );
    expect(shown.data.notificationRequest).toMatchObject({
      status: 'ACCEPTED',
      priority: 'MEDIUM',
      producer: 'shop',
      deliveries: {
        pageInfo: { hasNextPage: true },
        edges: [
          {
            node: {
              channel: 'PUSH',
              status: 'QUEUED',
              maxRetries: 5,
              renderedContent: { title: 'Hi', body: 'Hi Ann' },
              timeline: [
                { event: 'CREATED', detail: null },
                { event: 'VALIDATED' },
                { event: 'PREFERENCE_CHECKED' },
                { event: 'RENDERED', detail: { templateId, language: 'en', version: 1 } },
                { event: 'QUEUED' },
              ],
            },
          },
        ],
      },
    });
    const own = await ask(
      ann,
      '{ deliveries(first: 2) { edges { cursor node { channel } } pageInfo { endCursor hasNextPage } } }',
    );
    expect(own.errors).toBeUndefined();
    const { endCursor } = own.data.deliveries!.pageInfo as { endCursor: string };
    const rest = await ask(
      ann,
      `{ deliveries(after: "${endCursor}") { edges { node { channel } } pageInfo { hasNextPage } } }`,
    );
    expect(rest.data.deliveries).toMatchObject({ edges: [{}], pageInfo: { hasNextPage: false } });
  });

  it('loads all deliveries that `nodes` names, with their timelines, in two queries', async () => {
    const [ann, bob] = [caller(unique('ann')), caller(unique('bob'))];
    const templateId = unique('template');
    await saveTemplate(admin, { templateId, notificationType: 'MANY', channel: 'PUSH', body: 'x' });
    for (const { viewer } of [ann, bob]) {
      const device = { deviceId: 'phone', platform: 'ios' as const, deviceToken: unique('t') };
      await world.notifications.registerDevice(viewer.userId, device);
    }
    const recipients = [ann, bob].map(({ viewer }) => ({ userId: viewer.userId, channels: ['PUSH'] }));
    for (let sent = 0; sent < 5; sent++) {
      await send(shop, { notificationId: unique('n'), type: 'MANY', templateId, recipients });
    }
    const idsOf = async (by: Caller): Promise<string[]> => {
      const page = await ask(by, '{ deliveries { edges { node { id } } } }');
      return (page.data.deliveries as { edges: { node: { id: string } }[] }).edges.map(({ node }) => node.id);
    };
    const [hers, his] = [await idsOf(ann), await idsOf(bob)];
    expect([hers.length, his.length]).toEqual([5, 5]);

    const query = vi.spyOn(world.postgres, 'query');
    const found = await ask(
      ann,
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Delivery { timeline { event } } } }',
      { ids: [...hers, ...his] },
    );
    expect(query).toHaveBeenCalledTimes(2);
    query.mockRestore();
    expect(found.data.nodes).toEqual([
      ...hers.map((id) => ({ id, timeline: expect.arrayContaining([{ event: 'QUEUED' }]) })),
      ...his.map(() => null),
    ]);
  });

  it('shows nothing that is not the caller’s own', async () => {
    const [ann, mallory] = [caller(unique('ann')), caller(unique('mallory'), 'producer')];
    await world.notifications.registerDevice(ann.viewer.userId, {
      deviceId: 'phone',
      platform: 'ios',
      deviceToken: unique('t'),
    });
    const templateId = unique('template');
    await saveTemplate(admin, { templateId, notificationType: 'PRIVATE', channel: 'PUSH', body: 'x' });
    const notificationId = unique('n');
    const recipients = [{ userId: ann.viewer.userId, channels: ['PUSH'] }];
    await send(shop, { notificationId, type: 'PRIVATE', templateId, recipients });
    const mine = await ask(ann, '{ deliveries { edges { node { id deliveryId } } } }');
    const [edge] = (mine.data.deliveries as { edges: { node: { id: string; deliveryId: string } }[] }).edges;
    const { id, deliveryId } = edge!.node;

    const refused = async (by: Caller | null, source: string): Promise<string | undefined> => {
      const { data, errors } = await ask(by, source);
      expect(Object.values(data ?? {}).every((value) => value === null)).toBe(true);
      return errors?.[0]?.message;
    };
    const userId = ann.viewer.userId;
    expect(await refused(mallory, `{ delivery(deliveryId: "${deliveryId}") { userId } }`)).toBeUndefined();
    expect(await refused(mallory, `{ node(id: "${id}") { id } }`)).toBeUndefined();
    expect(await refused(mallory, `{ deliveries(userId: "${userId}") { edges { cursor } } }`)).toMatch(
      /another/,
    );
    expect(await refused(mallory, `{ devices(userId: "${userId}") { deviceId } }`)).toMatch(/another/);
    expect(
      await refused(mallory, `{ notificationRequest(notificationId: "${notificationId}") { id } }`),
    ).toBeUndefined();
    expect(
      await refused(
        mallory,
        `{ notificationRequest(notificationId: "${notificationId}", producer: "shop") { id } }`,
      ),
    ).toMatch(/not yours/);
    expect(await refused(ann, `{ notificationRequest(notificationId: "${notificationId}") { id } }`)).toMatch(
      /role/,
    );
    expect(await refused(ann, `{ template(templateId: "${templateId}") { body } }`)).toMatch(/role/);
    expect(await refused(null, '{ deliveries { edges { cursor } } }')).toMatch(/token/);
    const seen = await ask(admin, `{ node(id: "${id}") { id ... on Delivery { userId channel } } }`);
    expect(seen.data.node).toEqual({ id, userId, channel: 'PUSH' });
    expect(
      (await send(ann, { notificationId, type: 'X', templateId, recipients })).errors?.[0]?.message,
    ).toMatch(/role/);
  });
});
