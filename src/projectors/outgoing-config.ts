import { z } from 'zod';
import type { PresentVariables } from '../platform/config.js';

export const outgoingVariables = {
  EVENT_STREAM_LENGTH: z.coerce.number().int().min(0).max(10_000_000).default(0),
  EVENT_STREAM_NATS_URL: z
    .url({ protocol: /^(nats|tls)$/, error: 'must be a URL that starts with nats:// or tls://' })
    .optional(),
};

export interface OutgoingConfig {
  /** How many events the outgoing stream keeps; 0: there is none. */
  readonly eventStreamLength: number;
  /** Where it is instead of the processes' own Redis. */
  readonly eventStreamNats?: URL;
}

export const readOutgoing = (e: z.infer<z.ZodObject<typeof outgoingVariables>>): OutgoingConfig => ({
  eventStreamLength: e.EVENT_STREAM_LENGTH,
  ...(e.EVENT_STREAM_NATS_URL !== undefined && { eventStreamNats: new URL(e.EVENT_STREAM_NATS_URL) }),
});

export const outgoingFaults = (present: PresentVariables): readonly string[] =>
  present.EVENT_STREAM_NATS_URL && !Number(present.EVENT_STREAM_LENGTH)
    ? ['EVENT_STREAM_LENGTH is missing: how many events stay at EVENT_STREAM_NATS_URL']
    : [];
