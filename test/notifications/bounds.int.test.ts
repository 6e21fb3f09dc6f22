import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aRequest,
  aTemplate,
  type NotificationWorld,
  openNotificationWorld,
  shop,
} from './notification-world.js';

let world: NotificationWorld;
beforeAll(async () => {
  world = await openNotificationWorld();
});
afterAll(() => world.close());

describe('what one user may store', () => {
  it('is one preference at least, where preferences are set', async () => {
    expect(await world.notifications.setPreferences('nobody', [])).toMatchObject({
      errors: [{ code: 'NO_PREFERENCES' }],
    });
  });

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

  it('is 1,000 preferences and 20 devices also for those who ask all at once', async () => {
    const type = (call: number, i: number) => `TYPE_${call}_${i}`;
    const preferences = (call: number) =>
      Array.from({ length: 190 }, (_, i) => ({
        notificationType: type(call, i),
        channel: 'push' as const,
        enabled: false,
      }));
    const calls = Array.from({ length: 12 }, (_, call) => call);
    const answers = await Promise.all(
      calls.map((call) => world.notifications.setPreferences('rusher', preferences(call))),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(5);
    expect(await world.notifications.preferences('rusher')).toHaveLength(950);
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        world.notifications.registerDevice('rusher', {
          deviceId: `phone-${i}`,
          platform: 'ios',
          deviceToken: `rushing-${i}`,
        }),
      ),
    );
    expect(await world.notifications.devices('rusher')).toHaveLength(20);
  });

  it('lets who has more than 1,000 preferences, by links to unsubscribe, change those that are there', async () => {
    await world.postgres.query(
      `INSERT INTO user_notification_prefs (user_id, notification_type, channel)
       SELECT 'weary', 'TYPE_' || n, 'email' FROM generate_series(1, 1001) AS n`,
    );
    const of = (notificationType: string) => [
      { notificationType, channel: 'email' as const, enabled: false },
    ];
    expect((await world.notifications.setPreferences('weary', of('TYPE_1001'))).ok).toBe(true);
    expect((await world.notifications.setPreferences('weary', of('TYPE_1002'))).ok).toBe(false);
  });
});

describe('a request', () => {
  const refusalOf = async (sent: ReturnType<NotificationWorld['notifications']['send']>) => {
    const result = await sent;
    return result.ok ? [] : result.errors.map(({ code }) => code);
  };

  it('names each fallback channel once', async () => {
    const templateId = await aTemplate(world, 'push', 'FALLING_BACK', { body: 'Hello' });
    const recipients = [{ userId: 'reader' }];
    const request = aRequest({ templateId, recipients, fallbackChannels: ['sms', 'sms'] });
    expect(await refusalOf(world.notifications.send(shop, request))).toEqual(['FALLBACK_REPEATED']);
  });

  it('has texts of ten million characters at most, all recipients together', async () => {
    const templateId = await aTemplate(world, 'in_app', 'LONG_TEXT', { body: '{{text}}' });
    const recipients = Array.from({ length: 200 }, (_, i) => ({
      userId: `reader-${i}`,
      channels: ['in_app' as const],
      variables: { text: 'x'.repeat(60_000) },
    }));
    const request = aRequest({ templateId, recipients });
    expect(await refusalOf(world.notifications.send(shop, request))).toEqual(['RENDERED_TOO_LARGE']);
  });
});
