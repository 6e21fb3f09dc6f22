import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createOutbox, type Outbox, type OutboxKind, type Relay } from '../../src/platform/outbox/index.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';

/** An outbox of the test's own. Without queues, what it enqueues is lost, as with a Redis that forgets. */
export const outboxOn = (
  postgres: Queryable,
  queues: Relay['queues'] = { enqueueMany: async () => undefined },
): Outbox => createOutbox({ postgres, queues, logger: pino({ level: 'silent' }), metrics: new Registry() });

type Kind = Pick<OutboxKind<never>, 'name'>;

/** The keys of a kind's entries. */
export async function keysOf(postgres: Queryable, { name }: Kind): Promise<string[]> {
  const { rows } = await postgres.query<{ key: string }>(
    `SELECT substr(key, length(kind) + 2) AS key FROM outbox WHERE kind = $1 ORDER BY key`,
    [name],
  );
  return rows.map(({ key }) => key);
}

/** As if a kind's entries, or one of them, had been there for a while. */
export async function makeDue(postgres: Queryable, { name }: Kind, key?: string): Promise<void> {
  await postgres.query(
    `UPDATE outbox SET due_at = now() - interval '1 millisecond' 
     WHERE kind = $1 AND key = coalesce($1 || ':' || $2, key)`,
    [name, key ?? null],
  );
}
