import type { Clock } from '../../../platform/clock.js';
import { createForget, type Forget } from '../../../platform/forget.js';
import type { Queryable } from '../../../platform/postgres.js';
import { DEDUP_WINDOW_MS } from './dedup.js';
import { sql } from './forget.sql.js';

/** Forgets notification ids whose deduplication window is over. */
export const createForgetIds = (deps: { readonly postgres: Queryable; readonly clock: Clock }): Forget =>
  createForget(deps.postgres, sql.forgetIds, () => new Date(deps.clock.now() - DEDUP_WINDOW_MS));
