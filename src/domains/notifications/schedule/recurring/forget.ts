import type { Clock } from '../../../../platform/clock.js';
import { createForget, type Forget } from '../../../../platform/forget.js';
import type { Queryable } from '../../../../platform/postgres/postgres.js';
import { sql as statements } from './recurring.sql.js';

const DAY_MS = 86_400_000;

/** Forgets schedules that were over so many days ago. */
export const createForgetSchedules = ({
  postgres,
  clock,
  days,
}: {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly days: number;
}): Forget => createForget(postgres, statements.forget, () => new Date(clock.now() - days * DAY_MS));
