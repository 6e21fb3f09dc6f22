import { z } from 'zod';
import {
  type Connection,
  decodeCursor,
  encodeCursor,
  LIST_START,
  type PageRequest,
  toConnection,
} from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres.js';
import { countUpTo, type Total } from '../../../platform/totals.js';
import type { Channel } from '../types.js';
import { sql as statements } from './find.sql.js';

/** The audit record of a delivery that was given up. It is an open dead letter until somebody settles it. */
export interface FailedNotification {
  readonly deliveryId: string;
  readonly notificationId: string;
  readonly userId: string;
  readonly channel: Channel;
  readonly error: string;
  /** Calls made in all. */
  readonly attempts: number;
  /** The delivery's. */
  readonly createdAt: Date;
  readonly failedAt: Date;
  /** When it was retried or discarded; null while it is open. */
  readonly settledAt: Date | null;
}

const cursorShape = z.tuple([z.int().nonnegative().max(8.64e15), z.uuid()]);

/** Open dead letters, of a channel or of all, newest first. */
export async function pageOpen(
  postgres: Queryable,
  page: PageRequest,
  channel: Channel | null,
): Promise<Connection<FailedNotification>> {
  const cursor = decodeCursor(page.cursor, cursorShape);
  const from = cursor ? [new Date(cursor[0]), cursor[1]] : LIST_START[page.direction];
  const isForward = page.direction === 'forward';
  const { rows } =
    channel === null
      ? await postgres.query(isForward ? statements.openForward : statements.openBackward, [
          ...from,
          page.limit + 1,
        ])
      : await postgres.query(isForward ? statements.openOfChannelForward : statements.openOfChannelBackward, [
          ...from,
          page.limit + 1,
          channel,
        ]);
  return toConnection(page, rows, ({ failedAt, deliveryId }) => encodeCursor(failedAt.getTime(), deliveryId));
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
