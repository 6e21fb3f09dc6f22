import { instantCursorsOf, type PageRequest, toConnection } from '../../../platform/paging.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import { type CountedConnection, countUpTo, type Total } from '../../../platform/totals.js';
import type { Channel } from '../types.js';
import { sql as statements } from './find.sql.js';

/**
 * The audit record of a delivery that was given up after `attempts` calls in all; the delivery is from `createdAt`. It is an open
 * dead letter until somebody retries or discards it, which is `settledAt`.
 */
export type FailedNotification = RowOf<typeof statements.failedById>;

const cursors = instantCursorsOf('dead-letters');

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
  const statement = pages[channel === null ? 'ofAll' : 'ofChannel'][page.direction];
  const values = [...cursors.placeOf(page), page.limit + 1, ...(channel === null ? [] : [channel])];
  const { rows } = await postgres.query(statement, values);
  const cursorOf = ({ failedAt, deliveryId }: FailedNotification): string =>
    cursors.write(failedAt, deliveryId);
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
