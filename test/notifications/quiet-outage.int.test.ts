import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type DeliveryTrial, openDeliveryTrial } from './delivery-trial.js';
import { aUser, timelineOf, until } from './notification-world.js';

let pushes: DeliveryTrial;
beforeAll(async () => {
  pushes = await openDeliveryTrial();
});
beforeEach(async () => {
  await pushes.trial.reset();
  // Retries come at once: all attempts but the last are used up in a moment.
  pushes.startWorker({ outageMs: 60_000 });
});
afterEach(() => pushes.stopWorker());
afterAll(() => pushes.close());

const calls = async (deliveryId: string) =>
  (await timelineOf(pushes.world, deliveryId)).filter((event) => event === 'FAILED').length;

describe('a high-priority push to a provider that is down', () => {
  it.each([
    ['answers 503', { status: 503, reason: 'ServiceUnavailable' }],
    ['cuts connections', { drop: true }],
  ])(
    'keeps its last attempt until the provider that %s is back',
    async (_name, fault) => {
      const { userId } = await aUser(pushes.world);
      await pushes.trial.misbehave({ channel: 'push', ...fault });
      const notificationId = await pushes.push(userId, { priority: 'high' });
      const { deliveryId } = await pushes.firstOf(notificationId);
      await until(async () => (await calls(deliveryId)) >= 5, 60_000);
      expect(await pushes.firstOf(notificationId)).toMatchObject({ attempt: 3, maxRetries: 3 });
      await pushes.trial.behave();
      const arrived = await pushes.inStatus(notificationId, 'DELIVERED', 60_000);
      expect(arrived.attempt).toBe(3);
    },
    150_000,
  );

  it('expires all the same', async () => {
    const { userId } = await aUser(pushes.world);
    await pushes.trial.misbehave({ channel: 'push', status: 503, reason: 'ServiceUnavailable' });
    const expiresAt = new Date(Date.now() + 4_000);
    const notificationId = await pushes.push(userId, { priority: 'high', expiresAt });
    const { deliveryId } = await pushes.inStatus(notificationId, 'EXPIRED', 60_000);
    expect((await timelineOf(pushes.world, deliveryId)).at(-1)).toBe('EXPIRED');
  }, 90_000);
});
