import type { ScheduledTask } from '../queues/schedules.js';
import type { Outbox, OutboxKind } from './outbox.js';

/** Of a fan-out, whose first retry is after 2 s, subscribers hear within 5 s after a fault. */
export const SWEEP_EVERY_MS = 2_000;
const SWEPT_AT_ONCE = 1_000;

/** Enqueues entries again that are due: their job was lost, failed, or its worker was killed. */
export const sweepOutbox = <Payload>(
  outbox: Pick<Outbox, 'claim' | 'enqueue' | 'release'>,
  kind: OutboxKind<Payload>,
): ScheduledTask => ({
  name: sweepOf(kind),
  everyMs: SWEEP_EVERY_MS,
  async run({ correlationId, logger }) {
    const due = await outbox.claim(kind, SWEPT_AT_ONCE);
    if (due.length === 0) return;
    const entries = due.map((entry) => ({ ...entry, correlationId: entry.correlationId || correlationId }));
    try {
      await outbox.enqueue(kind, entries);
    } catch (error) {
      await outbox.release(kind, due);
      throw error;
    }
    logger.warn({ kind: kind.name, count: due.length }, 'outbox entries were overdue and are enqueued again');
  },
});

/** The name of the schedule that claims a kind's entries. */
export const sweepOf = ({ name }: Pick<OutboxKind<unknown>, 'name'>): string => `sweep-outbox ${name}`;
