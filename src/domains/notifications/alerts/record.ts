import type { Clock } from '../../../platform/clock.js';
import type { Ids } from '../../../platform/ids.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Postgres, Queryable, Statement } from '../../../platform/postgres/postgres.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import type { ActiveAlert, AlertChanges, Raise } from './evaluate.js';
import { ALERTS_TOPIC } from './follow.js';
import { sql as statements } from './record.sql.js';

export interface RecordDeps {
  readonly postgres: Postgres;
  readonly wakeUps: WakeUpPublisher;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Raises and resolves, and wakes subscribers. What another process did meanwhile is not done twice. */
export async function recordChanges(deps: RecordDeps, { raise, resolve }: AlertChanges): Promise<void> {
  if (raise.length + resolve.length === 0) return;
  const now = new Date(deps.clock.now());
  const changed = await deps.postgres.transaction(async (tx) => {
    await tx.query(statements.lockChanges);
    const raised = await keepApplied(tx, raise, statements.raise, (one) => {
      const { name, scope, severity, message, value, threshold } = one;
      return [deps.ids.next(), name, scope, severity, message, value, threshold, now];
    });
    const resolved = await keepApplied(tx, resolve, statements.resolve, ({ alertId }) => [alertId, now]);
    return { raised, resolved };
  });
  log(deps.logger, changed);
  if (changed.raised.length + changed.resolved.length > 0)
    await deps.wakeUps.publish([{ topics: [ALERTS_TOPIC], payload: {} }]);
}

/** Runs a statement for each item, one after the other, and answers those that it did something for. */
async function keepApplied<Item>(
  tx: Queryable,
  items: readonly Item[],
  statement: Statement,
  valuesOf: (item: Item) => readonly unknown[],
): Promise<readonly Item[]> {
  const applied: Item[] = [];
  for (const item of items) {
    const { rows } = await tx.query(statement, valuesOf(item));
    if (rows.length > 0) applied.push(item);
  }
  return applied;
}

function log(
  logger: Logger,
  changed: { readonly raised: readonly Raise[]; readonly resolved: readonly ActiveAlert[] },
): void {
  for (const { message, ...alert } of changed.raised) {
    if (alert.severity === 'CRITICAL') logger.error({ alert }, `alert raised: ${message}`);
    else logger.warn({ alert }, `alert raised: ${message}`);
  }
  for (const alert of changed.resolved) logger.info({ alert }, 'alert resolved');
}
