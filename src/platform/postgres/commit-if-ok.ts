import type { Result } from '../errors.js';
import type { Postgres, Queryable } from './postgres.js';

/** Ends a transaction whose work was refused. */
class Refusal extends Error {
  constructor(readonly result: Result<never>) {
    super('refused');
  }
}

/** Runs `work` in one transaction: committed where it is accepted, rolled back where it is refused or rejects. */
export async function commitIfOk<Value>(
  postgres: Pick<Postgres, 'transaction'>,
  work: (tx: Queryable) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  try {
    return await postgres.transaction(async (tx) => {
      const result = await work(tx);
      if (!result.ok) throw new Refusal(result);
      return result;
    });
  } catch (error) {
    if (error instanceof Refusal) return error.result;
    throw error;
  }
}
