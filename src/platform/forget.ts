import { createLookBack } from './look-back.js';
import type { Queryable, Statement } from './postgres/postgres.js';

/** Takes up at most about `limit` rows that are over and answers how many; fewer: all is done for now. */
export type Forget = (limit: number) => Promise<number>;

/**
 * Forgets the rows of one table from the oldest on.
 *
 * @param statement its parameters: `kept()`, at most so many rows, and how many milliseconds before it looks, null for everything
 * @param kept what says which rows are over, asked for at each call
 */
export function createForget(postgres: Queryable, statement: Statement, kept: () => unknown): Forget {
  const lookBack = createLookBack();
  return (limit) =>
    lookBack.look(
      async (backMs) => (await postgres.query(statement, [await kept(), limit, backMs])).rowCount ?? 0,
      (forgotten) => forgotten < limit,
    );
}

/** Goes on until nothing is left, or for so many batches; the next run goes on. */
export async function forgetInBatches(
  forget: Forget,
  { batch, batches, signal }: { batch: number; batches: number; signal?: AbortSignal },
): Promise<void> {
  for (let run = 0; run < batches && !signal?.aborted; run++) if ((await forget(batch)) < batch) return;
}
