import type { Raise } from './evaluate.js';
import { listAlerts } from './find.js';
import { type RecordDeps, recordChanges } from './record.js';

/** Raises an alert about a single thing that no rule measures, unless it is active. */
export const raise = (deps: RecordDeps, alert: Raise): Promise<void> =>
  recordChanges(deps, { raise: [alert], resolve: [] });

/** Resolves what `raise` raised under this name and scope, if it is active. */
export async function resolve(
  deps: RecordDeps,
  { name, scope }: Pick<Raise, 'name' | 'scope'>,
): Promise<void> {
  const active = await listAlerts(deps.postgres, true);
  const own = active.filter((alert) => alert.name === name && alert.scope === scope);
  await recordChanges(deps, { raise: [], resolve: own });
}
