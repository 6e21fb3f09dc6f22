import { formatAmount, minorUnitsOf } from '../../domains/commerce/money.js';
import {
  productEventTypes,
  productIdOf,
  productTopic,
  readProductEvent,
} from '../../domains/commerce/product/events.js';
import { evolveStock, type Stock } from '../../domains/commerce/product/state.js';
import { SHOP_CURRENCY } from '../../domains/commerce/shop.js';
import type { RecordedEvent } from '../../platform/event-log/index.js';

import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups.js';
import { mustExist, startFold, type Unplaced } from './fold.js';
import { sql } from './products.sql.js';

/** A product as its table has it. The price is decimal text. */
interface ProductRow {
  readonly product_id: string;
  readonly name: string;
  readonly unit_price: string;
  /** Reserved units included. */
  readonly on_hand: number;
  readonly reserved: number;
  readonly version: number;
  readonly last_event_position: number;
}

/** Keeps products and their stock. */
export function products(wakeUps: WakeUpPublisher): Projector {
  return {
    name: 'products',
    tables: ['products'],
    eventTypes: productEventTypes,
    async apply(events, tx) {
      const ids = events.map(({ streamId }) => productIdOf(streamId));
      const fold = await startFold(tx, sql.readProducts, ids, ({ product_id }) => product_id);
      for (const event of events) {
        fold.apply(productIdOf(event.streamId), event, (row) => after(row, event));
      }
      const changed = fold.changed();
      if (changed.length > 0) await tx.query(sql.writeProducts, [JSON.stringify(changed)]);
      return () =>
        wakeUps.publish(
          changed.map(({ product_id, version }) => ({
            topics: [productTopic(product_id)],
            payload: { version },
          })),
        );
    },
  };
}

/** The product after an event: its stock, as orders are held against it. */
function after(row: ProductRow | undefined, event: RecordedEvent): Unplaced<ProductRow> {
  const fact = readProductEvent(event);
  const before = !row && fact.type === 'ProductSaved' ? null : stockOf(mustExist(row, event));
  const { name, unitPrice, onHand, reserved } = evolveStock(before, fact);
  return {
    product_id: productIdOf(event.streamId),
    name,
    unit_price: formatAmount(unitPrice, SHOP_CURRENCY),
    on_hand: onHand,
    reserved,
    version: event.streamPosition,
  };
}

const stockOf = ({ name, unit_price, on_hand, reserved }: ProductRow): Stock => ({
  name,
  unitPrice: minorUnitsOf(unit_price, SHOP_CURRENCY),
  onHand: on_hand,
  reserved,
});
