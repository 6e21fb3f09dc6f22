import { z } from 'zod';
import { decodeCursor, encodeCursor } from '../../../platform/paging.js';
import type { Queryable } from '../../../platform/postgres/postgres.js';
import { listenUntil } from '../../../platform/wake-ups/listen-until.js';
import type { WakeUpHub } from '../../../platform/wake-ups/wake-ups.js';
import type { Alert } from './alert.js';
import { sql as statements } from './find.sql.js';

/** Woken whenever an alert was raised or resolved. */
export const ALERTS_TOPIC = 'notification-alerts';

/** An alert was raised or resolved. */
export interface AlertUpdate {
  /** Goes on after this change. */
  readonly cursor: string;
  readonly alert: Alert;
}

const PAGE = 100;
const cursorShape = z.tuple([z.int().nonnegative()]);

/**
 * Alerts as they are raised and as they are resolved, from now or from after a cursor on, until `signal` aborts. None is
 * missed: one that was raised and resolved while nobody listened comes once, resolved.
 *
 * @throws PublicError BAD_CURSOR
 */
export async function* followAlerts(
  postgres: Queryable,
  hub: Pick<WakeUpHub, 'listen'>,
  after: string | null,
  signal: AbortSignal,
): AsyncGenerator<AlertUpdate> {
  const cursor = decodeCursor(after, cursorShape);
  // Listening comes first, so that nothing is missed between reading and waiting.
  const listener = await listenUntil(hub, ALERTS_TOPIC, signal);
  try {
    let last = cursor?.[0] ?? (await postgres.query(statements.newestChange)).rows[0]!.change;
    while (!signal.aborted) {
      // Each as it is now, in order of its last change.
      const { rows: alerts } = await postgres.query(statements.alertsChangedAfter, [last, PAGE]);
      for (const alert of alerts) {
        last = alert.change;
        yield { cursor: encodeCursor(last), alert };
      }
      if (alerts.length < PAGE && (await listener.next()) === null) return;
    }
  } finally {
    listener.close();
  }
}
