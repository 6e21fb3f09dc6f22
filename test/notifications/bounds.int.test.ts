import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type NotificationWorld, openNotificationWorld } from './notification-world.js';

let world: NotificationWorld;
beforeAll(async () => {
  world = await openNotificationWorld();
});
afterAll(() => world.close());

describe('what one user may store', () => {
  it('is 20 devices: the ones that were seen last', async () => {
    for (let i = 0; i < 25; i += 1) {
      const device = { deviceId: `phone-${i}`, platform: 'ios' as const, deviceToken: `token-${i}` };
      expect((await world.notifications.registerDevice('collector', device)).ok).toBe(true);
    }
    const kept = (await world.notifications.devices('collector')).map((device) => device.deviceId);
    expect(kept.toSorted()).toEqual(Array.from({ length: 20 }, (_, i) => `phone-${i + 5}`).toSorted());
  });

  it('is 1,000 preferences: more are refused, and none of them is written', async () => {
    const batch = (from: number, count: number) =>
      Array.from({ length: count }, (_, i) => ({
        notificationType: `TYPE_${from + i}`,
        channel: 'push' as const,
        enabled: false,
      }));
    for (let from = 0; from < 1_000; from += 200) {
      expect((await world.notifications.setPreferences('hoarder', batch(from, 200))).ok).toBe(true);
    }
    expect(await world.notifications.setPreferences('hoarder', batch(1_000, 1))).toMatchObject({
      ok: false,
      errors: [{ code: 'TOO_MANY_PREFERENCES' }],
    });
    expect(await world.notifications.preferences('hoarder')).toHaveLength(1_000);
    const change = [{ notificationType: 'TYPE_7', channel: 'push' as const, enabled: true }];
    expect((await world.notifications.setPreferences('hoarder', change)).ok).toBe(true);
  });
});
