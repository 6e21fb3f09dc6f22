import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { type DeliveryTrial, openDeliveryTrial } from './delivery-trial.js';
import {
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
  shop,
  timelineOf,
  unique,
  until,
} from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';

let pushes: DeliveryTrial;
let api: ApiOnTest;

beforeAll(async () => {
  pushes = await openDeliveryTrial();
  api = await openApi(pushes.world.notifications, systemClock, pushes.trial.sandbox.environment);
  pushes.trial.sandbox.setApiUrl(api.url);
  pushes.world.runSchedules();
});
beforeEach(async () => {
  await pushes.trial.reset();
  pushes.startWorker({ providers: pushes.trial.providers(undefined, api.url, systemClock) });
});
afterEach(() => pushes.stopWorker());
afterAll(async () => {
  await api.close();
  await pushes.close();
});

/** Sends one message on a channel, which falls back to push, and answers its notification id. */
async function send(channel: 'email' | 'sms') {
  const { world } = pushes;
  const type = unique('TYPE');
  const templateId = await aTemplate(world, channel, type, channel === 'email' ? { subject: 'Hi' } : {});
  await aTemplate(world, 'push', type, { title: 'Hi' });
  const { userId } = await aUser(world);
  const request = aRequest({
    type,
    templateId,
    recipients: [{ userId, channels: [channel] }],
    fallbackChannels: ['push'],
  });
  expect(await world.notifications.send(shop, request)).toMatchObject({ ok: true });
  return request.notificationId;
}

const settled = (notificationId: string, channel: string, ...statuses: string[]) =>
  until(async () => {
    const all = await deliveriesOf(pushes.world, notificationId);
    const delivery = all.find((one) => one.channel === channel);
    return delivery && statuses.includes(delivery.status) && delivery;
  });

describe('what a provider calls back, under ids in its own form', () => {
  it.each([
    ['email', 'bounce', /^bounce: 550 5\.1\.1/],
    ['email', 'blocked', /^bounce: blocked: 550 5\.7\.1/],
    ['email', 'dropped', /^dropped/],
    ['sms', 'undelivered', /^undelivered: 30003/],
    ['sms', 'failed', /^failed: 30003/],
  ] as const)('ends an %s that ended as %s, and its fallback is sent', async (channel, outcome, error) => {
    await pushes.trial.misbehave({ channel, outcome });
    const notificationId = await send(channel);
    const dead = await settled(notificationId, channel, 'DEAD');
    expect(dead.lastError).toMatch(error);
    expect((await timelineOf(pushes.world, dead.deliveryId)).slice(-2)).toEqual(['FAILED', 'DLQ']);
    const letters = await pushes.world.postgres.query(
      'SELECT attempts FROM failed_notifications WHERE delivery_id = $1',
      [dead.deliveryId],
    );
    expect(letters.rows).toEqual([{ attempts: 1 }]);
    const fallback = await settled(notificationId, 'push', 'DELIVERED', 'DEAD', 'SUPPRESSED');
    expect(fallback.fallbackForId).toBe(dead.deliveryId);
  });

  it.each(['email', 'sms'] as const)('confirms an %s that arrived', async (channel) => {
    const notificationId = await send(channel);
    const { deliveryId } = await settled(notificationId, channel, 'DELIVERED');
    expect((await timelineOf(pushes.world, deliveryId)).slice(-2)).toEqual(['SENT', 'DELIVERED']);
  });

  it('keeps the id that the provider answered, whatever its callbacks add to it', async () => {
    const notificationId = await send('email');
    const { deliveryId } = await settled(notificationId, 'email', 'DELIVERED');
    // The callback may come before the answer, with its own form of the id; two messages, if the first answer came too late.
    await until(async () => {
      const received = await pushes.trial.received('?channel=email');
      const { rows } = await pushes.world.postgres.query(
        'SELECT provider_id AS "providerId" FROM delivery_targets WHERE delivery_id = $1',
        [deliveryId],
      );
      return rows.length === 1 && received.some(({ providerId }) => providerId === rows[0]?.providerId);
    });
  });
});
