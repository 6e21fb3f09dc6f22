import type { Caller } from '../../../platform/caller.js';
import type { FollowDeps } from '../account/follow.js';
import type { OrderUpdate } from './order.js';

export async function* followOrder(
  _deps: FollowDeps,
  _caller: Caller,
  _orderId: string,
  _after: string | null,
  _signal: AbortSignal,
): AsyncGenerator<OrderUpdate> {
  throw new Error('not written yet');
}
