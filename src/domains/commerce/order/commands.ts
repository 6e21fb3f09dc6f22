import type { Caller } from '../../../platform/caller.js';
import type { Result } from '../../../platform/errors.js';
import type { Accepted, CommandDeps } from '../command.js';
import type { CancelOrderInput, PlaceOrderInput, ShipOrderInput } from './order.js';

export async function placeOrder(
  _deps: CommandDeps,
  _caller: Caller,
  _input: PlaceOrderInput,
): Promise<Result<Accepted>> {
  throw new Error('not written yet');
}
export async function shipOrder(
  _deps: CommandDeps,
  _caller: Caller,
  _input: ShipOrderInput,
): Promise<Result<Accepted>> {
  throw new Error('not written yet');
}
export async function cancelOrder(
  _deps: CommandDeps,
  _caller: Caller,
  _input: CancelOrderInput,
): Promise<Result<Accepted>> {
  throw new Error('not written yet');
}
