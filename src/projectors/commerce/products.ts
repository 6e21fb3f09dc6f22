import { productEventTypes, productIdOf, productTopic } from '../../domains/commerce/product/events.js';
import { type Product, productAfter } from '../../domains/commerce/product/product.js';
import { sql } from '../../domains/commerce/product/products.sql.js';
import type { Projector } from '../../platform/projector/projector.js';
import type { WakeUpPublisher } from '../../platform/wake-ups/wake-ups.js';
import { publishVersions, startFold } from './fold.js';

/** Keeps products and their stock. */
export const products = (wakeUps: WakeUpPublisher): Projector => ({
  name: 'products',
  tables: ['products'],
  eventTypes: productEventTypes,
  async apply(events, tx) {
    const ids = events.map(({ streamId }) => productIdOf(streamId));
    const fold = await startFold<Product>(tx, sql.readStoredProducts, ids, ({ productId }) => productId);
    for (const event of events) {
      fold.apply(productIdOf(event.streamId), event, (product) => productAfter(product, event));
    }
    const changed = fold.changed();
    if (changed.length > 0) await tx.query(sql.writeProducts, [JSON.stringify(changed)]);
    return publishVersions(wakeUps, changed, ({ productId }) => productTopic(productId));
  },
});
