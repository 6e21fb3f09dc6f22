import { z } from 'zod';
import type { Viewer } from '../../../platform/auth/auth.js';
import { PublicError } from '../../../platform/errors.js';
import { cursorsOf, type PageRequest, toConnection } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { hasAtMost, isStorable } from '../../../platform/text.js';
import { type CountedConnection, estimate, exactly, type Total } from '../../../platform/totals.js';
import type { User } from '../types.js';
import { sql } from './search.sql.js';

/** In characters; the longest name. */
const MAX_QUERY = 100;
/** Counted one by one, with their blocks checked. */
const COUNTED_EXACTLY = 1_000;

/** Whether an id (0) or a name (1) was found, the text in lower case that orders it, and the user's surrogate id. */
const cursors = cursorsOf(
  'found',
  z.tuple([
    z.int().min(0).max(1),
    z
      .string()
      .max(2 * MAX_QUERY)
      .refine(isStorable),
    z.int().nonnegative(),
  ]),
);
type Place = readonly [key: string, id: number];
const BEGINNING: Place = ['', 0];
const END: Place = ['\u{10ffff}', Number.MAX_SAFE_INTEGER];

/**
 * People whose id or display name starts with `text`, whatever its case: ids first, each group in order. Users who
 * are blocked either way with the viewer are not found.
 *
 * @throws PublicError BAD_USER_INPUT where `text` is empty or too long; BAD_CURSOR
 */
export async function searchUsers(
  deps: { postgres: Queryable },
  viewer: Viewer,
  text: string,
  page: PageRequest,
): Promise<CountedConnection<User>> {
  const query = text.trim();
  if (query === '' || !hasAtMost(query, MAX_QUERY) || !isStorable(query)) {
    throw new PublicError('BAD_USER_INPUT', `query has 1 to ${MAX_QUERY} characters`, ['query']);
  }
  const forward = page.direction === 'forward';
  const { ids, names } = placesOf(page);
  const people = await deps.postgres.query(forward ? sql.search : sql.searchBack, [
    query,
    ...ids,
    ...names,
    page.limit + 1,
    viewer.userId,
  ]);
  const { edges, pageInfo } = toConnection(page, people.rows, (row) =>
    cursors.write(row.rank, row.key, row.id),
  );
  return {
    pageInfo,
    edges: edges.map(({ cursor, node: { rank, key, ...node } }) => ({ cursor, node })),
    total: () => countFound(deps, viewer, query),
  };
}

async function countFound(deps: { postgres: Queryable }, viewer: Viewer, query: string): Promise<Total> {
  const { rows } = await deps.postgres.query(sql.countFound, [query, viewer.userId, COUNTED_EXACTLY + 1]);
  const { count, looked } = rows[0]!;
  if (looked <= COUNTED_EXACTLY) return exactly(count);
  return estimate(deps.postgres, sql.foundByAnybody, [query], COUNTED_EXACTLY);
}

/** Where the page starts among ids and among names: one of the two lies wholly on the other side of the cursor. */
function placesOf(page: PageRequest): { readonly ids: Place; readonly names: Place } {
  const cursor = cursors.read(page.cursor);
  if (cursor === null) {
    const start = page.direction === 'forward' ? BEGINNING : END;
    return { ids: start, names: start };
  }
  const [rank, ...place] = cursor;
  return rank === 0 ? { ids: place, names: BEGINNING } : { ids: END, names: place };
}
