import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { restIdleDevices } from '../../src/domains/notifications/devices/idle.js';
import { DAY, type DevicesWorld, openDevicesWorld } from './devices-world.js';
import { unique } from './notification-world.js';

let world: DevicesWorld;
const register: DevicesWorld['register'] = (...registration) => world.register(...registration);
const devicesOf: DevicesWorld['devicesOf'] = (userId) => world.devicesOf(userId);

beforeAll(async () => {
  world = await openDevicesWorld();
});
afterAll(() => world.close());

describe('a device that was not seen for 60 days', () => {
  it('becomes inactive, and active again when it registers', async () => {
    const [away, here, token] = [unique('away'), unique('here'), unique('token')];
    await register(away, token);
    world.time.now += 30 * DAY;
    await register(here, unique('token'));
    world.time.now += 30 * DAY + 1;
    world.changed.length = 0;
    const rest = restIdleDevices(world.deps);
    while ((await rest(7)) === 7);
    expect(world.changed).toContain(away);
    expect(world.changed).not.toContain(here);
    expect([await devicesOf(away), await devicesOf(here)]).toEqual([['phone (idle)'], ['phone']]);
    await register(away, token);
    expect(await devicesOf(away)).toEqual(['phone']);
  });

  it('is deleted after a year, unless it is active again', async () => {
    const [away, back] = [unique('away'), unique('back')];
    for (const userId of [away, back]) await register(userId, unique('token'));
    const rest = restIdleDevices(world.deps);
    world.time.now += 61 * DAY;
    while ((await rest(1_000)) === 1_000);
    expect(await devicesOf(back)).toEqual(['phone (idle)']);
    await register(back, unique('token'));
    world.time.now += 305 * DAY;
    while ((await rest(1_000)) === 1_000);
    expect([await devicesOf(away), await devicesOf(back)]).toEqual([[], ['phone (idle)']]);
  });

  it('is looked for once a day, however often it is asked', async () => {
    const rest = restIdleDevices(world.deps);
    while ((await rest(1_000)) === 1_000);
    const userId = unique('late');
    await register(userId, unique('token'));
    await world.postgres.query(`UPDATE user_devices SET last_seen_at = '2020-01-01' WHERE user_id = $1`, [
      userId,
    ]);
    expect(await rest(1_000)).toBe(0);
    expect(await devicesOf(userId)).toEqual(['phone']);
    world.time.now += DAY;
    while ((await rest(1_000)) === 1_000);
    expect(await devicesOf(userId)).toEqual(['phone (idle)']);
  });
});
