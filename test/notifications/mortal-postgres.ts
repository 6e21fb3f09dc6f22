import type { Postgres, Queryable } from '../../src/platform/postgres/postgres.js';

/** Every place at which a process may die that runs so many statements. */
export const deaths = (statements: number) =>
  (['before', 'after'] as const).flatMap((when) =>
    Array.from({ length: statements }, (_, at) => ({ when, at })),
  );

/**
 * A database whose connections break at the n-th statement or commit from now on: before it has its effect, or after.
 *
 * @param forGood nothing works afterwards, as for a process that was killed
 */
export function mortal(
  postgres: Postgres,
  when: 'before' | 'after',
  at: number,
  { forGood = false }: { readonly forGood?: boolean } = {},
): Postgres {
  let left = at;
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    const isLast = left-- === 0;
    if (forGood && left < -1) throw new Error('killed');
    if (isLast && when === 'before') throw new Error('killed');
    const result = await work();
    if (isLast) throw new Error('killed');
    return result;
  };
  const dying = (on: Queryable): Queryable => ({
    query: (statement, values) => run(() => on.query(statement, values)),
  });
  return {
    ...postgres,
    ...dying(postgres),
    async transaction(work) {
      const result = await postgres.transaction(async (tx) => {
        const result = await work(dying(tx));
        await run(async () => undefined);
        return result;
      });
      await run(async () => undefined);
      return result;
    },
  };
}

/** A database that waits before its first transaction. */
export function pausing(postgres: Postgres) {
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const { promise: released, resolve: goOn } = Promise.withResolvers<void>();
  const paused: Postgres = {
    ...postgres,
    async transaction(work) {
      reach();
      await released;
      return postgres.transaction(work);
    },
  };
  return { paused, reached, goOn };
}
