import { findDevices } from '../../src/domains/notifications/devices/devices.js';
import { type DeviceRegistration, registerDevice } from '../../src/domains/notifications/devices/register.js';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { createTestDatabase } from '../support/database.js';

export const DAY = 86_400_000;

/** Devices on a database of their own, by a clock that tests set. */
export async function openDevicesWorld() {
  const database = await createTestDatabase();
  const postgres = openPostgres(database.url, { max: 20, applicationName: 'test', onError: () => undefined });
  const time = { now: Date.parse('2026-05-01T12:00:00Z') };
  /** Users whose change was reported. */
  const changed: string[] = [];
  const deps = {
    postgres,
    clock: { now: () => time.now },
    webPushHosts: ['localhost:4443'],
    freshness: { userChanged: async (userId: string) => void changed.push(userId) },
  };
  return {
    postgres,
    time,
    changed,
    deps,
    register: (userId: string, deviceToken: string, own: Partial<DeviceRegistration> = {}) =>
      registerDevice(deps, userId, { deviceId: 'phone', platform: 'ios', deviceToken, ...own }),
    devicesOf: async (userId: string) =>
      (await findDevices(postgres, userId)).map(
        ({ deviceId, isActive }) => `${deviceId}${isActive ? '' : ' (idle)'}`,
      ),
    async close() {
      await postgres.close();
      await database.drop();
    },
  };
}

export type DevicesWorld = Awaited<ReturnType<typeof openDevicesWorld>>;
