import { z } from 'zod';
import { type Caller, isAdmin } from '../../../platform/caller.js';
import {
  type Connection,
  decodeCursor,
  encodeCursor,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import { loadStatements, type Queryable } from '../../../platform/postgres.js';
import { isStorable } from '../text.js';
import type { Channel } from '../types.js';
import { findRequests, type NotificationRequest, type RequestStatus } from './find.js';

const statements = loadStatements(new URL('./request-pages.sql', import.meta.url), [
  'requestsForward',
  'requestsBackward',
]);

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

const cursor = z.tuple([z.int().nonnegative().max(8.64e15), z.uuid()]);

/** Requests, newest first: a producer's own; for admins everybody's. */
export async function pageOfRequests(
  postgres: Queryable,
  caller: Caller,
  filter: RequestFilter,
  page: PageRequest,
): Promise<Connection<NotificationRequest>> {
  const requests = [filter.userId, filter.type].every((text) => isStorable(text ?? ''))
    ? await read(postgres, caller, filter, page)
    : [];
  return toConnection(page, requests, (request) =>
    encodeCursor(request.createdAt.getTime(), request.requestId),
  );
}

async function read(
  postgres: Queryable,
  caller: Caller,
  { userId, type, status, channel, from, to }: RequestFilter,
  page: PageRequest,
): Promise<readonly NotificationRequest[]> {
  const [at, requestId] = decodeCursor(page.cursor, cursor) ?? [null, null];
  const { rows } = await postgres.query<{ requestId: string }>(
    page.direction === 'forward' ? statements.requestsForward : statements.requestsBackward,
    [
      isAdmin(caller) ? null : caller.viewer.userId,
      at === null ? null : new Date(at),
      requestId,
      userId ?? null,
      type ?? null,
      channel ?? null,
      from ?? null,
      to ?? null,
      status ?? null,
      page.limit + 1,
    ],
  );
  const found = await findRequests(
    postgres,
    rows.map((row) => row.requestId),
  );
  const byId = new Map(found.map((request) => [request.requestId, request]));
  return rows.flatMap((row) => byId.get(row.requestId) ?? []);
}
