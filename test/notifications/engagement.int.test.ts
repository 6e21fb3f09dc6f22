import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Channel } from '../../src/domains/notifications/types.js';
import { systemClock } from '../../src/platform/clock.js';
import {
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
  until,
} from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';
import { type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

let world: NotificationWorld;
let trial: SandboxTrial;
let api: ApiOnTest;

beforeAll(async () => {
  [world, trial] = await Promise.all([openNotificationWorld(), tryWithSandbox()]);
  api = await openApi(world.notifications, systemClock);
});
afterAll(async () => {
  await api.close();
  await world.close();
  await trial.close();
});

async function queued(channel: Channel, own: object = {}) {
  const type = unique('TYPE');
  const templateId = await aTemplate(world, channel, type, channel === 'email' ? { subject: 'Hi' } : {});
  const { userId } = await aUser(world);
  const request = aRequest({ type, templateId, recipients: [{ userId, channels: [channel] }], ...own });
  const sent = await world.notifications.send(shop, request);
  if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
  const [delivery] = await deliveriesOf(world, request.notificationId);
  return { userId, deliveryId: delivery!.deliveryId };
}

/** A push on its user's phone. */
async function delivered() {
  const one = await queued('push');
  const worker = world.work({ providers: trial.providers(), random: () => 0 });
  await until(
    async () => (await world.notifications.deliveriesById([one.deliveryId]))[0]!.status === 'DELIVERED',
  );
  await worker.close();
  return one;
}

async function record(userId: string | null, input: object) {
  const answer = await api.graphql(
    userId,
    `mutation ($input: RecordEngagementInput!) { recordEngagement(input: $input) {
       delivery { deliveryId status timeline { event detail } } userErrors { code path } } }`,
    { input },
  );
  return (answer.errors?.[0]?.extensions ?? answer.data.recordEngagement) as {
    delivery: { status: string; timeline: { event: string; detail: object | null }[] } | null;
    userErrors: { code: string; path: string[] }[];
  };
}
const refusal = (code: string, field = 'deliveryId') => ({
  delivery: null,
  userErrors: [{ code, path: ['input', field] }],
});

describe('recordEngagement', () => {
  it('opens and clicks a push, with the action that was tapped', async () => {
    const { userId, deliveryId } = await delivered();
    expect(await record(userId, { deliveryId, kind: 'OPENED' })).toMatchObject({
      delivery: { deliveryId, status: 'OPENED' },
      userErrors: [],
    });
    const clicked = await record(userId, { deliveryId, kind: 'CLICKED', actionId: 'track' });
    expect(clicked.delivery?.status).toBe('CLICKED');
    expect(clicked.delivery?.timeline.slice(-3)).toMatchObject([
      { event: 'DELIVERED' },
      { event: 'OPENED' },
      { event: 'CLICKED', detail: { action_id: 'track' } },
    ]);
  });

  it('dismisses what was swiped away', async () => {
    const { userId, deliveryId } = await delivered();
    expect((await record(userId, { deliveryId, kind: 'DISMISSED' })).delivery?.status).toBe('DISMISSED');
  });

  it('changes nothing when it is repeated, or comes late', async () => {
    const { userId, deliveryId } = await delivered();
    const steps = ['OPENED', 'OPENED', 'CLICKED', 'DISMISSED', 'OPENED', 'CLICKED'];
    for (const kind of steps) expect((await record(userId, { deliveryId, kind })).userErrors).toEqual([]);
    const { delivery } = await record(userId, { deliveryId, kind: 'OPENED' });
    expect(delivery?.status).toBe('CLICKED');
    expect(delivery?.timeline.map(({ event }) => event).slice(-3)).toEqual([
      'DELIVERED',
      'OPENED',
      'CLICKED',
    ]);
  });

  it('records each of many at once, once', async () => {
    const { userId, deliveryId } = await delivered();
    const taps = Array.from({ length: 20 }, (_, i) =>
      record(userId, { deliveryId, kind: 'CLICKED', actionId: `action-${i % 4}` }),
    );
    for (const { userErrors } of await Promise.all(taps)) expect(userErrors).toEqual([]);
    const { delivery } = await record(userId, { deliveryId, kind: 'OPENED' });
    const actions = delivery?.timeline.flatMap(({ event, detail }) => (event === 'CLICKED' ? [detail] : []));
    expect(actions?.length).toBe(4);
  });

  it('takes what the app reports of an in-app message', async () => {
    const { userId, deliveryId } = await queued('in_app');
    await world.notifications.reportAll([{ deliveryId, kind: 'delivered' }], 'test');
    expect((await record(userId, { deliveryId, kind: 'OPENED' })).delivery?.status).toBe('OPENED');
  });

  it('is for the user alone: others learn nothing, not even that there is such a delivery', async () => {
    const { deliveryId } = await delivered();
    const stranger = unique('stranger');
    expect(await record(stranger, { deliveryId, kind: 'OPENED' })).toEqual(refusal('DELIVERY_NOT_FOUND'));
    expect(await record(stranger, { deliveryId: randomUUID(), kind: 'OPENED' })).toEqual(
      refusal('DELIVERY_NOT_FOUND'),
    );
    expect(await record(stranger, { deliveryId: 'x', kind: 'OPENED' })).toEqual(
      refusal('DELIVERY_NOT_FOUND'),
    );
    expect(await record(null, { deliveryId, kind: 'OPENED' })).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await world.notifications.deliveriesById([deliveryId]))[0]?.status).toBe('DELIVERED');
  });

  it('refuses what makes no sense', async () => {
    const mail = await queued('email');
    expect(await record(mail.userId, { deliveryId: mail.deliveryId, kind: 'DISMISSED' })).toEqual(
      refusal('ENGAGEMENT_NOT_FOR_CHANNEL'),
    );
    const waiting = await queued('push');
    expect(await record(waiting.userId, { deliveryId: waiting.deliveryId, kind: 'OPENED' })).toEqual(
      refusal('DELIVERY_NOT_SENT'),
    );
    expect((await world.notifications.deliveriesById([waiting.deliveryId]))[0]?.status).toBe('QUEUED');
    const { userId, deliveryId } = await delivered();
    for (const actionId of ['', 'x'.repeat(101), 'a\nb']) {
      expect(await record(userId, { deliveryId, kind: 'CLICKED', actionId })).toEqual(
        refusal('ACTION_ID_INVALID', 'actionId'),
      );
    }
    expect(await record(userId, { deliveryId, kind: 'OPENED', actionId: 'x' })).toEqual(
      refusal('ACTION_ID_INVALID', 'actionId'),
    );
    expect(await record(userId, { deliveryId, kind: 'SWIPED' })).toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});
