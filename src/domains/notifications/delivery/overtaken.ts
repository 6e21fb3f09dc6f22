import { z } from 'zod';

import { type Applied, applyTransitions } from './mailbox.js';
import { sql as statements } from './overtaken.sql.js';
import { announceRecord, type ReportDeps, recordIn } from './report.js';
import type { Transition } from './transition.js';

const earlyReports = z.array(
  z.object({
    kind: z.enum(['sent', 'failed']),
    providerId: z.string().optional(),
    reason: z.string().optional(),
    addressFault: z.enum(['HARD_BOUNCE', 'SOFT_BOUNCE', 'COMPLAINT', 'STOP']).optional(),
    address: z.string().optional(),
    at: z.coerce.date().optional(),
  }),
);

/**
 * Records how a provider call ended, where a report came before that: what was deferred until the answer is decided with it,
 * in one transaction. Where a report has moved the delivery already, only what each target was answered is kept.
 *
 * @param transition what the call means; it has a lease token
 * @returns null where the transition was not applied: a report has moved the delivery, or somebody else has claimed it
 */
export async function recordOvertaken(
  deps: ReportDeps,
  transition: Transition,
  correlationId: string,
): Promise<Applied | null> {
  const { deliveryId, leaseToken, targets } = transition;
  const record = await deps.postgres.transaction(async (tx) => {
    const { rows } = await tx.query(statements.lockCalled, [deliveryId, leaseToken]);
    const called = rows[0];
    if (!called) return null;
    const held = await tx.query(statements.lockLease, [deliveryId, leaseToken]);
    if (held.rows[0]?.isClaimed) return null;
    if (called.status !== 'QUEUED') {
      await tx.query(statements.keepAnswer, [deliveryId, JSON.stringify(targets)]);
      return null;
    }
    const { addressEvents, ...step } = transition;
    const answered = await applyTransitions(tx, [{ ...step, leaseToken: null }]);
    const early = earlyReports.parse(called.earlyReports).map((report) => ({ ...report, deliveryId }));
    const reported = await recordIn(tx, new Map([[deliveryId, early]]), deps.clock.now(), addressEvents);
    return { ...reported, applied: [...answered, ...reported.applied] };
  });
  if (!record) return null;
  await announceRecord(deps, record, correlationId);
  return record.applied[0] ?? null;
}
