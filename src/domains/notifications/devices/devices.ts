import { ok, type Result, refused, refusedAll } from '../../../platform/errors.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import type { Freshness } from '../freshness.js';
import { checkName } from '../text.js';
import { sql as statements } from './devices.sql.js';

/**
 * A phone or browser that push reaches; not active once it was not seen for 60 days: nothing is sent to it until it registers again.
 * Its token is shown to nobody.
 */
export type Device = RowOf<typeof statements.devicesOf>;

/** What is wrong with a device's id, if anything. */
export const checkDeviceId = (deviceId: string) =>
  checkName('ID_INVALID', deviceId, ['input', 'deviceId'], 128);

/** A user's devices, oldest first. */
export async function findDevices(postgres: Queryable, userId: string): Promise<readonly Device[]> {
  return (await postgres.query(statements.devicesOf, [userId])).rows;
}

/**
 * Forgets a user's device: nothing is sent to it any more.
 *
 * Refused with ID_INVALID, or DEVICE_NOT_FOUND where they have no such device.
 *
 * @returns the device as it was
 */
export async function unregisterDevice(
  deps: { readonly postgres: Queryable; readonly freshness: Pick<Freshness, 'userChanged'> },
  userId: string,
  deviceId: string,
): Promise<Result<Device>> {
  const faults = checkDeviceId(deviceId);
  if (faults.length > 0) return refusedAll(faults);
  const { rows } = await deps.postgres.query(statements.unregister, [userId, deviceId]);
  const device = rows[0];
  if (!device) return refused('DEVICE_NOT_FOUND', 'There is no such device', ['input', 'deviceId']);
  await deps.freshness.userChanged(userId);
  return ok(device);
}
