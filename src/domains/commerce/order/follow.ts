import type { Caller } from '../../../platform/auth/caller.js';
import { PublicError } from '../../../platform/errors.js';
import type { RecordedEvent } from '../../../platform/event-log/index.js';
import { encodeCursor } from '../../../platform/paging.js';
import { beginAfter, type FollowHub, type FollowLog, readFollowCursor, versionsReached } from '../follow.js';
import type { ReadDeps } from '../read.js';
import { orderStream, orderTopic, readOrderEvent } from './events.js';
import { type Order, type OrderUpdate, orderAfter } from './order.js';
import { findOwnOrder } from './owner.js';
import { readOrder } from './read.js';

/**
 * The order after each of its events, from after a cursor or from now on, in order, without gap or repeat, until
 * `signal` aborts; to its owner or an admin. A query for the order after that sees at least the update's version.
 *
 * @throws PublicError NOT_FOUND, BAD_CURSOR
 */
export async function* followOrder(
  deps: ReadDeps & { readonly log: FollowLog },
  hub: FollowHub,
  caller: Caller,
  orderId: string,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<OrderUpdate> {
  const { log } = deps;
  if (!(await findOwnOrder(log, caller, orderId)))
    throw new PublicError('NOT_FOUND', 'There is no such order');
  const cursor = readFollowCursor(after, orderId);
  // Null while the read model has no such order.
  const findOrder = () => readOrder(deps, caller, orderId);
  const readVersion = async (): Promise<number> => (await findOrder())?.version ?? -1;
  let version: number | undefined;
  for await (const reached of versionsReached(hub, { topic: orderTopic(orderId), readVersion }, signal)) {
    version ??= beginAfter(cursor, reached);
    if (version >= reached) continue;
    // The order first: then the log has every event that is in it.
    const order = await findOrder();
    const events = await log.readStream(orderStream(orderId));
    while (order && version < order.version) {
      if (signal.aborted) return;
      version += 1;
      yield { cursor: encodeCursor(orderId, version), order: orderAt(order, events, version) };
    }
  }
}

/**
 * The order as it was at a version, with its customer as the order has them.
 *
 * @param events all of its stream that is in the order, or more
 */
export function orderAt(order: Order, events: readonly RecordedEvent[], version: number): Order {
  const customer = { name: order.customerName, email: order.customerEmail };
  return events
    .slice(0, version + 1)
    .reduce<Order>(
      (before, event) => orderAfter(before, readOrderEvent(event), event, () => customer),
      order,
    );
}
