import { z } from 'zod';
import { defineEvents, type EventOf, schemaVersion } from '../../../platform/event-log/define-events.js';
import { decimal } from '../event-fields.js';

/** Units of a product that one order takes, gives back, or carries away. */
const movement = z.object({
  orderId: z.string(),
  productId: z.string(),
  quantity: z.int().positive(),
  version: schemaVersion,
});

const productEvents = defineEvents({
  ProductSaved: z.object({
    productId: z.string(),
    name: z.string(),
    unitPrice: decimal,
    /** On hand, reserved units included. */
    inStock: z.int().nonnegative(),
    version: schemaVersion,
  }),
  InventoryReserved: movement,
  InventoryReleased: movement,
  InventoryShipped: movement,
});

/** Everything that can happen to a product and its stock. */
export type ProductEvent = EventOf<typeof productEvents>;

export const { types: productEventTypes, read: readProductEvent } = productEvents;

const STREAM_PREFIX = 'Product-';
export const productStream = (productId: string): string => `${STREAM_PREFIX}${productId}`;
export const productIdOf = (streamId: string): string => streamId.slice(STREAM_PREFIX.length);

/** Wake-ups about a product; their payload is `{ version }`. */
export const productTopic = (productId: string): string => `product:${productId}`;
