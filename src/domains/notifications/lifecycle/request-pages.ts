import { type Caller, isAdmin } from '../../../platform/auth/caller.js';
import {
  type Connection,
  instantCursorsOf,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { isStorable } from '../../../platform/text.js';
import type { Channel } from '../types.js';
import { findRequests, type NotificationRequest, type RequestStatus } from './find.js';
import { sql as statements } from './request-pages.sql.js';

/** What one page looks at, at most: requests, and events of those whose deliveries say whether they pass the filter. */
const MOST_LOOKED = 1_000;
const MOST_EVENTS = 10_000;

/** Which requests are asked for; what is absent narrows nothing. */
export interface RequestFilter {
  /** One of the recipients. */
  readonly userId?: string | undefined;
  readonly type?: string | undefined;
  readonly status?: RequestStatus | undefined;
  /** Of one of the deliveries. */
  readonly channel?: Channel | undefined;
  /** Accepted at or after. */
  readonly from?: Date | undefined;
  /** Accepted before. */
  readonly to?: Date | undefined;
}

const cursors = instantCursorsOf('requests');

/**
 * Requests, newest first: a producer's own; for admins everybody's. A page looks at a bounded number of requests: where few
 * of them pass the filter it has fewer than it may, or none, and says that there are more.
 */
export async function pageOfRequests(
  postgres: Queryable,
  caller: Caller,
  { userId, type, status, channel, from, to }: RequestFilter,
  page: PageRequest,
): Promise<Connection<NotificationRequest>> {
  if (![userId, type].every((text) => isStorable(text ?? ''))) {
    return toConnection<NotificationRequest>(page, [], () => '');
  }
  const [at, requestId] = cursors.read(page.cursor) ?? [null, null];
  const { rows: places } = await postgres.query(statements.pageOfRequests, [
    isAdmin(caller) ? null : caller.viewer.userId,
    userId ?? null,
    type ?? null,
    channel ?? null,
    from ?? null,
    to ?? null,
    status ?? null,
    at,
    requestId,
    page.direction === 'forward',
    page.limit + 1,
    MOST_LOOKED,
    MOST_EVENTS,
  ]);
  const matches = places.filter(({ isMatch }) => isMatch);
  const found = await findRequests(
    postgres,
    matches.map(({ requestId }) => requestId),
  );
  const byId = new Map(found.map((request) => [request.requestId, request]));
  // The last one may be there only to go on after.
  const last = places.at(-1);
  return toConnection(
    page,
    matches.flatMap(({ requestId }) => byId.get(requestId) ?? []),
    toCursor,
    last && !last.isMatch ? toCursor(last) : undefined,
  );
}

const toCursor = ({ createdAt, requestId }: Pick<NotificationRequest, 'createdAt' | 'requestId'>): string =>
  cursors.write(createdAt, requestId);
