import type { Clock } from '../../../platform/clock.js';
import { createForget, type Forget } from '../../../platform/forget.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './forget.sql.js';

/** What waits of a group, for quiet hours to end or a provider to come back, is sent long before. */
const KEPT_MS = 7 * 86_400_000;

/** Forgets groups that closed a week ago, in the order in which it should be done. */
export function createForgetGroups(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
}): readonly Forget[] {
  const closedBefore = (): Date => new Date(deps.clock.now() - KEPT_MS);
  const { forgetActors, forgetGroups, forgetOpen } = statements;
  return [forgetActors, forgetGroups, forgetOpen].map((statement) =>
    createForget(deps.postgres, statement, closedBefore),
  );
}
