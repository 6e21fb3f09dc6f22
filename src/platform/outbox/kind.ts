import type { z } from 'zod';
import type { Queryable } from '../postgres.js';
import type { Queues } from '../queues.js';

/** Work that must be done, whatever becomes of the process that added it, or of Redis. */
export interface OutboxEntry<Payload> {
  readonly payload: Payload;
  readonly correlationId: string;
}

/** What enqueues entries is given. */
export interface Relay {
  readonly postgres: Queryable;
  readonly queues: Pick<Queues, 'enqueueMany'>;
}

/** A kind of work. Adding and completing are transactional; doing it is not, and must be safe to repeat. */
export interface OutboxKind<Payload> {
  /** Stands in the entries' rows: 32 characters at most, never changed. */
  readonly name: string;
  readonly payload: z.ZodType<Payload>;
  /** What an entry is about, among its kind: it is there once, however often it is added. Never the same for something that comes later. */
  readonly keyOf: (payload: Payload) => string;
  /** When an entry that was added is first due; by default after the first retry's interval. */
  readonly dueAfterMs?: number;
  /** The interval to the first retry, doubled each time up to the longest; 10 s and an hour by default. */
  readonly retry?: { readonly firstMs: number; readonly longestMs: number };
  /** Enqueues the jobs that do the work. Jobs that are lost are made up for when entries are due. */
  readonly enqueue: (relay: Relay, entries: readonly OutboxEntry<Payload>[]) => Promise<void>;
}

/** Declares a kind of work. The payload is parsed when it is added and again when it is claimed. */
export const defineOutboxKind = <Payload>(kind: OutboxKind<Payload>): OutboxKind<Payload> => kind;
