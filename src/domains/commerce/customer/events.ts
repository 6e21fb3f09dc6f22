import { z } from 'zod';
import { defineEvents, type EventOf, schemaVersion } from '../../../platform/event-log/define-events.js';
import { decimal } from '../event-fields.js';

const customerEvents = defineEvents({
  CustomerRegistered: z.object({
    customerId: z.string(),
    userId: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    creditLimit: decimal,
    version: z.literal(2),
  }),
  CustomerStatusSet: z.object({
    customerId: z.string(),
    isActive: z.boolean(),
    creditLimit: decimal,
    version: schemaVersion,
  }),
  PaymentRecorded: z.object({
    customerId: z.string(),
    amount: decimal,
    reference: z.string().nullable(),
    version: schemaVersion,
  }),
});

/** Everything that can happen to a customer in the customer's own stream; what they owe also follows from their orders. */
export type CustomerEvent = EventOf<typeof customerEvents>;
export type CustomerRegistered = Extract<CustomerEvent, { type: 'CustomerRegistered' }>['data'];

export const { types: customerEventTypes, read: readCustomerEvent } = customerEvents;

const STREAM_PREFIX = 'Customer-';
export const customerStream = (customerId: string): string => `${STREAM_PREFIX}${customerId}`;
export const customerIdOf = (streamId: string): string => streamId.slice(STREAM_PREFIX.length);

/** Wake-ups about a customer; their payload is `{ version }`. */
export const customerTopic = (customerId: string): string => `customer:${customerId}`;
