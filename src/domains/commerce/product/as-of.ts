import type { Caller } from '../../../platform/caller.js';
import { formatAmount } from '../money.js';
import { isId } from '../read.js';
import { assertDate, type ReplayDeps, replayUntil } from '../replay.js';
import type { ReplayView } from '../replay-snapshots.js';
import { SHOP_CURRENCY } from '../shop.js';
import { productStream, readProductEvent } from './events.js';
import type { Product } from './product.js';
import { evolveStock, type Stock } from './state.js';

const VIEW: ReplayView = { name: 'product', version: 1 };

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
  const { stock, version } = await replayUntil<{ stock: Stock; version: number }>(
    deps,
    caller,
    { streamId, view: VIEW, what: 'product', asOf },
    (view, event) => ({
      stock: evolveStock(view?.stock ?? null, readProductEvent(event)),
      version: event.streamPosition,
    }),
  );
  return {
    productId,
    name: stock.name,
    unitPrice: formatAmount(stock.unitPrice, SHOP_CURRENCY),
    inStock: stock.onHand,
    reserved: stock.reserved,
    version,
  };
}
