import type { Clock } from '../clock.js';
import { createForget, type Forget } from '../forget.js';
import { loadStatements, type Queryable } from '../postgres.js';

const sql = loadStatements(new URL('./forget-commands.sql', import.meta.url), ['forgetCommands']);

/** A command id means the same command for this long; after that a repeat is a new command. */
export const COMMAND_WINDOW_MS = 2 * 86_400_000;

/** Forgets the first results of commands whose window is over. */
export const createForgetCommands = (deps: { readonly postgres: Queryable; readonly clock: Clock }): Forget =>
  createForget(deps.postgres, sql.forgetCommands, () => new Date(deps.clock.now() - COMMAND_WINDOW_MS));
