import { type Caller, mayActFor } from '../../../platform/caller.js';
import { PublicError } from '../../../platform/errors.js';
import type { RecordedEvent } from '../../../platform/event-log/index.js';
import { encodeCursor } from '../../../platform/paging.js';
import { beginAfter, type FollowDeps, readFollowCursor, versionsReached } from '../follow.js';
import { orderIdRule } from '../rules.js';
import { type OrderEvent, orderStream, orderTopic, readOrderEvent } from './events.js';
import type { Order, OrderStatus, OrderUpdate } from './order.js';

interface OrderFollowDeps extends Pick<FollowDeps, 'log' | 'hub'> {
  /** From the read model; null while it has no such order. */
  findOrder(orderId: string): Promise<Order | null>;
}

/**
 * The order after each of its events, from after a cursor or from now on, in order, without gap or repeat, until
 * `signal` aborts; to its owner or an admin. Whoever is told of a version and asks for the order sees it.
 *
 * @throws PublicError NOT_FOUND, BAD_CURSOR
 */
export async function* followOrder(
  { log, hub, findOrder }: OrderFollowDeps,
  caller: Caller,
  orderId: string,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<OrderUpdate> {
  await assertOwnOrder(log, caller, orderId);
  const cursor = readFollowCursor(after, orderId);
  const readVersion = async (): Promise<number> => (await findOrder(orderId))?.version ?? -1;
  let told: number | undefined;
  for await (const reached of versionsReached(hub, { topic: orderTopic(orderId), readVersion }, signal)) {
    told ??= beginAfter(cursor, reached);
    if (told >= reached) continue;
    // The order first: then the log has every event that is in it.
    const order = await findOrder(orderId);
    const events = await log.readStream(orderStream(orderId));
    while (order && told < order.version) {
      if (signal.aborted) return;
      told += 1;
      yield { cursor: encodeCursor(orderId, told), order: orderAt(order, events, told) };
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
async function assertOwnOrder(log: FollowDeps['log'], caller: Caller, orderId: string): Promise<void> {
  const [first] = orderIdRule.shape.test(orderId) ? await log.readStream(orderStream(orderId), -1, 1) : [];
  const placed = first && readOrderEvent(first);
  if (placed?.type !== 'OrderPlaced' || !mayActFor(caller, placed.data.ownerId))
    throw new PublicError('NOT_FOUND', 'There is no such order');
}
