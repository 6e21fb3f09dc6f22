import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { registerDevice } from '../../src/domains/notifications/devices/register.js';
import { systemClock } from '../../src/platform/clock.js';
import { type DeliveryTrial, openDeliveryTrial } from './delivery-trial.js';
import { aUser } from './notification-world.js';

let pushes: DeliveryTrial;
beforeAll(async () => {
  pushes = await openDeliveryTrial();
  pushes.startWorker();
});
beforeEach(() => pushes.trial.reset());
afterAll(async () => {
  await pushes?.stopWorker();
  await pushes?.close();
});

/** The statement of processes that stored a subscription as one JSON text. */
const FORMER_REGISTER = `
  WITH moved AS (
    DELETE FROM user_devices WHERE device_token = $4 AND (user_id, device_id) <> ($1, $2)
    RETURNING user_id
  ), left_behind AS (
    DELETE FROM user_devices WHERE user_id = $1 AND device_id IN (
      SELECT device_id FROM user_devices WHERE user_id = $1 AND device_id <> $2 AND device_token <> $4
      ORDER BY last_seen_at DESC, device_id OFFSET $7)
  )
  INSERT INTO user_devices (user_id, device_id, platform, device_token, app_version, is_active, created_at, last_seen_at)
  VALUES ($1, $2, $3, $4, $5, true, $6, $6)
  ON CONFLICT (user_id, device_id) DO UPDATE
    SET platform = excluded.platform, device_token = excluded.device_token, app_version = excluded.app_version,
        is_active = true, last_seen_at = greatest(excluded.last_seen_at, user_devices.last_seen_at)
  RETURNING device_id AS "deviceId", platform, app_version AS "appVersion", is_active AS "isActive",
            created_at AS "createdAt", last_seen_at AS "lastSeenAt",
            ARRAY(SELECT DISTINCT user_id FROM moved WHERE user_id <> $1) AS "formerOwners"`;

const registerFormerly = (userId: string, token: string) =>
  pushes.world.postgres.query(FORMER_REGISTER, [userId, 'browser', 'web', token, null, new Date(), 19]);

async function register(userId: string, deviceToken: string): Promise<void> {
  const { world, trial } = pushes;
  const registered = await registerDevice(
    {
      postgres: world.postgres,
      clock: systemClock,
      freshness: { userChanged: async () => undefined },
      webPushHosts: trial.config.webPush?.hosts ?? [],
    },
    userId,
    { deviceId: 'browser', platform: 'web', deviceToken },
  );
  expect(registered.ok).toBe(true);
}

/** A user with no device yet. */
async function somebody(): Promise<string> {
  const { userId } = await aUser(pushes.world);
  await pushes.world.notifications.unregisterDevice(userId, `${userId}-phone`);
  return userId;
}

const devicesAt = async (endpoint: string) =>
  (
    await pushes.world.postgres.query(
      'SELECT user_id AS owner, p256dh, auth FROM user_devices WHERE device_token = $1',
      [endpoint],
    )
  ).rows;

/** Members in the order in which former processes wrote them. */
const writtenFormerly = ({ endpoint, keys }: { endpoint: string; keys: { p256dh: string; auth: string } }) =>
  JSON.stringify({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } });

it('a browser that a former process registers again is pushed to by its new subscription', async () => {
  const userId = await somebody();
  await register(userId, await pushes.trial.subscribe());
  const renewed = JSON.parse(await pushes.trial.subscribe());
  await registerFormerly(userId, writtenFormerly(renewed));
  expect(await devicesAt(renewed.endpoint)).toEqual([{ owner: userId, ...renewed.keys }]);
  await pushes.inStatus(await pushes.push(userId), 'DELIVERED');
  expect(await pushes.trial.received('?channel=push')).toMatchObject([{ to: renewed.endpoint }]);
});

it('a subscription in a form of its own is pushed to as it is, whatever keys stand beside it', async () => {
  const userId = await somebody();
  await register(userId, await pushes.trial.subscribe());
  const renewed = await pushes.trial.subscribe();
  await registerFormerly(userId, JSON.stringify(JSON.parse(renewed), null, 1));
  await pushes.inStatus(await pushes.push(userId), 'DELIVERED');
  expect(await pushes.trial.received('?channel=push')).toMatchObject([{ to: JSON.parse(renewed).endpoint }]);
});

it('a browser that a former process registers for somebody else is nobody’s before', async () => {
  const [ann, bob] = [await somebody(), await somebody()];
  const subscription = JSON.parse(await pushes.trial.subscribe());
  await register(ann, JSON.stringify(subscription));
  await registerFormerly(bob, writtenFormerly(subscription));
  expect(await devicesAt(subscription.endpoint)).toEqual([{ owner: bob, ...subscription.keys }]);
  await register(ann, JSON.stringify(subscription));
  expect(await devicesAt(subscription.endpoint)).toMatchObject([{ owner: ann }]);
});
