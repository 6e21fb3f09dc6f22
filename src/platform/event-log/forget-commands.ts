import type { Clock } from '../clock.js';
import { createForget, type Forget } from '../forget.js';
import type { Queryable } from '../postgres/postgres.js';
import { sql } from './forget-commands.sql.js';

/** A command id means the same command for this long; after that a repeat is a new command. */
export const COMMAND_WINDOW_MS = 2 * 86_400_000;

/** Forgets the first results of commands whose window is over. */
export const createForgetCommands = (deps: { readonly postgres: Queryable; readonly clock: Clock }): Forget =>
  createForget(deps.postgres, sql.forgetCommands, () => new Date(deps.clock.now() - COMMAND_WINDOW_MS));
