import type { Clock } from '../../../../platform/clock.js';
import type { Logger } from '../../../../platform/logging/logger.js';
import { createLookBack } from '../../../../platform/look-back.js';
import type { Postgres } from '../../../../platform/postgres/postgres.js';
import { isUnavailable } from '../../../../platform/unavailable.js';
import type { SendRequest } from '../../intake/request.js';
import type { Send } from '../../send.js';
import { sql as statements } from './recurring.sql.js';
import { nextOf, stampOf } from './rule.js';
import { at, dueOf, type NotificationSchedule, ruleOf, shownAt, storeSchedule } from './schedules.js';

/** What is later than this is left out. */
const MAX_LATE_MS = 12 * 3_600_000;
/** The same where each recipient's clock counts, from when it was due before the first of them; a notification's id stands for it no longer. */
const MAX_LATE_LOCAL_MS = 23 * 3_600_000;
/** What fails is tried again after so long. */
const PUT_OFF_MS = 300_000;

/**
 * Sends occurrences that are due, each as a request of its own under an id made of the schedule's and the occurrence's time: killed at
 * any line, it is sent again under the same id, or was sent. Of several that were missed the last one is sent, if it is not too late.
 *
 * @returns sends one, and answers whether none was due
 */
export function createSendRecurring(deps: {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly send: Send;
}) {
  const { postgres, clock, logger } = deps;
  const lookBack = createLookBack(() => clock.now());

  const sendOne = (backMs: number | null): Promise<boolean> =>
    postgres.transaction(async (tx) => {
      const now = clock.now();
      const { rows } = await tx.query(statements.takeDue, [new Date(now), backMs]);
      const [due] = rows;
      if (!due?.nextAt || !due.dueAt) return false;
      try {
        await storeSchedule(tx, await advance(deps.send, due, due.nextAt, now), now);
      } catch (error) {
        if (isUnavailable(error)) throw error;
        logger.error(
          { err: error, seriesId: due.seriesId },
          'a recurring notification failed; it is put off',
        );
        await tx.query(statements.putOff, [due.seriesId, new Date(now + PUT_OFF_MS)]);
      }
      return true;
    });

  return async (): Promise<{ readonly isLast: boolean }> => ({
    isLast: !(await lookBack.look(sendOne, (found) => !found)),
  });
}

/** The schedule after an occurrence, which is sent unless the time of the next one has come as well. */
async function advance(
  send: Send,
  due: NotificationSchedule,
  occurrence: Date,
  now: number,
): Promise<NotificationSchedule> {
  const rule = ruleOf(due.rrule);
  const occurrences = due.occurrences + 1;
  const isLast = rule.count !== null && occurrences >= rule.count;
  const next = isLast ? null : nextOf(rule, due.startsAt, occurrence, occurrence);
  const changed = { ...due, ...at(due.timezone, next, now), occurrences };
  const isMissed = next !== null && shownAt(due.timezone, next).getTime() <= now;
  if (isMissed || isTooLate(due, occurrence, now)) return changed;
  const viewer = { userId: due.producer, roles: new Set(['producer'] as const), plan: 'free' };
  const request = requestOf(due, occurrence);
  const sent = await send({ viewer, correlationId: due.correlationId }, request);
  const lastError = sent.ok ? null : (sent.errors[0]?.code ?? null);
  return { ...changed, lastNotificationId: request.notificationId, lastError };
}

/** Counted from when it could first be sent, however often it was put off. */
function isTooLate({ timezone, createdAt }: NotificationSchedule, occurrence: Date, now: number): boolean {
  const lateMs = now - dueOf(timezone, occurrence, createdAt.getTime()).getTime();
  return lateMs > (timezone === null ? MAX_LATE_LOCAL_MS : MAX_LATE_MS);
}

const requestOf = (
  { scheduleId, timezone, request }: NotificationSchedule,
  occurrence: Date,
): SendRequest => ({
  ...request,
  notificationId: `${scheduleId}.${stampOf(occurrence)}`,
  ...(timezone === null && { scheduleAt: occurrence, scheduleInLocalTime: true }),
});
