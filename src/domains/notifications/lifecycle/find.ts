import { z } from 'zod';
import { type Caller, isAdmin } from '../../../platform/auth/caller.js';
import { PublicError } from '../../../platform/errors.js';
import {
  type Connection,
  cursorsOf,
  instantCursorsOf,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable, RowOf, Statement } from '../../../platform/postgres/postgres.js';
import { isStorable } from '../../../platform/text.js';
import { type Delivery, type DeliveryTarget, type TimelineEntry, toDelivery } from './delivery.js';
import { sql as statements } from './find.sql.js';
import { sql as pages } from './pages.sql.js';

/** One accepted request. */
export type NotificationRequest = RowOf<typeof statements.requestsById>;

export type RequestStatus = (typeof requestStatuses)[number];
/** See request_status. */
export const requestStatuses = [
  'ACCEPTED',
  'SCHEDULED',
  'PROCESSING',
  'COMPLETED',
  'CANCELLED',
  'EXPIRED',
] as const;

/**
 * The newest request that stands under an id: a producer's own; for admins also another producer's, or anybody's
 * where none is named. Null where there is none.
 *
 * @throws PublicError FORBIDDEN where somebody else's is asked for
 */
export async function findRequest(
  postgres: Queryable,
  caller: Caller,
  notificationId: string,
  producer: string | null,
): Promise<NotificationRequest | null> {
  const own = caller.viewer.userId;
  if (producer !== null && producer !== own && !isAdmin(caller)) {
    throw new PublicError('FORBIDDEN', 'This request is not yours');
  }
  if (!isStorable(notificationId) || !isStorable(producer ?? '')) return null;
  const whose = producer ?? (isAdmin(caller) ? null : own);
  const requestId = await newestRequest(postgres, notificationId, whose);
  if (requestId === null) return null;
  const [found] = await findRequests(postgres, [requestId]);
  return found ?? null;
}

/**
 * Which request is meant: by its producer's own id, the newest under it; or exactly the one of a request id, for which a caller must
 * check who may act.
 */
export type RequestName = string | { readonly requestId: string };

/** The request that a caller names; by the producer's own id one of theirs alone. Null where there is none. */
export async function requestNamed(
  postgres: Queryable,
  caller: Caller,
  name: RequestName,
): Promise<string | null> {
  if (typeof name !== 'string') return name.requestId;
  return isStorable(name) ? newestRequest(postgres, name, caller.viewer.userId) : null;
}

/** The newest request under an id: a producer's, or anybody's where that is null. */
export async function newestRequest(
  postgres: Queryable,
  notificationId: string,
  producer: string | null,
): Promise<string | null> {
  const { rows } = await postgres.query(statements.requestByName, [notificationId, producer]);
  return rows[0]?.requestId ?? null;
}

/** Requests by their ids; a caller must check who may see them. */
export async function findRequests(
  postgres: Queryable,
  requestIds: readonly string[],
): Promise<readonly NotificationRequest[]> {
  return (await postgres.query(statements.requestsById, [requestIds])).rows;
}

/** Deliveries by their ids; a caller must check who may see them. */
export async function findDeliveries(
  postgres: Queryable,
  deliveryIds: readonly string[],
): Promise<readonly Delivery[]> {
  return (await postgres.query(statements.deliveriesById, [deliveryIds])).rows.map(toDelivery);
}

/** The whole lifecycle of each delivery, in order. */
export async function findTimelines(
  postgres: Queryable,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly TimelineEntry[]>> {
  const { rows } = await postgres.query(statements.timelines, [deliveryIds]);
  return Map.groupBy(rows, (row) => row.deliveryId);
}

/** What became of each delivery at each of its addresses. */
export async function findTargets(
  postgres: Queryable,
  deliveryIds: readonly string[],
): Promise<ReadonlyMap<string, readonly DeliveryTarget[]>> {
  const { rows } = await postgres.query(statements.targets, [deliveryIds]);
  return Map.groupBy(rows, (row) => row.deliveryId);
}

const userCursors = instantCursorsOf('user-deliveries');
const requestCursors = cursorsOf('request-deliveries', z.tuple([z.int()]));

/** A user's deliveries, newest first. */
export async function pageOfUser(
  postgres: Queryable,
  userId: string,
  page: PageRequest,
): Promise<Connection<Delivery>> {
  const place = userCursors.placeOf(page);
  const statement = page.direction === 'forward' ? pages.ofUserForward : pages.ofUserBackward;
  const deliveries = await readPage(postgres, statement, [userId, ...place, page.limit + 1]);
  return toConnection(page, deliveries, (delivery) =>
    userCursors.write(delivery.createdAt, delivery.deliveryId),
  );
}

/** A request's deliveries, in the order of its recipients. */
export async function pageOfRequest(
  postgres: Queryable,
  requestId: string,
  page: PageRequest,
): Promise<Connection<Delivery>> {
  const start = page.direction === 'forward' ? 0 : Number.MAX_SAFE_INTEGER;
  const [sequence] = requestCursors.read(page.cursor) ?? [start];
  const statement = page.direction === 'forward' ? pages.ofRequestForward : pages.ofRequestBackward;
  const deliveries = await readPage(postgres, statement, [requestId, sequence, page.limit + 1]);
  return toConnection(page, deliveries, (delivery) => requestCursors.write(delivery.sequence));
}

/** The deliveries that a statement names, in its order. */
async function readPage(
  postgres: Queryable,
  statement: Statement<{ readonly deliveryId: string }>,
  values: readonly unknown[],
): Promise<readonly Delivery[]> {
  const { rows } = await postgres.query(statement, values);
  const ids = rows.map((row) => row.deliveryId);
  const byId = new Map((await findDeliveries(postgres, ids)).map((one) => [one.deliveryId, one]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
