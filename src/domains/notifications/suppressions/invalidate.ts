import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Freshness } from '../freshness.js';
import { sql as statements } from './change.sql.js';

/** Of more users who share an address intake learns when their profiles' lifetime is over; claims read the list itself. */
const MAX_USERS = 100;

/**
 * Has every process load the profiles anew of those who have one of these addresses: what these say of the suppression list may have
 * changed. Call it once that is committed. Where it is not called, intake learns of it within the lifetime of profiles, and no message
 * goes out meanwhile: claims read the list itself.
 */
export async function invalidateAddresses(
  deps: { readonly postgres: Queryable; readonly freshness: Pick<Freshness, 'userChanged'> },
  addresses: readonly string[],
): Promise<void> {
  if (addresses.length === 0) return;
  const { rows } = await deps.postgres.query(statements.usersOf, [[...new Set(addresses)], MAX_USERS]);
  await Promise.all(rows.map(({ userId }) => deps.freshness.userChanged(userId)));
}
