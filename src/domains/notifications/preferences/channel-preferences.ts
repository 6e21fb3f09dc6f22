import type { Clock } from '../../../platform/clock.js';
import { ok, type Result, refusedAll, type UserError } from '../../../platform/errors.js';
import type { Postgres, Queryable } from '../../../platform/postgres/postgres.js';
import type { Prisma } from '../../../platform/postgres/prisma.js';
import { isGathered } from '../digests/gather.js';
import type { Freshness } from '../freshness.js';
import { objection, type QuietHoursRules } from '../intake/preferences.js';
import type { Profiles } from '../intake/profiles.js';
import { checkName, isName } from '../text.js';
import { type Channel, channels, defaultChannels, rulesOf } from '../types.js';
import { sql as statements } from './channel-preferences.sql.js';
import { isQuiet } from './quiet-hours.js';

/** Whether a user wants a type on a channel. A pair without a preference is enabled. */
export interface ChannelPreference {
  readonly notificationType: string;
  readonly channel: Channel;
  readonly enabled: boolean;
}

export interface StoredPreference extends ChannelPreference {
  readonly updatedAt: Date;
}

const MAX_PREFERENCES = 200;
/** Some twenty types on four channels is what a person has. */
const MAX_STORED = 1_000;

/**
 * Sets some of a user's preferences, all or none; the last of several for one pair counts.
 *
 * Refused with NO_PREFERENCES, TOO_MANY_PREFERENCES or TYPE_INVALID.
 */
export async function setPreferences(
  deps: { readonly postgres: Postgres; readonly clock: Clock; readonly freshness: Freshness },
  userId: string,
  preferences: readonly ChannelPreference[],
): Promise<Result<null>> {
  const set = await deps.postgres.transaction((tx) =>
    setPreferencesIn(tx, userId, preferences, deps.clock.now()),
  );
  if (set.ok) await deps.freshness.userChanged(userId);
  return set;
}

/** The same in a caller's transaction; where it is refused, nothing was written. Processes hear of it from the caller. */
export async function setPreferencesIn(
  tx: Queryable,
  userId: string,
  preferences: readonly ChannelPreference[],
  now: number,
): Promise<Result<null>> {
  const faults = checkPreferences(preferences);
  if (faults.length > 0) return refusedAll(faults);
  const last = new Map(preferences.map((one) => [`${one.channel}/${one.notificationType}`, one]));
  const rows = [...last.values()];
  await tx.query(statements.lockPreferences, [userId]);
  const { rowCount } = await tx.query(statements.putPreferences, [
    userId,
    rows.map((row) => row.notificationType),
    rows.map((row) => row.channel),
    rows.map((row) => row.enabled),
    new Date(now),
    MAX_STORED,
  ]);
  return rowCount === 0 ? refusedAll([tooMany(`At most ${MAX_STORED} preferences a user`)]) : ok(null);
}

const tooMany = (message: string): UserError => ({
  code: 'TOO_MANY_PREFERENCES',
  message,
  path: ['input', 'preferences'],
});

function checkPreferences(preferences: readonly ChannelPreference[]): UserError[] {
  const path = ['input', 'preferences'];
  if (preferences.length === 0) return [{ code: 'NO_PREFERENCES', message: 'Name a preference', path }];
  if (preferences.length > MAX_PREFERENCES) {
    return [tooMany(`At most ${MAX_PREFERENCES} preferences at once`)];
  }
  return preferences.flatMap(({ notificationType }, index) =>
    checkName('TYPE_INVALID', notificationType, [...path, String(index), 'notificationType']),
  );
}

/** The preferences that a user has stored, by type and channel. */
export async function findPreferences(prisma: Prisma, userId: string): Promise<readonly StoredPreference[]> {
  const rows = await (await prisma.client()).userNotificationPref.findMany({
    where: { userId, channel: { in: [...channels] } },
    orderBy: [{ notificationType: 'asc' }, { channel: 'asc' }],
  });
  // The query admits known channels only.
  return rows.map((row) => ({ ...row, channel: row.channel as Channel }));
}

/**
 * The channels that a type of its usual priority would use now, quiet hours, opt-out and declined digests applied; whether there is an
 * address is not asked.
 */
export async function effectiveChannels(
  deps: { readonly profiles: Profiles; readonly quietHours: QuietHoursRules; readonly clock: Clock },
  userId: string,
  type: string,
): Promise<readonly Channel[]> {
  // No user can have a preference on what is no name.
  const asked = isName(type, 64) ? type : '';
  const profile = (await deps.profiles.load([userId], asked)).get(userId)!;
  if (deps.quietHours(type) !== 'bypass' && isQuiet(profile, deps.clock.now())) return [];
  const declined = isGathered({ type, priority: rulesOf(type).priority }) ? profile.declinedDigests : null;
  return defaultChannels.filter((channel) => !objection(profile, type, channel) && !declined?.[channel]);
}
