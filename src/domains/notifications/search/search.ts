import { z } from 'zod';
import { PublicError } from '../../../platform/errors.js';
import { type Connection, cursorsOf, type PageRequest, toConnection } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { hasAtMost, isStorable } from '../../../platform/text.js';
import type { Delivery } from '../lifecycle/delivery.js';
import { findDeliveries } from '../lifecycle/find.js';
import type { Channel, DeliveryStatus } from '../types.js';
import { sql as statements } from './search.sql.js';
import { termsOfFilter } from './terms.js';
import { wordsOf } from './words.js';

const LONGEST_QUERY = 200;
/** Each is looked for in each block. */
const MOST_WORDS = 8;

/** What one page looks at, at most: deliveries whose status says whether they pass the filter, and blocks of 4,096 deliveries. */
const MOST_LOOKED = 2_000;
const MOST_BLOCKS = 1_024;
/** It ends with the block in which so many milliseconds are over: what begins like many other words takes longer to look for. */
const MOST_MS = 150;

/** Which deliveries are looked for; what is absent narrows nothing. */
export interface DeliveryFilter {
  readonly userId?: string | undefined;
  readonly channel?: Channel | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly notificationType?: string | undefined;
  readonly producer?: string | undefined;
  /** Accepted at or after. */
  readonly from?: Date | undefined;
  /** Accepted before. */
  readonly to?: Date | undefined;
}

const cursors = cursorsOf('searched', z.tuple([z.int().nonnegative()]));

/**
 * Deliveries that admins search for, newest first. A page searches a bounded number of them: where few are found it has fewer than
 * it may, or none, and says that there are more.
 *
 * @param query words, for each of which a delivery must have one in its text or address that begins with it; null: whatever its text
 * @throws PublicError BAD_USER_INPUT where the query is too long or has no word
 */
export async function searchDeliveries(
  postgres: Queryable,
  query: string | null,
  { status, from, to, ...named }: DeliveryFilter,
  page: PageRequest,
): Promise<Connection<Delivery>> {
  const words = query === null ? [] : readQuery(query);
  const [place] = cursors.read(page.cursor) ?? [null];
  const exactTerms = termsOfFilter(named);
  if (!exactTerms.every(isStorable)) return toConnection<Delivery>(page, [], () => '');
  const { rows: places } = await postgres.query(statements.searchDeliveries, [
    ...[words, exactTerms, status ?? null, from ?? null, to ?? null],
    ...[place, page.direction === 'forward', page.limit + 1, MOST_LOOKED, MOST_BLOCKS, MOST_MS],
  ]);
  const matches = places.flatMap(({ deliveryId, position }) =>
    deliveryId === null ? [] : [{ deliveryId, position }],
  );
  const found = await findDeliveries(
    postgres,
    matches.map(({ deliveryId }) => deliveryId),
  );
  const byId = new Map(found.map((delivery) => [delivery.deliveryId, delivery]));
  const shown = matches.flatMap(({ deliveryId, position }) => {
    const delivery = byId.get(deliveryId);
    return delivery ? [{ ...delivery, position }] : [];
  });
  // The last place may be there only to go on after: of what was searched in vain, or of a delivery that is gone.
  const last = places.at(-1);
  const isCut = last && (!last.isMatch || places.length > shown.length);
  return toConnection(
    page,
    shown,
    ({ position }) => cursors.write(position),
    isCut ? cursors.write(last.position) : undefined,
  );
}

function readQuery(query: string): readonly string[] {
  const refused = (message: string) => new PublicError('BAD_USER_INPUT', message, ['query']);
  if (!hasAtMost(query, LONGEST_QUERY)) throw refused(`query has at most ${LONGEST_QUERY} characters`);
  const words = wordsOf(query);
  if (words.length === 0) throw refused('query needs a letter or a digit');
  if (words.length > MOST_WORDS) throw refused(`query has at most ${MOST_WORDS} words`);
  return words;
}
