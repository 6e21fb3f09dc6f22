import { z } from 'zod';
import type { RecordedEvent } from '../../../platform/event-log/index.js';
import { decimal, schemaVersion } from '../event-fields.js';

const customerEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('CustomerRegistered'),
    data: z.object({
      customerId: z.string(),
      userId: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      email: z.string(),
      creditLimit: decimal,
      version: z.literal(2),
    }),
  }),
  z.object({
    type: z.literal('CustomerStatusSet'),
    data: z.object({
      customerId: z.string(),
      isActive: z.boolean(),
      creditLimit: decimal,
      version: schemaVersion,
    }),
  }),
  z.object({
    type: z.literal('PaymentRecorded'),
    data: z.object({
      customerId: z.string(),
      amount: decimal,
      reference: z.string().nullable(),
      version: schemaVersion,
    }),
  }),
]);

/** Everything that can happen to a customer in the customer's own stream; what they owe also follows from their orders. */
export type CustomerEvent = z.infer<typeof customerEvent>;

export const customerEventTypes: ReadonlySet<string> = new Set(
  customerEvent.options.map(({ shape }) => shape.type.value),
);

/**
 * Reads an event of a customer's stream.
 *
 * @throws where it is none
 */
export const readCustomerEvent = ({ type, data }: Pick<RecordedEvent, 'type' | 'data'>): CustomerEvent =>
  customerEvent.parse({ type, data });

const STREAM_PREFIX = 'Customer-';
export const customerStream = (customerId: string): string => `${STREAM_PREFIX}${customerId}`;
export const customerIdOf = (streamId: string): string => streamId.slice(STREAM_PREFIX.length);

/** Wake-ups about a customer; their payload is `{ version }`. */
export const customerTopic = (customerId: string): string => `customer:${customerId}`;
