import { createECDH, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unregisterDevice } from '../../src/domains/notifications/devices/devices.js';
import { DAY, type DevicesWorld, openDevicesWorld } from './devices-world.js';
import { unique } from './notification-world.js';

let world: DevicesWorld;
const register: DevicesWorld['register'] = (...registration) => world.register(...registration);
const devicesOf: DevicesWorld['devicesOf'] = (userId) => world.devicesOf(userId);

beforeAll(async () => {
  world = await openDevicesWorld();
});
afterAll(() => world.close());

const rowsWith = async (token: string) =>
  (
    await world.postgres.query<{ owner: string }>(
      'SELECT user_id AS owner FROM user_devices WHERE device_token = $1',
      [token],
    )
  ).rows.map(({ owner }) => owner);
const tokenOf = async (userId: string, deviceId = 'phone') =>
  (
    await world.postgres.query<{ token: string }>(
      'SELECT device_token AS token FROM user_devices WHERE user_id = $1 AND device_id = $2',
      [userId, deviceId],
    )
  ).rows[0]?.token;

const storedOf = async (userId: string) =>
  (
    await world.postgres.query<{ token: string; p256dh: string | null; auth: string | null }>(
      'SELECT device_token AS token, p256dh, auth FROM user_devices WHERE user_id = $1',
      [userId],
    )
  ).rows[0];

/** A browser's subscription as `JSON.stringify` gives it. */
function aSubscription() {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  return {
    endpoint: `https://fcm.googleapis.com/fcm/send/${randomBytes(12).toString('base64url')}`,
    expirationTime: null,
    keys: {
      p256dh: browser.getPublicKey().toString('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
  };
}

describe('a device', () => {
  it('is pushed to by its newest token, and was seen when it last registered', async () => {
    const [userId, first, second] = [unique('user'), unique('token'), unique('token')];
    const registered = await register(userId, first, { appVersion: '1.0' });
    expect(registered).toMatchObject({
      ok: true,
      value: { deviceId: 'phone', isActive: true, appVersion: '1.0' },
    });
    world.time.now += DAY;
    const again = await register(userId, second);
    if (!registered.ok || !again.ok) throw new Error('refused');
    expect(again.value.createdAt).toEqual(registered.value.createdAt);
    expect(again.value.lastSeenAt.getTime()).toBe(world.time.now);
    expect(again.value.appVersion).toBeNull();
    expect(await tokenOf(userId)).toBe(second);
  });

  it('moves with its token to another user, of whom the first keeps nothing', async () => {
    const [ann, bob, token] = [unique('ann'), unique('bob'), unique('token')];
    await register(ann, token);
    world.changed.length = 0;
    await register(bob, token, { deviceId: 'bobs' });
    expect(await devicesOf(ann)).toEqual([]);
    expect(await rowsWith(token)).toEqual([bob]);
    expect(world.changed.toSorted()).toEqual([ann, bob].toSorted());
  });

  it('moves with its token to another id of the same user', async () => {
    const [userId, token] = [unique('user'), unique('token')];
    await register(userId, token, { deviceId: 'before' });
    await register(userId, token, { deviceId: 'after' });
    expect(await devicesOf(userId)).toEqual(['after']);
  });

  it('may be a browser: its subscription is one token, however it is written', async () => {
    const [ann, bob, subscription] = [unique('ann'), unique('bob'), aSubscription()];
    const { endpoint, keys } = subscription;
    const web = { platform: 'web' as const };
    expect(await register(ann, JSON.stringify(subscription), web)).toMatchObject({ ok: true });
    const otherWords = JSON.stringify({ keys: { auth: keys.auth, p256dh: keys.p256dh }, endpoint }, null, 1);
    expect(await register(bob, otherWords, web)).toMatchObject({ ok: true });
    expect(await devicesOf(ann)).toEqual([]);
    expect(await storedOf(bob)).toEqual({ token: endpoint, ...keys });
  });

  it('may be a browser whose push service has long endpoints, as Edge on Windows has', async () => {
    const [ann, { keys }] = [unique('ann'), aSubscription()];
    const subscribed = (endpoint: string) =>
      register(ann, JSON.stringify({ endpoint, expirationTime: null, keys }), { platform: 'web' });
    const start = `https://wns2-par02p.notify.windows.com/w/?token=${unique('BQYAAAC')}`;
    for (const length of [513, 1_024, 2_800, 4_096]) {
      const endpoint = start.padEnd(length, 'x');
      expect(await subscribed(endpoint)).toMatchObject({ ok: true });
      expect(await storedOf(ann)).toEqual({ token: endpoint, ...keys });
    }
    expect(await subscribed(start.padEnd(4_097, 'x'))).toMatchObject({
      errors: [{ code: 'TOKEN_INVALID', path: ['input', 'deviceToken'] }],
    });
  });

  it('is the same browser as long as its endpoint is the same, with the keys that it said last', async () => {
    const [ann, bob, before, after] = [unique('ann'), unique('bob'), aSubscription(), aSubscription()];
    const web = { platform: 'web' as const };
    await register(ann, JSON.stringify(before), web);
    await register(bob, JSON.stringify({ ...before, keys: after.keys }), web);
    expect(await devicesOf(ann)).toEqual([]);
    expect(await storedOf(bob)).toEqual({ token: before.endpoint, ...after.keys });
    await register(bob, unique('token'));
    expect(await storedOf(bob)).toMatchObject({ p256dh: null, auth: null });
  });

  it('of Android may have a token of 4 KB', async () => {
    const [ann, android] = [unique('ann'), { platform: 'android' as const }];
    const token = unique('token').padEnd(4_096, 'x');
    expect(await register(ann, token, android)).toMatchObject({ ok: true });
    expect(await tokenOf(ann)).toBe(token);
    expect(await register(ann, `${token}x`, android)).toMatchObject({ errors: [{ code: 'TOKEN_INVALID' }] });
  });

  it('is refused with every fault at once, and nothing is written', async () => {
    const userId = unique('user');
    const refused = await register(userId, 'x'.repeat(513), { deviceId: '', appVersion: '1'.repeat(17) });
    expect(refused).toMatchObject({
      ok: false,
      errors: [
        { code: 'ID_INVALID', path: ['input', 'deviceId'] },
        { code: 'TOKEN_INVALID', path: ['input', 'deviceToken'] },
        { code: 'APP_VERSION_INVALID', path: ['input', 'appVersion'] },
      ],
    });
    expect(await register(userId, 'x'.repeat(512))).toMatchObject({ ok: true });
    for (const [own, code] of [
      [{ deviceId: 'd'.repeat(129) }, 'ID_INVALID'],
      [{ deviceId: ' phone' }, 'ID_INVALID'],
      [{ deviceId: 'a\0b' }, 'ID_INVALID'],
      [{ appVersion: '' }, 'APP_VERSION_INVALID'],
      [{ appVersion: '1\n' }, 'APP_VERSION_INVALID'],
    ] as const) {
      expect(await register(userId, unique('token'), own)).toMatchObject({ ok: false, errors: [{ code }] });
    }
    for (const token of ['', ' ', 'a\0b', 'a\nb']) {
      expect(await register(userId, token)).toMatchObject({ ok: false, errors: [{ code: 'TOKEN_INVALID' }] });
    }
    expect(await devicesOf(userId)).toEqual(['phone']);
  });

  it('that is a browser is refused without a subscription that can be pushed to', async () => {
    const good = aSubscription();
    const bad: [unknown, string][] = [
      ['', 'TOKEN_INVALID'],
      [' '.repeat(513), 'TOKEN_INVALID'],
      ['not json', 'SUBSCRIPTION_INVALID'],
      [null, 'SUBSCRIPTION_INVALID'],
      [{ ...good, endpoint: 'http://fcm.googleapis.com/fcm/send/x' }, 'SUBSCRIPTION_INVALID'],
      [
        { ...good, keys: { ...good.keys, auth: randomBytes(15).toString('base64url') } },
        'SUBSCRIPTION_INVALID',
      ],
      [{ ...good, keys: undefined }, 'SUBSCRIPTION_INVALID'],
      [{ ...good, endpoint: 'https://169.254.169.254/latest' }, 'PUSH_SERVICE_UNKNOWN'],
    ];
    for (const [one, code] of bad) {
      const text = typeof one === 'string' ? one : JSON.stringify(one);
      expect(await register(unique('user'), text, { platform: 'web' }), text).toMatchObject({
        ok: false,
        errors: [{ code, path: ['input', 'deviceToken'] }],
      });
    }
    const configured = JSON.stringify({ ...good, endpoint: 'https://localhost:4443/push/x' });
    expect(await register(unique('user'), configured, { platform: 'web' })).toMatchObject({ ok: true });
  });

  it('is unregistered once; an unknown one is refused', async () => {
    const [ann, bob] = [unique('ann'), unique('bob')];
    await register(ann, unique('token'));
    expect(await unregisterDevice(world.deps, bob, 'phone')).toMatchObject({
      ok: false,
      errors: [{ code: 'DEVICE_NOT_FOUND', path: ['input', 'deviceId'] }],
    });
    world.changed.length = 0;
    expect(await unregisterDevice(world.deps, ann, 'phone')).toMatchObject({
      ok: true,
      value: { deviceId: 'phone' },
    });
    expect(world.changed).toEqual([ann]);
    expect(await devicesOf(ann)).toEqual([]);
    expect(await unregisterDevice(world.deps, ann, 'phone')).toMatchObject({ ok: false });
    expect(await unregisterDevice(world.deps, ann, '')).toMatchObject({
      ok: false,
      errors: [{ code: 'ID_INVALID' }],
    });
  });
});

describe('at once', () => {
  it('one token registered by many users stays with one of them', async () => {
    for (let round = 0; round < 10; round++) {
      const token = unique('token');
      const users = Array.from({ length: 20 }, () => unique('user'));
      await Promise.all(users.map((userId) => register(userId, token)));
      expect(await rowsWith(token)).toHaveLength(1);
    }
  });

  it('users may take each other’s tokens, and none of them waits for ever', async () => {
    const pairs = Array.from({ length: 10 }, () => ({
      users: [unique('ann'), unique('bob')] as const,
      tokens: [unique('token'), unique('token')] as const,
    }));
    for (let round = 0; round < 40; round++) {
      await Promise.all(
        pairs.flatMap(({ users, tokens }) =>
          users.map((userId, i) => register(userId, tokens[(i + round) % 2]!)),
        ),
      );
    }
    for (const { tokens } of pairs) {
      for (const token of tokens) expect(await rowsWith(token)).toHaveLength(1);
    }
  });

  it('a user never has more than 20 devices', async () => {
    const userId = unique('user');
    const register40 = Array.from({ length: 40 }, (_, i) =>
      register(userId, unique('token'), { deviceId: `phone-${i}` }),
    );
    await Promise.all(register40);
    expect(await devicesOf(userId)).toHaveLength(20);
  });
});
