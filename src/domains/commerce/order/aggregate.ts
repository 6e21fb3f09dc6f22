import type { Aggregate } from '../../../platform/event-log/aggregate.js';
import { decide, type OrderCommand } from './decide.js';
import { type OrderEvent, readOrderEvent } from './events.js';
import { evolve, type OrderState, orderSnapshot, unknownOrder } from './state.js';

/** Orders, in streams `Order-<order id>`. */
export const orderAggregate: Aggregate<OrderState, OrderCommand, OrderEvent> = {
  initial: unknownOrder,
  decide,
  evolve,
  read: readOrderEvent,
  snapshot: orderSnapshot,
};
