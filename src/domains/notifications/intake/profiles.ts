import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import type { QuietHours } from '../preferences/quiet-hours.js';
import type { Channel } from '../types.js';

const statements = loadStatements(new URL('./profiles.sql', import.meta.url), ['profiles']);

/** What the steps need to know of a recipient, for one notification type. */
export interface Profile extends QuietHours {
  readonly userId: string;
  readonly language: string | null;
  readonly marketingOptIn: boolean;
  readonly email: string | null;
  readonly phone: string | null;
  /** Channels that the user switched off for this type. */
  readonly disabled: readonly Channel[];
  /** Has an active device that push reaches. */
  readonly hasDevice: boolean;
}

/** Everybody's profile by user id, in one statement. A user who never set anything has the defaults. */
export async function loadProfiles(
  postgres: Queryable,
  userIds: Iterable<string>,
  type: string,
): Promise<ReadonlyMap<string, Profile>> {
  const { rows } = await postgres.query<Profile>(statements.profiles, [[...new Set(userIds)], type]);
  return new Map(rows.map((profile) => [profile.userId, profile]));
}
