import type { Clock } from '../../../platform/clock.js';
import { createForget, type Forget } from '../../../platform/forget.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { sql as statements } from './forget.sql.js';

const DAY_MS = 86_400_000;

/** Forgets campaigns that were over so many days ago: pages and counts first, so that one without them is the last to go. */
export function forgetCampaigns({
  postgres,
  clock,
  days,
}: {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly days: number;
}): readonly Forget[] {
  const before = (): Date => new Date(clock.now() - days * DAY_MS);
  return [statements.forgetPages, statements.forgetRollups, statements.forgetCampaigns].map((statement) =>
    createForget(postgres, statement, before),
  );
}
