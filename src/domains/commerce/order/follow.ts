import { type Caller, mayActFor } from '../../../platform/caller.js';
import { PublicError } from '../../../platform/errors.js';
import type { RecordedEvent } from '../../../platform/event-log/index.js';
import { encodeCursor } from '../../../platform/paging.js';
import { beginAfter, type FollowHub, type FollowLog, readFollowCursor, versionsReached } from '../follow.js';
import type { ReadDeps } from '../read.js';
import { orderIdRule } from '../rules.js';
import { type OrderEvent, orderStream, orderTopic, readOrderEvent } from './events.js';
import type { Order, OrderStatus, OrderUpdate } from './order.js';
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
  await assertOwnOrder(log, caller, orderId);
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
 * The order as it was at a version: what its later events made of it is undone. Each sets fields of its own.
 *
 * @param events all of its stream that is in the order, or more
 */
export function orderAt(order: Order, events: readonly RecordedEvent[], version: number): Order {
  const facts = events.map(readOrderEvent);
  const { type } = facts[version]!;
  return { ...facts.slice(version + 1).reduce(without, order), status: statusAfter[type], version };
}

const statusAfter: Readonly<Record<OrderEvent['type'], OrderStatus>> = {
  OrderPlaced: 'CONFIRMED',
  OrderShipped: 'SHIPPED',
  OrderCancelled: 'CANCELLED',
};

/** The order without what an event sets besides its status. */
function without(order: Order, { type }: OrderEvent): Order {
  switch (type) {
    case 'OrderPlaced':
      return order;
    case 'OrderShipped':
      return { ...order, trackingNumber: null, shippedAt: null };
    case 'OrderCancelled':
      return { ...order, cancelledAt: null, cancellationReason: null };
    default:
      return type satisfies never;
  }
}

/** By the log itself: the order need not be in the read model yet. */
async function assertOwnOrder(log: FollowLog, caller: Caller, orderId: string): Promise<void> {
  const [first] = orderIdRule.shape.test(orderId) ? await log.readStream(orderStream(orderId), -1, 1) : [];
  const placed = first && readOrderEvent(first);
  if (placed?.type !== 'OrderPlaced' || !mayActFor(caller, placed.data.ownerId))
    throw new PublicError('NOT_FOUND', 'There is no such order');
}
