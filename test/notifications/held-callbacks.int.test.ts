import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Provider } from '../../src/domains/notifications/providers/provider.js';
import {
  accepted,
  callers,
  channels,
  type EarlyCallbackTrial,
  type Kind,
  openEarlyCallbackTrial,
} from './early-callback-trial.js';
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

let trial: EarlyCallbackTrial;

// Without schedules: what makes partitions would wait for the same locks.
beforeAll(async () => {
  trial = await openEarlyCallbackTrial();
});
beforeEach(() => trial.work());
afterEach(() => trial.rest());
afterAll(() => trial.close());

describe.each(channels)('a callback about an %s that comes before its provider has answered', (channel) => {
  const answered = callers[channel].answered;

  it.each<[Kind, string]>([
    ['delivered', 'DELIVERED'],
    ['failed', 'DEAD'],
  ])('is not lost where the database holds both up: %s', async (kind, status) => {
    const id = answered();
    let release = async () => {};
    let posted: Promise<void> | undefined;
    trial.calls = [
      async ({ deliveryId }) => {
        release = await trial.hold('SELECT FROM deliveries WHERE delivery_id = $1 FOR UPDATE', deliveryId);
        posted = trial.callBack(channel, deliveryId, kind, id);
        await until(async () => (await trial.waitingForLocks()) === 1);
        return accepted(id);
      },
    ];
    const sent = await trial.send(channel);
    await until(async () => (await trial.waitingForLocks()) === 2);
    await release();
    await posted;
    const { deliveryId } = await sent.recorded(status);
    expect(await trial.providerIdOf(deliveryId)).toBe(id);
  });
});

describe.each(channels)('a callback about an %s that comes while its answer is being recorded', (channel) => {
  it.each<[Kind, string]>([
    ['delivered', 'DELIVERED'],
    ['failed', 'DEAD'],
  ])('waits for the record, and leaves the answered id: %s', async (kind, status) => {
    const id = callers[channel].answered();
    let release = async () => {};
    let deliveryId = '';
    trial.calls = [
      async (message) => {
        deliveryId = message.deliveryId;
        // Recording an answer locks the delivery before the request.
        const request =
          'SELECT FROM notification_requests JOIN deliveries USING (request_id) WHERE delivery_id = $1';
        release = await trial.hold(`${request} FOR UPDATE OF notification_requests`, deliveryId);
        return accepted(id);
      },
    ];
    const sent = await trial.send(channel);
    await until(async () => (await trial.waitingForLocks()) === 1);
    const posted = trial.callBack(channel, deliveryId, kind, id);
    await until(async () => (await trial.waitingForLocks()) === 2);
    await release();
    await posted;
    await sent.recorded(status);
    expect(await trial.providerIdOf(deliveryId)).toBe(id);
  });
});

describe('an app that reports an open before its push has been recorded', () => {
  it('opens it, and what each device was answered is kept', async () => {
    const templateId = await aTemplate(trial.world, 'push', unique('TYPE'), { title: 'Hi' });
    const { userId } = await aUser(trial.world);
    const other = { deviceId: `${userId}-tablet`, platform: 'ios' as const, deviceToken: unique('token') };
    expect(await trial.world.notifications.registerDevice(userId, other)).toMatchObject({ ok: true });
    await trial.rest();
    const ios: Provider = {
      name: 'apns',
      send: async ({ deliveryId, address }) => {
        await trial.world.notifications.reportAll([{ deliveryId, kind: 'opened' }], 'test');
        return { kind: 'delivered', providerId: `apns-${address}` };
      },
      close: async () => undefined,
    };
    trial.work({ ios, close: async () => undefined });
    const request = aRequest({ templateId, recipients: [{ userId, channels: ['push'] }] });
    await trial.world.notifications.send(shop, request);
    const [delivery] = await deliveriesOf(trial.world, request.notificationId);
    const { deliveryId } = delivery!;
    await until(
      async () =>
        (await timelineOf(trial.world, deliveryId)).includes('OPENED') && trial.isRecorded(deliveryId),
    );
    const { rows } = await trial.world.postgres.query<{ id: string }>(
      'SELECT provider_id AS id FROM delivery_targets WHERE delivery_id = $1',
      [deliveryId],
    );
    expect(rows).toHaveLength(2);
    expect(rows.every(({ id }) => id.startsWith('apns-'))).toBe(true);
  });
});
