import { z } from 'zod';
import {
  decodeCursor,
  encodeCursor,
  LIST_START,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { type CountedConnection, countUpTo, type Total } from '../../../platform/totals.js';
import type { Channel } from '../types.js';
import { sql as statements } from './find.sql.js';

/**
 * The audit record of a delivery that was given up after `attempts` calls in all; the delivery is from `createdAt`. It is an open
 * dead letter until somebody retries or discards it, which is `settledAt`.
 */
export type FailedNotification = RowOf<typeof statements.failedById>;

const cursorShape = z.tuple([z.int().nonnegative().max(8.64e15), z.uuid()]);

const pages = {
  ofAll: { forward: statements.openForward, backward: statements.openBackward },
  ofChannel: { forward: statements.openOfChannelForward, backward: statements.openOfChannelBackward },
};

/** Open dead letters, newest first; of all channels where none is named. */
export async function pageOpen(
  postgres: Queryable,
  page: PageRequest,
  channel: Channel | null,
): Promise<CountedConnection<FailedNotification>> {
  const cursor = decodeCursor(page.cursor, cursorShape);
  const from = cursor ? [new Date(cursor[0]), cursor[1]] : LIST_START[page.direction];
  const statement = pages[channel === null ? 'ofAll' : 'ofChannel'][page.direction];
  const values = [...from, page.limit + 1, ...(channel === null ? [] : [channel])];
  const { rows } = await postgres.query(statement, values);
  const cursorOf = ({ failedAt, deliveryId }: FailedNotification): string =>
    encodeCursor(failedAt.getTime(), deliveryId);
  return { ...toConnection(page, rows, cursorOf), total: () => countOpen(postgres, channel) };
}

/** How many are open, of a channel or in all. */
export function countOpen(postgres: Queryable, channel: Channel | null): Promise<Total> {
  return channel === null
    ? countUpTo(postgres, statements.open, [])
    : countUpTo(postgres, statements.openOfChannel, [channel]);
}

/** Dead letters by their deliveries' ids, open or settled. */
export async function findFailed(
  postgres: Queryable,
  deliveryIds: readonly string[],
): Promise<readonly FailedNotification[]> {
  return (await postgres.query(statements.failedById, [deliveryIds])).rows;
}
