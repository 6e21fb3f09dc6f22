import { NIL } from 'uuid';
import type { Clock } from '../../../platform/clock.js';
import { createForget, type Forget } from '../../../platform/forget.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { DAY } from '../durations.js';
import { inRounds } from '../retention/rounds.js';
import { sql as statements } from './forget.sql.js';

const WEBHOOKS_LOOKED_AT = 200;

/**
 * Forgets deliveries that are too old, what waits for webhooks that were deleted or of which those are all gone, and deleted webhooks
 * themselves once all that is left of them is too old.
 */
export function forgetOfWebhooks(deps: {
  readonly postgres: Queryable;
  readonly clock: Clock;
  readonly days: number;
}): readonly Forget[] {
  const { postgres, clock, days } = deps;
  const kept = (): Date => new Date(clock.now() - days * DAY * 1_000);
  const staleBacklogs = inRounds<string>(clock, NIL, async (after, limit) => {
    // An event waits from when it was made, and is due an hour after an attempt at most.
    const before = new Date(kept().getTime() - DAY * 1_000);
    const { rows } = await postgres.query(statements.forgetStaleBacklogs, [before, after, limit]);
    const { looked, lastId } = rows[0]!;
    return looked < limit ? null : lastId;
  });
  return [
    createForget(postgres, statements.forgetDeliveries, kept),
    async (limit) => (await postgres.query(statements.forgetBacklogs, [limit])).rowCount ?? 0,
    // One page a run: there may be any number of webhooks that are switched off.
    async () => {
      await staleBacklogs(WEBHOOKS_LOOKED_AT);
      return 0;
    },
    async (limit) => (await postgres.query(statements.forgetWebhooks, [kept(), limit])).rowCount ?? 0,
  ];
}
