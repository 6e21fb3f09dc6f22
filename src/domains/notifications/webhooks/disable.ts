import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import type { Alerts } from '../alerts/index.js';
import { GIVE_UP_AFTER_MS } from './attempt.js';
import { sql as statements } from './webhooks.sql.js';

/** The alert that says so; its scope is the webhook. */
export const DISABLED_ALERT = 'webhook_disabled';

/**
 * A webhook gets nothing more until its owner switches it on. What waits for it stays.
 *
 * @param webhook.activeSince as it was when the reason came up: one that was switched on since, or has another URL, stays as it is
 */
export type Disable = (
  webhook: { readonly webhookId: string; readonly activeSince: Date },
  reason: string,
) => Promise<void>;

export const createDisable =
  (deps: {
    readonly postgres: Queryable;
    readonly alerts: Pick<Alerts, 'report'>;
    readonly logger: Logger;
  }): Disable =>
  async ({ webhookId, activeSince }, reason) => {
    const hours = GIVE_UP_AFTER_MS / 3_600_000;
    // First: where the process dies in between, the next failure does both.
    await deps.alerts.report.raise({
      name: DISABLED_ALERT,
      scope: webhookId,
      severity: 'WARNING',
      message: `Webhook ${webhookId} was disabled: ${reason}`,
      value: hours,
      threshold: hours,
    });
    const { rows } = await deps.postgres.query(statements.disable, [webhookId, reason, activeSince]);
    if (rows[0]) {
      deps.logger.warn({ webhookId, ownerId: rows[0].ownerId, reason }, 'a webhook was disabled');
      return;
    }
    // Who switched it on or deleted it may have resolved the alert before it was raised.
    const disabled = await deps.postgres.query(statements.isDisabled, [webhookId]);
    if (disabled.rows.length === 0)
      await deps.alerts.report.resolve({ name: DISABLED_ALERT, scope: webhookId });
  };
