import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refusedAll, type UserError } from '../../../platform/errors.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { isName } from '../text.js';
import type { Platform } from '../types.js';

/** A phone that push reaches. Its token is told to nobody. */
export interface Device {
  readonly deviceId: string;
  readonly platform: Platform;
  readonly appVersion: string | null;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
}

export interface DeviceRegistration {
  readonly deviceId: string;
  readonly platform: Platform;
  readonly deviceToken: string;
  readonly appVersion?: string | undefined;
}

const statements = loadStatements(new URL('./devices.sql', import.meta.url), ['register', 'devicesOf']);

const MAX_DEVICES = 20;

/**
 * Registers a user's device, or its new token: the newest token is the one that is used. Of more than 20 devices those
 * that were seen last are kept.
 *
 * Refused with ID_INVALID, TOKEN_INVALID or APP_VERSION_INVALID.
 */
export async function registerDevice(
  deps: { readonly postgres: Queryable; readonly clock: Clock },
  userId: string,
  registration: DeviceRegistration,
): Promise<Result<Device>> {
  const { deviceId, platform, deviceToken, appVersion } = registration;
  const faults = [
    ...check('ID_INVALID', 'deviceId', deviceId, 128),
    ...check('TOKEN_INVALID', 'deviceToken', deviceToken, 512),
    ...(appVersion === undefined ? [] : check('APP_VERSION_INVALID', 'appVersion', appVersion, 16)),
  ];
  if (faults.length > 0) return refusedAll(faults);
  const { rows } = await deps.postgres.query<Device>(statements.register, [
    userId,
    deviceId,
    platform,
    deviceToken,
    appVersion ?? null,
    new Date(deps.clock.now()),
    MAX_DEVICES - 1,
  ]);
  return ok(rows[0]!);
}

/** A user's devices, oldest first. */
export async function findDevices(postgres: Queryable, userId: string): Promise<readonly Device[]> {
  return (await postgres.query<Device>(statements.devicesOf, [userId])).rows;
}

function check(code: string, field: string, text: string, max: number): UserError[] {
  if (isName(text, max)) return [];
  return [{ code, message: `${field} must have 1 to ${max} printable characters`, path: ['input', field] }];
}
