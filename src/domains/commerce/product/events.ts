import { z } from 'zod';
import type { RecordedEvent } from '../../../platform/event-log/index.js';
import { decimal, schemaVersion } from '../event-fields.js';

/** Units of a product that one order takes, gives back, or carries away. */
const movement = z.object({
  orderId: z.string(),
  productId: z.string(),
  quantity: z.int().positive(),
  version: schemaVersion,
});

const productEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ProductSaved'),
    data: z.object({
      productId: z.string(),
      name: z.string(),
      unitPrice: decimal,
      /** On hand, reserved units included. */
      inStock: z.int().nonnegative(),
      version: schemaVersion,
    }),
  }),
  z.object({ type: z.literal('InventoryReserved'), data: movement }),
  z.object({ type: z.literal('InventoryReleased'), data: movement }),
  z.object({ type: z.literal('InventoryShipped'), data: movement }),
]);

/** Everything that can happen to a product and its stock. */
export type ProductEvent = z.infer<typeof productEvent>;

export const productEventTypes: ReadonlySet<string> = new Set(
  productEvent.options.map(({ shape }) => shape.type.value),
);

/**
 * Reads an event of a product's stream.
 *
 * @throws where it is none
 */
export const readProductEvent = ({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): ProductEvent =>
  productEvent.parse({ type, data });

const STREAM_PREFIX = 'Product-';
export const productStream = (productId: string): string => `${STREAM_PREFIX}${productId}`;
export const productIdOf = (streamId: string): string => streamId.slice(STREAM_PREFIX.length);

/** Wake-ups about a product; their payload is `{ version }`. */
export const productTopic = (productId: string): string => `product:${productId}`;
