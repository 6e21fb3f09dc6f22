import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Postgres, Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import type { Freshness } from '../freshness.js';
import { isLanguage } from '../templates/check.js';
import { isName } from '../text.js';
import { isTimeZone } from './quiet-hours.js';
import { sql as statements } from './settings.sql.js';

/** How often a user wants what is not urgent. */
export const digestFrequencies = ['realtime', 'hourly', 'daily'] as const;
export type DigestFrequency = (typeof digestFrequencies)[number];

/**
 * How and when a user wants to be notified. The phone's number is in E.164; `updatedAt` is null where the user never set anything.
 */
export type Settings = RowOf<typeof statements.settingsOf>;

/** A change: an absent member keeps what is there, null brings back the default. */
export type SettingsChange = {
  readonly [Key in Exclude<keyof Settings, 'updatedAt'>]?: Settings[Key] | null | undefined;
};

const DEFAULTS: Settings = {
  quietHoursStart: null,
  quietHoursEnd: null,
  timezone: 'UTC',
  language: null,
  marketingOptIn: true,
  digestFrequency: 'realtime',
  email: null,
  phone: null,
  updatedAt: null,
};

/** A user's settings; the defaults where they never set any. */
export async function findSettings(postgres: Queryable, userId: string): Promise<Settings> {
  const { rows } = await postgres.query(statements.settingsOf, [userId]);
  return rows[0] ?? DEFAULTS;
}

/**
 * Changes a user's settings, all or nothing.
 *
 * Refused, every fault at once, with QUIET_HOURS_INCOMPLETE, TIMEZONE_UNKNOWN, LANGUAGE_INVALID, EMAIL_INVALID or
 * PHONE_INVALID.
 */
export async function updateSettings(
  deps: {
    readonly postgres: Postgres;
    readonly clock: Clock;
    readonly freshness: Pick<Freshness, 'userChanged'>;
  },
  userId: string,
  change: SettingsChange,
): Promise<Result<Settings>> {
  const changed = await deps.postgres.transaction((tx) =>
    updateSettingsIn(tx, userId, change, deps.clock.now()),
  );
  if (changed.ok) await deps.freshness.userChanged(userId);
  return changed;
}

/** The same in a caller's transaction; where it is refused, nothing was written. Processes hear of it from the caller. */
export async function updateSettingsIn(
  tx: Queryable,
  userId: string,
  change: SettingsChange,
  now: number,
): Promise<Result<Settings>> {
  await tx.query(statements.lockSettings, [userId]);
  const settings = merge(await findSettings(tx, userId), change, new Date(now));
  const faults = checkSettings(settings);
  if (faults.length > 0) return refusedAll(faults);
  await tx.query(statements.putSettings, [
    userId,
    settings.quietHoursStart,
    settings.quietHoursEnd,
    settings.timezone,
    settings.language,
    settings.marketingOptIn,
    settings.digestFrequency,
    settings.email,
    settings.phone,
    settings.updatedAt,
  ]);
  return ok(settings);
}

function merge(settings: Settings, change: SettingsChange, updatedAt: Date): Settings {
  const given = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, value ?? DEFAULTS[key as keyof SettingsChange]]);
  return { ...settings, ...Object.fromEntries(given), updatedAt };
}

/** RFC 5321 length; a shape that mail servers take, not a promise that somebody reads it. */
const EMAIL = /^[^\s@<>()[\],;:\\"]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i;
const MAX_EMAIL = 254;
const E164 = /^\+[1-9]\d{6,14}$/;

/** Whether a text has the shape of a mail address, and can be stored as one. */
export const isEmail = (text: string): boolean =>
  text.length <= MAX_EMAIL && EMAIL.test(text) && isName(text, MAX_EMAIL);

/** Whether a text is a phone number in E.164. */
export const isPhone = (text: string): boolean => E164.test(text);

function checkSettings(settings: Settings): UserError[] {
  const faults: UserError[] = [];
  const fault = (code: string, message: string, field: string): void => {
    faults.push({ code, message, path: ['input', field] });
  };
  const { quietHoursStart, quietHoursEnd, timezone, language, email, phone } = settings;
  if ((quietHoursStart === null) !== (quietHoursEnd === null)) {
    const field = quietHoursStart === null ? 'quietHoursStart' : 'quietHoursEnd';
    fault('QUIET_HOURS_INCOMPLETE', 'Quiet hours need a start and an end', field);
  }
  if (!isName(timezone, 64) || !isTimeZone(timezone)) {
    fault('TIMEZONE_UNKNOWN', 'timezone must be a zone name like Europe/Berlin', 'timezone');
  }
  if (language !== null && !isLanguage(language)) {
    fault('LANGUAGE_INVALID', 'language must be a code like en or pt-BR', 'language');
  }
  if (email !== null && !isEmail(email)) {
    fault('EMAIL_INVALID', 'email must be a mail address', 'email');
  }
  if (phone !== null && !isPhone(phone)) {
    fault('PHONE_INVALID', 'phone must be a number in E.164, like +4915112345678', 'phone');
  }
  return faults;
}
