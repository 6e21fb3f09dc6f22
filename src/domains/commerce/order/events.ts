import { z } from 'zod';
import { defineEvents, type EventOf, schemaVersion } from '../../../platform/event-log/define-events.js';
import { decimal } from '../event-fields.js';

const timestamp = z.iso.datetime();

const orderEvents = defineEvents({
  OrderPlaced: z.object({
    orderId: z.string(),
    customerId: z.string(),
    /** The user whom the customer belongs to. */
    ownerId: z.string(),
    /** As they were ordered, each with the product's name at the time. */
    items: z.array(
      z.object({
        productId: z.string(),
        productName: z.string(),
        quantity: z.int().positive(),
        unitPrice: decimal,
        lineTotal: decimal,
      }),
    ),
    totalAmount: decimal,
    shippingAddress: z.object({
      street: z.string().nullable(),
      city: z.string(),
      zip: z.string(),
      country: z.string().nullable(),
    }),
    timestamp,
    version: schemaVersion,
  }),
  OrderShipped: z.object({
    orderId: z.string(),
    trackingNumber: z.string(),
    timestamp,
    version: schemaVersion,
  }),
  OrderCancelled: z.object({
    orderId: z.string(),
    /** Whose outstanding balance goes down, and by how much. */
    customerId: z.string(),
    totalAmount: decimal,
    reason: z.string(),
    timestamp,
    version: schemaVersion,
  }),
});

/** Everything that can happen to an order. */
export type OrderEvent = EventOf<typeof orderEvents>;
export type OrderPlaced = Extract<OrderEvent, { type: 'OrderPlaced' }>['data'];
export type OrderedItem = OrderPlaced['items'][number];
export type ShippingAddress = OrderPlaced['shippingAddress'];

export const { types: orderEventTypes, read: readOrderEvent } = orderEvents;

/** Those that change what their customer owes. */
export const debtEvents = orderEvents.only('OrderPlaced', 'OrderCancelled');

const STREAM_PREFIX = 'Order-';
export const orderStream = (orderId: string): string => `${STREAM_PREFIX}${orderId}`;
export const orderIdOf = (streamId: string): string => streamId.slice(STREAM_PREFIX.length);

/** Wake-ups about an order; their payload is `{ version }`. */
export const orderTopic = (orderId: string): string => `order:${orderId}`;
