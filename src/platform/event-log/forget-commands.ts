import type { Clock } from '../clock.js';
import { createLookBack } from '../look-back.js';
import { loadStatements, type Queryable } from '../postgres.js';

const statements = loadStatements(new URL('./forget-commands.sql', import.meta.url), ['forgetCommands']);

/** A command id means the same command for this long; after that a repeat is a new command. */
export const COMMAND_WINDOW_MS = 2 * 86_400_000;

/**
 * Deletes the first results of commands whose window is over, at most as many as asked for, from the oldest on.
 *
 * @returns answers how many
 */
export function createForgetCommands(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
}): (limit: number) => Promise<number> {
  const lookBack = createLookBack();
  return (limit) =>
    lookBack.look(
      async (backMs) => {
        const before = new Date(deps.clock.now() - COMMAND_WINDOW_MS);
        return (await deps.postgres.query(statements.forgetCommands, [before, limit, backMs])).rowCount ?? 0;
      },
      (forgotten) => forgotten < limit,
    );
}
