import {
  type ProductEvent,
  productEventTypes,
  productIdOf,
  productTopic,
  readProductEvent,
} from '../../domains/commerce/product/events.js';
import type { RecordedEvent } from '../../platform/event-log/index.js';
import { loadStatements } from '../../platform/postgres.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups.js';
import { mustExist, startFold, type Unplaced } from './fold.js';

const sql = loadStatements(new URL('./products.sql', import.meta.url), ['readProducts', 'writeProducts']);

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
      const fold = await startFold<ProductRow>(tx, sql.readProducts, ids, ({ product_id }) => product_id);
      for (const event of events) {
        fold.apply(productIdOf(event.streamId), event, (row) => after(row, readProductEvent(event), event));
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

/** The product after an event. */
function after(
  row: ProductRow | undefined,
  { type, data }: ProductEvent,
  event: RecordedEvent,
): Unplaced<ProductRow> {
  const version = event.streamPosition;
  if (type === 'ProductSaved') {
    return {
      product_id: productIdOf(event.streamId),
      name: data.name,
      unit_price: data.unitPrice,
      on_hand: data.inStock,
      reserved: row?.reserved ?? 0,
      version,
    };
  }
  const product = mustExist(row, event);
  switch (type) {
    case 'InventoryReserved':
      return { ...product, reserved: product.reserved + data.quantity, version };
    case 'InventoryReleased':
      return { ...product, reserved: product.reserved - data.quantity, version };
    case 'InventoryShipped':
      return {
        ...product,
        on_hand: product.on_hand - data.quantity,
        reserved: product.reserved - data.quantity,
        version,
      };
    default:
      return type satisfies never;
  }
}
