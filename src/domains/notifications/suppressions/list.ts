import {
  type Connection,
  instantCursorsOf,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { isStorable } from '../../../platform/text.js';
import { findSettings } from '../preferences/settings.js';
import { type Channel, channels } from '../types.js';
import { sql as statements } from './list.sql.js';

/** An entry of the suppression list that holds. `note` and `addedBy` are those of an admin, `deliveryId` is that of a report. */
export type AddressSuppression = RowOf<typeof statements.byId>;

/** Which entries to list. */
export interface SuppressionFilter {
  readonly channel: Channel | null;
  /** However its case is. */
  readonly address: string | null;
  /** Whose mail address and number they are about. Not together with `address`. */
  readonly userId?: string | null;
}

const cursors = instantCursorsOf('suppressions');

const pages = {
  ofAll: { forward: statements.forward, backward: statements.backward },
  ofChannel: { forward: statements.ofChannelForward, backward: statements.ofChannelBackward },
};

/** A page of the entries that hold, newest first. */
export async function pageSuppressions(
  postgres: Queryable,
  page: PageRequest,
  { channel, address, userId = null }: SuppressionFilter,
): Promise<Connection<AddressSuppression>> {
  const cursor = cursors.read(page.cursor);
  if (address !== null || userId !== null) {
    const addresses = address === null ? await addressesOf(postgres, userId!) : [address];
    const found = await Promise.all(addresses.map((one) => findByAddress(postgres, one, channel)));
    const newestFirst = found.flat().toSorted(byAge);
    const nearestFirst = page.direction === 'forward' ? newestFirst : newestFirst.toReversed();
    return toConnection(page, nearestFirst.filter(isBeyond(page, cursor)), cursorOf);
  }
  const statement = pages[channel === null ? 'ofAll' : 'ofChannel'][page.direction];
  const values = [...cursors.placeOf(page), page.limit + 1, ...(channel === null ? [] : [channel])];
  const { rows } = await postgres.query(statement, values);
  return toConnection(page, rows, cursorOf);
}

const cursorOf = ({ createdAt, suppressionId }: AddressSuppression): string =>
  cursors.write(createdAt, suppressionId);

/** An address' entries, one a channel at most, newest first. */
export async function findByAddress(
  postgres: Queryable,
  address: string,
  channel: Channel | null,
): Promise<readonly AddressSuppression[]> {
  if (!isStorable(address)) return [];
  const { rows } = await postgres.query(statements.ofAddress, [
    address,
    channel === null ? channels : [channel],
  ]);
  return rows.toSorted(byAge);
}

/** The mail address and the number that a user has. */
async function addressesOf(postgres: Queryable, userId: string): Promise<readonly string[]> {
  const { email, phone } = await findSettings(postgres, userId);
  return [email, phone].filter((address) => address !== null);
}

type Place = readonly [at: Date, id: string];
const placeOf = ({ createdAt, suppressionId }: AddressSuppression): Place => [createdAt, suppressionId];
const isOlder = (a: Place, b: Place): boolean => a[0] < b[0] || (+a[0] === +b[0] && a[1] < b[1]);

/** Newest first. */
const byAge = (a: AddressSuppression, b: AddressSuppression): number =>
  isOlder(placeOf(a), placeOf(b)) ? 1 : -1;

/** An address has so few that they are paged here. */
const isBeyond =
  ({ direction }: PageRequest, cursor: Place | null) =>
  (one: AddressSuppression): boolean =>
    cursor === null ||
    (direction === 'forward' ? isOlder(placeOf(one), cursor) : isOlder(cursor, placeOf(one)));

/** Those of several entries that hold. */
export async function findSuppressions(
  postgres: Queryable,
  suppressionIds: readonly string[],
): Promise<readonly AddressSuppression[]> {
  return (await postgres.query(statements.byId, [suppressionIds])).rows;
}
