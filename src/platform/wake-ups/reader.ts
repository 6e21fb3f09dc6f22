import { AsyncLocalStorage } from 'node:async_hooks';
import { tracer } from '../tracing/tracing.js';

/** Somebody who waits for an answer to a read. */
export interface Reader {
  /** Aborts when they have gone: nobody needs the answer any more. */
  readonly signal: AbortSignal;
  /**
   * Who asks a query, null for an anonymous caller. Absent where the answer must be as new as what led to it, such as the event
   * of a subscription: no replica gives it.
   */
  readonly viewer?: { readonly userId: string } | null;
}

const readers = new AsyncLocalStorage<Reader | undefined>();

/**
 * Does work that nobody needs but this reader: the statements that it waits for when they leave are cancelled, and none
 * begins after. Never for what changes anything. `signal` is asked for only where a statement runs.
 */
export const forReader = <T>(reader: Reader, work: () => T): T => readers.run(reader, work);

/**
 * Does work that others than the reader at hand wait for too, or that must be done even when the reader leaves: what fills a cache,
 * what is read once for all who ask, what is written. It belongs to nobody's trace.
 */
export function forEverybody<T>(work: () => T): T {
  const using = tracer();
  const alone = using ? () => using.outside(work) : work;
  return readers.getStore() ? readers.run(undefined, alone) : alone();
}

/** For whom alone the work under way is done. */
export const currentReader = (): Reader | undefined => readers.getStore();
