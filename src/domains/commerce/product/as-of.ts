import type { Caller } from '../../../platform/auth/caller.js';
import { isId } from '../read.js';
import { assertDate, type ReplayDeps, replayUntil } from '../replay.js';
import { productStream } from './events.js';
import { type Product, productAfter, productView } from './product.js';

/**
 * A product as it was at a moment, to everybody who is signed in; null where there is none. See `replayUntil`.
 *
 * @throws PublicError what `replayUntil` throws
 */
export async function readProductAsOf(
  deps: ReplayDeps,
  caller: Caller,
  productId: string,
  asOf: Date,
): Promise<Product | null> {
  assertDate(asOf);
  const streamId = productStream(productId);
  if (!isId(productId) || (await deps.log.readStream(streamId, -1, 1)).length === 0) return null;
  const of = { streamId, view: productView, what: 'product', asOf };
  return replayUntil<Product>(deps, caller, of, productAfter);
}
