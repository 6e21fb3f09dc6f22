import type { RecordedEvent } from '../../../platform/event-log/index.js';
import type { Optional } from '../command.js';
import { formatAmount, minorUnitsOf } from '../money.js';
import { mustExist } from '../must-exist.js';
import type { ReplayView } from '../replay-snapshots.js';
import { SHOP_CURRENCY } from '../shop.js';
import { productIdOf, readProductEvent } from './events.js';
import { evolveStock, type Stock } from './state.js';

/** A product as queries show it. */
export interface Product {
  readonly productId: string;
  readonly name: string;
  /** A decimal of the shop's currency. */
  readonly unitPrice: string;
  /** On hand, reserved units included. */
  readonly inStock: number;
  /** Ordered and not shipped yet. */
  readonly reserved: number;
  readonly version: number;
}

/** Its version is raised whenever the fields of `Product`, or what `productAfter` makes of events, change: see `ReplayView`. */
export const productView: ReplayView = { name: 'product', version: 2 };

/** The product after one more event of its stream: its stock, as orders are held against it. */
export function productAfter(before: Product | null | undefined, recorded: RecordedEvent): Product {
  const event = readProductEvent(recorded);
  const stock = !before && event.type === 'ProductSaved' ? null : stockOf(mustExist(before, recorded));
  const { name, unitPrice, onHand, reserved } = evolveStock(stock, event);
  return {
    productId: productIdOf(recorded.streamId),
    name,
    unitPrice: formatAmount(unitPrice, SHOP_CURRENCY),
    inStock: onHand,
    reserved,
    version: recorded.streamPosition,
  };
}

const stockOf = ({ name, unitPrice, inStock, reserved }: Product): Stock => ({
  name,
  unitPrice: minorUnitsOf(unitPrice, SHOP_CURRENCY),
  onHand: inStock,
  reserved,
});

export interface SaveProductInput {
  readonly productId: string;
  readonly name: string;
  /** A plain decimal. */
  readonly unitPrice: string;
  /** On hand, reserved units included. */
  readonly inStock: number;
  readonly commandId?: Optional<string>;
}
