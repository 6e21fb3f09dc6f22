import type { Clock } from '../../../platform/clock.js';
import { createForget, type Forget } from '../../../platform/forget.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { DAY } from '../durations.js';
import { sql as statements } from './forget.sql.js';

/** So long it can be read from the table who removed an entry, and why. */
const REMOVED_MS = 365 * DAY * 1000;
/** As long as apply_address_events counts them, and a day more. */
const SOFT_BOUNCES_MS = 31 * DAY * 1000;

/** Forgets entries that were removed a year ago, and soft bounces that count no more. */
export function forgetSuppressions(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
}): readonly Forget[] {
  const ago = (ms: number) => () => new Date(deps.clock.now() - ms);
  return [
    createForget(deps.postgres, statements.forgetRemoved, ago(REMOVED_MS)),
    createForget(deps.postgres, statements.forgetSoftBounces, ago(SOFT_BOUNCES_MS)),
  ];
}
