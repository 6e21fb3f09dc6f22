import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { giveUp, sendPushes } from './dead-letter-world.js';
import { aTemplate, type NotificationWorld, openNotificationWorld } from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';

let world: NotificationWorld;
let api: ApiOnTest;
let dead: string;
beforeAll(async () => {
  world = await openNotificationWorld();
  api = await openApi(world.notifications, systemClock);
  const templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED', { body: 'Your parcel is here' });
  const ids = await sendPushes(world, templateId, 3);
  dead = ids[0]!;
  await giveUp(world, [dead], { error: 'TOKEN_GONE: the device has no such app' });
  const worker = world.notifications.openDelivery({ providers: { close: async () => undefined } });
  await worker.indexDeliveries(new AbortController().signal);
});
afterAll(async () => {
  await api?.close();
  await world?.close();
});

const asAdmin = (query: string) => api.graphql('root', query, {}, 'user', 'admin');

describe('searchDeliveries', () => {
  it('shows admins one delivery with all that a console needs', async () => {
    const { data, errors } = await asAdmin(
      `{ searchDeliveries(first: 2, query: "parc", filter: { status: DEAD, channel: PUSH }) {
           nodes { deliveryId notificationType status dueAt recipientAddress renderedContent { body } timeline { event }
             targets { target error providerId } deadLetter { error } request { notificationId producer } }
           pageInfo { hasNextPage endCursor } } }`,
    );
    expect(errors).toBeUndefined();
    expect(data.searchDeliveries).toEqual({
      nodes: [
        {
          ...{ deliveryId: dead, notificationType: 'ORDER_SHIPPED', status: 'DEAD' },
          ...{ dueAt: null, recipientAddress: null, renderedContent: { body: 'Your parcel is here' } },
          timeline: expect.arrayContaining([{ event: 'DLQ' }]),
          targets: [
            {
              target: expect.stringContaining('phone'),
              error: 'TOKEN_GONE: the device has no such app',
              providerId: null,
            },
          ],
          deadLetter: { error: 'TOKEN_GONE: the device has no such app' },
          request: { notificationId: expect.any(String), producer: 'shop' },
        },
      ],
      pageInfo: { hasNextPage: false, endCursor: expect.any(String) },
    });
  });

  it('is refused where the query cannot be searched for', async () => {
    const { errors } = await asAdmin('{ searchDeliveries(query: "?") { nodes { deliveryId } } }');
    expect(errors).toMatchObject([
      { message: 'query needs a letter or a digit', extensions: { code: 'BAD_USER_INPUT' } },
    ]);
  });
});

describe('notificationBacklog', () => {
  it('shows admins what waits and what was given up, with the oldest of each', async () => {
    const { data, errors } = await asAdmin(
      '{ notificationBacklog { channel state cause count countIsEstimate since oldest { deliveryId status } } }',
    );
    expect(errors).toBeUndefined();
    const exactly = (count: number) => ({ count, countIsEstimate: false, since: expect.any(String) });
    expect(data.notificationBacklog).toEqual([
      {
        ...{ channel: 'PUSH', state: 'WAITING', cause: null, ...exactly(2) },
        oldest: { deliveryId: expect.any(String), status: 'QUEUED' },
      },
      {
        ...{ channel: 'PUSH', state: 'DEAD', cause: 'TOKEN_GONE', ...exactly(1) },
        oldest: { deliveryId: dead, status: 'DEAD' },
      },
    ]);
  });
});

describe('others', () => {
  it.each([
    ['searchDeliveries', '{ searchDeliveries { nodes { deliveryId } } }'],
    ['notificationBacklog', '{ notificationBacklog { count } }'],
  ])('may not ask for %s: neither producers nor users', async (_, query) => {
    for (const roles of [['user'], ['user', 'producer']] as const) {
      const { errors } = await api.graphql('shop', query, {}, ...roles);
      expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
    }
    const { errors } = await api.graphql(null, query);
    expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
  });

  it('see neither addresses, dead letters nor answers of a delivery, and recipients not its request', async () => {
    const [delivery] = await world.notifications.deliveriesById([dead]);
    const query = `{ delivery(deliveryId: "${dead}") { status recipientAddress targets { target } deadLetter { error } request { requestId } } }`;
    const asUser = await api.graphql(delivery!.userId, query, {}, 'user');
    expect(asUser.data.delivery).toEqual({
      ...{ status: 'DEAD', recipientAddress: null, targets: null, deadLetter: null, request: null },
    });
    const asProducer = await api.graphql('shop', query, {}, 'user', 'producer');
    expect(asProducer.data.delivery).toMatchObject({
      ...{ recipientAddress: null, targets: null, deadLetter: null },
      request: { requestId: delivery!.requestId },
    });
  });
});
