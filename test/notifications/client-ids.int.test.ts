import { type ExecutionResult, type GraphQLSchema, graphql, parse, subscribe } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/platform/auth/caller.js';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import { createWakeUpHub, openSubscriptions, type WakeUpHub } from '../../src/platform/wake-ups/wake-ups.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { toGlobalId } from '../../src/schema/relay.js';
import {
  admin,
  aRequest,
  aTemplate,
  aUser,
  caller,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
} from './notification-world.js';
import { silent } from './with-sandbox.js';

let world: NotificationWorld;
let schema: GraphQLSchema;
let hub: WakeUpHub;

beforeAll(async () => {
  [world, schema] = await Promise.all([openNotificationWorld(), buildApiSchema()]);
  hub = createWakeUpHub(
    openBlockingRedis(world.redisUrl.split(','), () => undefined),
    openSubscriptions(world.redis),
    silent,
  );
  await hub.ready;
});
afterAll(async () => {
  hub.close();
  await world.close();
});

function contextOf(by: Caller, signal?: AbortSignal) {
  const app = { notifications: world.notifications, postgres: world.postgres } as unknown as Parameters<
    typeof createLoaders
  >[0];
  const { viewer } = by;
  return { app, viewer, hub, signal, loaders: createLoaders(app, viewer), correlationId: 'test' };
}

async function ask(by: Caller, source: string, variableValues: Record<string, unknown> = {}) {
  const result = await graphql({ schema, source, variableValues, contextValue: contextOf(by) });
  return JSON.parse(JSON.stringify(result)) as {
    // biome-ignore lint/suspicious/noExplicitAny: what is answered depends on the query
    data: any;
    errors?: { message: string }[];
  };
}

const REGISTER = `mutation ($input: RegisterDeviceInput!) {
  registerDevice(input: $input) { device { id deviceId } userErrors { code } } }`;
const UNREGISTER = `mutation ($deviceId: ID!) {
  unregisterDevice(input: { deviceId: $deviceId }) { device { id deviceId } deletedId userErrors { code } } }`;
const NODE = 'query ($id: ID!) { node(id: $id) { __typename id ... on Device { deviceId } } }';

describe('what clients keep by id', () => {
  it('has devices, each known by its user: two users may have the same device id', async () => {
    const [ann, bob] = [caller(unique('ann')), caller(unique('bob'))];
    const register = async (by: Caller): Promise<string> => {
      const input = { deviceId: 'phone', platform: 'IOS', deviceToken: unique('token') };
      return (await ask(by, REGISTER, { input })).data.registerDevice.device.id;
    };
    const [hers, his] = [await register(ann), await register(bob)];
    expect(hers).not.toBe(his);
    const device = { __typename: 'Device', id: hers, deviceId: 'phone' };
    expect((await ask(ann, NODE, { id: hers })).data.node).toEqual(device);
    expect((await ask(admin, NODE, { id: hers })).data.node).toEqual(device);
    expect((await ask(bob, NODE, { id: hers })).data.node).toBeNull();
    expect((await ask(ann, '{ devices { id } }')).data.devices).toEqual([{ id: hers }]);
    const listed = await ask(admin, `{ devices(userId: "${bob.viewer.userId}") { id } }`);
    expect(listed.data.devices).toEqual([{ id: his }]);

    expect((await ask(ann, UNREGISTER, { deviceId: his })).errors?.[0]?.message).toMatch(/another user/);
    expect((await ask(ann, UNREGISTER, { deviceId: hers })).data.unregisterDevice).toEqual({
      device: { id: hers, deviceId: 'phone' },
      deletedId: hers,
      userErrors: [],
    });
    expect((await ask(ann, NODE, { id: hers })).data.node).toBeNull();
    expect((await ask(bob, NODE, { id: his })).data.node).not.toBeNull();
  });

  it("has a user's preferences, for the user and admins", async () => {
    const [ann, bob] = [caller(unique('ann')), caller(unique('bob'))];
    const { id } = (await ask(ann, '{ notificationPreferences { id } }')).data.notificationPreferences;
    const shown = `query ($id: ID!) { node(id: $id) { id ... on NotificationPreferences { userId settings { timezone } } } }`;
    const expected = { id, userId: ann.viewer.userId, settings: { timezone: 'UTC' } };
    expect((await ask(ann, shown, { id })).data.node).toEqual(expected);
    expect((await ask(admin, shown, { id })).data.node).toEqual(expected);
    expect((await ask(bob, shown, { id })).data.node).toBeNull();
  });

  it('has projectors, for admins', async () => {
    await world.postgres.query(
      `WITH known AS (INSERT INTO projectors (projector_name) VALUES ('of-a-test') ON CONFLICT DO NOTHING)
       INSERT INTO projector_positions (projector_name, position) VALUES ('of-a-test', 0) ON CONFLICT DO NOTHING`,
    );
    const { data } = await ask(admin, '{ projectors { id name } queues { id name } }');
    const { id, name } = data.projectors[0];
    const shown = 'query ($id: ID!) { node(id: $id) { id ... on Projector { name } } }';
    expect((await ask(admin, shown, { id })).data.node).toEqual({ id, name });
    expect((await ask(caller('somebody'), shown, { id })).data.node).toBeNull();
    expect(new Set(data.queues.map((queue: { id: string }) => queue.id)).size).toBe(data.queues.length);
  });

  it('has requests, by whose global id they are read, followed with their deliveries, and cancelled', async () => {
    const ann = caller(unique('ann'));
    const templateId = await aTemplate(world, 'push', 'NEWS');
    await ask(ann, REGISTER, { input: { deviceId: 'phone', platform: 'IOS', deviceToken: unique('token') } });
    const recipients = [
      { userId: ann.viewer.userId, channels: ['push' as const], variables: { name: 'Ann' } },
    ];
    const request = aRequest({ type: 'NEWS', templateId, recipients });
    await world.notifications.send(shop, request);
    const read = 'query ($id: ID!) { notificationRequest(notificationId: $id) { id notificationId } }';
    const { id } = (await ask(shop, read, { id: request.notificationId })).data.notificationRequest;
    const shown = { id, notificationId: request.notificationId };
    expect((await ask(shop, read, { id })).data.notificationRequest).toEqual(shown);
    expect((await ask(admin, read, { id })).data.notificationRequest).toEqual(shown);
    expect((await ask(caller('other', 'producer'), read, { id })).data.notificationRequest).toBeNull();

    const cancel =
      'mutation ($id: ID!) { cancelNotification(input: { notificationId: $id }) { cancelled request { id status } userErrors { code } } }';
    expect((await ask(shop, cancel, { id })).data.cancelNotification).toEqual({
      cancelled: 1,
      request: { id, status: 'CANCELLED' },
      userErrors: [],
    });

    const stop = new AbortController();
    const updates = (await subscribe({
      schema,
      document: parse(
        'subscription ($id: ID!) { notificationStatus(notificationId: $id) { event deliveryId delivery { deliveryId status } } }',
      ),
      variableValues: { id },
      contextValue: contextOf(shop, stop.signal),
    })) as AsyncGenerator<ExecutionResult>;
    const { value } = await updates.next();
    const update = value.data.notificationStatus;
    expect(update).toMatchObject({
      event: 'CREATED',
      delivery: { deliveryId: update.deliveryId, status: 'CANCELLED' },
    });
    stop.abort();
    await updates.return(undefined);
  });

  it('is the request of a global id alone that is followed and cancelled, though a newer one has the same own id', async () => {
    const type = unique('TYPE');
    const templateId = await aTemplate(world, 'push', type);
    const ann = await aUser(world);
    const request = aRequest({
      ...{ type, templateId, recipients: [{ userId: ann.userId, channels: ['push' as const] }] },
      scheduleAt: new Date(Date.now() + 3_600_000),
    });
    const send = async (by: Caller) => {
      const sent = await world.notifications.send(by, request);
      if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
      return sent.value.requestId;
    };
    const [theirs, own] = [await send(shop), await send(admin)];
    const id = toGlobalId('NotificationRequest', theirs);

    const stop = new AbortController();
    const updates = (await subscribe({
      schema,
      document: parse(
        'subscription ($id: ID!) { notificationStatus(notificationId: $id) { event deliveryId } }',
      ),
      variableValues: { id },
      contextValue: contextOf(admin, stop.signal),
    })) as AsyncGenerator<ExecutionResult>;
    const { value } = await updates.next();
    const [followed] = await world.notifications.deliveriesById([value.data.notificationStatus.deliveryId]);
    expect(followed?.requestId).toBe(theirs);
    stop.abort();
    await updates.return(undefined);

    const cancel =
      'mutation ($id: ID!) { cancelNotification(input: { notificationId: $id }) { cancelled request { id status } userErrors { code } } }';
    const nobodys = (await ask(caller('other', 'producer'), cancel, { id })).data.cancelNotification;
    expect(nobodys).toMatchObject({ cancelled: 0, userErrors: [{ code: 'NOT_FOUND' }] });
    expect((await ask(admin, cancel, { id })).data.cancelNotification).toEqual({
      cancelled: 1,
      request: { id, status: 'CANCELLED' },
      userErrors: [],
    });
    const [left] = await world.notifications.requestsById([own]);
    expect(left?.status).toBe('SCHEDULED');
  });
});
