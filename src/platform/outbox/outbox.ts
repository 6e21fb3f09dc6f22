import { Histogram, type Registry } from 'prom-client';
import { z } from 'zod';
import type { EventMetadata } from '../event-log/index.js';
import type { Logger } from '../logging/logger.js';
import { createLookBack, type LookBack } from '../look-back.js';
import type { Queryable, RowOf } from '../postgres/postgres.js';
import type { Queues } from '../queues/queues.js';
import { sql } from './outbox.sql.js';

/** Work that must be done, whatever becomes of the process that added it, or of Redis. */
export interface OutboxEntry<Payload> {
  readonly payload: Payload;
  readonly correlationId: string;
  /** The trace that it goes on with; none where it has none. */
  readonly traceparent?: string | null | undefined;
}

/** What an entry has from the event that caused it. */
export const causedBy = ({ correlationId, traceparent }: EventMetadata) => ({
  correlationId,
  traceparent: traceparent ?? null,
});

/** What enqueues entries is given. */
export interface Relay {
  readonly postgres: Queryable;
  readonly queues: Pick<Queues, 'enqueueMany'>;
}

/** A kind of work. Adding and completing are transactional; doing it is not, and must be safe to repeat. */
export interface OutboxKind<Payload> {
  /** Stands in the entries' rows: 32 characters at most, never changed. */
  readonly name: string;
  /** Strict; see `defineOutboxKind`. */
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

/**
 * Declares a kind of work, by the members of its payload, which is parsed when it is added and again when it is claimed.
 *
 * A payload with a member that is not declared is not read: a later version added it, and knows what else there is to do.
 * Were it dropped, this program would do less and complete the entry. So all that SQL writes into payloads is declared too.
 */
export const defineOutboxKind = <Shape extends z.ZodRawShape>({
  payload,
  ...kind
}: Omit<OutboxKind<z.infer<z.ZodObject<Shape, z.core.$strict>>>, 'payload'> & {
  readonly payload: Shape;
}): OutboxKind<z.infer<z.ZodObject<Shape, z.core.$strict>>> => ({
  ...kind,
  payload: z.strictObject(payload),
});

const RETRY = { firstMs: 10_000, longestMs: 3_600_000 };

export interface Drain<Payload> {
  /** No more than are done before their first retry. */
  readonly atOnce: number;
  readonly signal: AbortSignal;
  /** @returns what is over; the rest is tried again */
  readonly work: (entries: readonly OutboxEntry<Payload>[]) => Promise<readonly OutboxEntry<Payload>[]>;
}

type Entries<Payload> = readonly OutboxEntry<NoInfer<Payload>>[];

export type Outbox = ReturnType<typeof createOutbox>;

/** A transactional outbox: work is added with what causes it, in one transaction, and is there until it is completed. */
export function createOutbox(deps: Relay & { readonly logger: Logger; readonly metrics: Registry }) {
  const { postgres, logger } = deps;
  const lookBacks = new Map<string, LookBack>();
  const attempts = new Histogram({
    name: 'outbox_attempts',
    help: 'Entries of the outbox that were taken up since they were due, by how often each had been taken up then',
    labelNames: ['kind'],
    buckets: [1, 2, 3, 5, 10, 20],
    registers: [deps.metrics],
  });

  function lookBackOf(name: string): LookBack {
    const lookBack = lookBacks.get(name) ?? createLookBack();
    lookBacks.set(name, lookBack);
    return lookBack;
  }

  /** What cannot be read, as of a later version, stays for a process that can. */
  function read<Payload>(kind: OutboxKind<Payload>, row: RowOf<typeof sql.claim>): OutboxEntry<Payload>[] {
    attempts.observe({ kind: kind.name }, row.attempts);
    const parsed = kind.payload.safeParse(row.payload);
    const { correlationId, traceparent } = row;
    if (parsed.success)
      return [{ payload: parsed.data, correlationId, ...(traceparent !== null && { traceparent }) }];
    logger.error({ err: parsed.error, kind: kind.name, key: row.key }, 'an outbox entry cannot be read');
    return [];
  }

  async function take<Payload>(kind: OutboxKind<Payload>, limit: number) {
    const { firstMs, longestMs } = kind.retry ?? RETRY;
    const rows = await lookBackOf(kind.name).look(
      async (backMs) =>
        (await postgres.query(sql.claim, [kind.name, limit, backMs, firstMs, longestMs])).rows,
      (claimed) => claimed.length < limit,
    );
    return { taken: rows.length, entries: rows.flatMap((row) => read(kind, row)) };
  }

  /** The work is done, or will never be. */
  async function complete<Payload>(
    kind: OutboxKind<Payload>,
    payloads: readonly NoInfer<Payload>[],
  ): Promise<void> {
    if (payloads.length === 0) return;
    await postgres.query(sql.complete, [keysOf(kind, payloads)]);
  }

  return {
    complete,
    /** Claims what is due, `limit` at most: nobody else does until the entry's next interval is over. */
    claim: async <Payload>(kind: OutboxKind<Payload>, limit: number) => (await take(kind, limit)).entries,
    /**
     * Adds entries in the caller's transaction.
     *
     * @returns enqueues their jobs: to be called after the commit, best effort
     */
    async add<Payload>(tx: Queryable, kind: OutboxKind<Payload>, entries: Entries<Payload>) {
      if (entries.length === 0) return async () => undefined;
      const payloads = entries.map(({ payload }) => kind.payload.parse(payload));
      await tx.query(sql.add, [
        kind.name,
        keysOf(kind, payloads),
        payloads.map((payload) => JSON.stringify(payload)),
        entries.map(({ correlationId }) => correlationId),
        kind.dueAfterMs ?? (kind.retry ?? RETRY).firstMs,
        entries.map(({ traceparent = null }) => traceparent),
      ]);
      return () => kind.enqueue(deps, entries);
    },
    /** Enqueues the jobs of entries that were added otherwise, by SQL. */
    enqueue: <Payload>(kind: OutboxKind<Payload>, entries: Entries<Payload>) => kind.enqueue(deps, entries),
    /** What was claimed and could not be enqueued is due again, and not counted as an attempt. */
    async release<Payload>(kind: OutboxKind<Payload>, claimed: Entries<Payload>): Promise<void> {
      const payloads = claimed.map(({ payload }) => payload);
      await postgres.query(sql.release, [keysOf(kind, payloads)]);
    },
    /**
     * Claims what is due, so much at once, and completes what `work` answers; until nothing is due, or the signal aborts.
     * For kinds of which one job does everything that is due.
     *
     * @returns how many entries were completed
     */
    async drain<Payload>(
      kind: OutboxKind<Payload>,
      { atOnce, signal, work }: Drain<Payload>,
    ): Promise<number> {
      let completed = 0;
      while (!signal.aborted) {
        const { taken, entries } = await take(kind, atOnce);
        if (taken === 0) break;
        const over = await work(entries);
        await complete(
          kind,
          over.map(({ payload }) => payload),
        );
        completed += over.length;
      }
      return completed;
    },
  };
}

const keysOf = <Payload>({ name, keyOf }: OutboxKind<Payload>, payloads: readonly Payload[]): string[] =>
  payloads.map((payload) => `${name}:${keyOf(payload)}`);
