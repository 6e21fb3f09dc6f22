import { loadStatements, type Queryable } from '../postgres.js';

const statements = loadStatements(new URL('./forget-commands.sql', import.meta.url), ['forgetCommands']);

/** A command id means the same command for this long; after that a repeat is a new command. */
export const COMMAND_WINDOW_MS = 2 * 86_400_000;

/**
 * Deletes the first results of commands whose window is over, `limit` at most.
 *
 * @returns how many
 */
export async function forgetCommands(postgres: Queryable, now: number, limit: number): Promise<number> {
  const result = await postgres.query(statements.forgetCommands, [new Date(now - COMMAND_WINDOW_MS), limit]);
  return result.rowCount ?? 0;
}
