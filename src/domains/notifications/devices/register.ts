import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refusedAll } from '../../../platform/errors.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import type { Freshness } from '../freshness.js';
import { checkName } from '../text.js';
import type { Platform } from '../types.js';
import { checkDeviceId, type Device } from './devices.js';
import { sql as statements } from './register.sql.js';
import { readToken } from './token.js';

export interface DeviceRegistration {
  readonly deviceId: string;
  readonly platform: Platform;
  /** The provider's token; for web the PushSubscription as JSON text. */
  readonly deviceToken: string;
  readonly appVersion?: string | undefined;
}

export interface RegisterDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly freshness: Pick<Freshness, 'userChanged'>;
  /** Hosts that take Web Push, besides the browsers' own services. */
  readonly webPushHosts: readonly string[];
}

const MAX_DEVICES = 20;

/**
 * Registers a user's device, or its new token: the newest token is the one that is used, the device is active and was
 * seen now. A token that another device had moves here, whosever that was. Of more than 20 devices those that were
 * seen last are kept.
 *
 * Refused, every fault at once, with ID_INVALID, APP_VERSION_INVALID or what `readToken` finds.
 */
export async function registerDevice(
  deps: RegisterDeps,
  userId: string,
  registration: DeviceRegistration,
): Promise<Result<Device>> {
  const { deviceId, platform, deviceToken, appVersion } = registration;
  const token = readToken(platform, deviceToken, deps.webPushHosts);
  const faults = [
    ...checkDeviceId(deviceId),
    ...(token.ok ? [] : token.errors),
    ...(appVersion === undefined
      ? []
      : checkName('APP_VERSION_INVALID', appVersion, ['input', 'appVersion'], 16)),
  ];
  if (!token.ok || faults.length > 0) return refusedAll(faults);
  const { formerOwners, ...device } = await deps.postgres.transaction(async (tx) => {
    const { token: deviceAddress, keys } = token.value;
    await tx.query(statements.lock, [deviceAddress, userId]);
    await tx.query(statements.lockDevices, [deviceAddress, userId]);
    const now = new Date(deps.clock.now());
    const { rows } = await tx.query(statements.register, [
      userId,
      deviceId,
      platform,
      deviceAddress,
      appVersion ?? null,
      now,
      MAX_DEVICES - 1,
      keys?.p256dh ?? null,
      keys?.auth ?? null,
    ]);
    return rows[0]!;
  });
  await Promise.all([userId, ...formerOwners].map((owner) => deps.freshness.userChanged(owner)));
  return ok(device);
}
