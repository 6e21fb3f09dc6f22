import type { Clock } from '../../../platform/clock.js';
import { loadStatements, type Postgres } from '../../../platform/postgres.js';
import type { Queues } from '../../../platform/queues.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups.js';
import { publishMoved } from '../lifecycle/topic.js';
import type { NotificationMetrics } from '../metrics.js';
import { isUuid, storable } from '../text.js';
import type { DeliveryStatus } from '../types.js';
import type { StoredDelivery } from './claimed.js';
import { deadLetterOf } from './dead-letter.js';
import { applyTransitions } from './mailbox.js';
import { death, MAX_PROVIDER_ID, MAX_REASON } from './outcome.js';
import { deadLetter } from './tasks.js';
import type { Transition, TransitionEvent } from './transition.js';

const statements = loadStatements(new URL('./report.sql', import.meta.url), ['lockDelivery']);

/** What a provider tells later of a delivery that it took. */
export interface ProviderReport {
  readonly deliveryId: string;
  readonly kind: 'delivered' | 'opened' | 'clicked' | 'failed';
  readonly providerId?: string | undefined;
  /** Why it failed. */
  readonly reason?: string | undefined;
}

export interface ReportDeps {
  readonly postgres: Postgres;
  readonly queues: Queues;
  readonly wakeUps: WakeUpPublisher;
  readonly metrics: NotificationMetrics;
  readonly clock: Clock;
}

interface LockedDelivery extends StoredDelivery {
  readonly status: DeliveryStatus;
  readonly address: string | null;
}

/**
 * Records a provider's report. Statuses only move forward: a repeat, a late one or one for a delivery that is
 * unknown changes nothing.
 *
 * @returns whether it changed anything
 */
export async function recordReport(
  deps: ReportDeps,
  report: ProviderReport,
  correlationId: string,
): Promise<boolean> {
  if (!isUuid(report.deliveryId)) return false;
  const moved = await deps.postgres.transaction(async (tx) => {
    const { rows } = await tx.query<LockedDelivery>(statements.lockDelivery, [report.deliveryId]);
    const delivery = rows[0];
    const transition = delivery && advance(delivery, report, deps.clock.now());
    if (!transition) return null;
    await applyTransitions(tx, [transition]);
    return { delivery, transition };
  });
  if (moved) await announce(deps, moved.delivery, moved.transition, correlationId);
  return moved !== null;
}

/** What lies between being queued and being clicked. A report may arrive before the call's own answer is recorded. */
const RANK: Partial<Record<DeliveryStatus, number>> = {
  QUEUED: 0,
  RETRYING: 0,
  SENT: 1,
  DELIVERED: 2,
  OPENED: 3,
  CLICKED: 4,
};

/** The step that a report means for a delivery in its status; null where it is behind. */
export function advance(
  delivery: Pick<LockedDelivery, 'deliveryId' | 'channel' | 'status' | 'attempt'>,
  report: ProviderReport,
  now: number,
): Transition | null {
  const rank = RANK[delivery.status];
  const providerId = storable(report.providerId ?? '', MAX_PROVIDER_ID) || null;
  if (rank === undefined) return null;
  const base = {
    deliveryId: delivery.deliveryId,
    leaseToken: null,
    at: new Date(now),
    attempt: delivery.attempt,
    nextRetryAt: null,
    deadDevices: [],
  };
  if (report.kind === 'failed') {
    if (rank >= RANK.DELIVERED!) return null;
    const error = storable(report.reason ?? 'the provider could not deliver it', MAX_REASON);
    const { status, failure, events } = death(delivery, error);
    const failed: TransitionEvent = {
      event: 'FAILED',
      status,
      detail: { target: delivery.channel, attempt: delivery.attempt, reason: error },
    };
    const targets = [{ target: delivery.channel, error, providerId }];
    return { ...base, status, failure, lastError: error, events: [failed, ...events], targets };
  }
  const events = stepsTo(report.kind, rank);
  const last = events.at(-1);
  if (!last) return null;
  const targets = [{ target: delivery.channel, error: null, providerId }];
  return { ...base, status: last.status, lastError: null, failure: null, events, targets };
}

/** The steps from a rank to what was reported; none where that lies behind. A click needs no open before it. */
function stepsTo(kind: 'delivered' | 'opened' | 'clicked', rank: number): TransitionEvent[] {
  const last = { delivered: 'DELIVERED', opened: 'OPENED', clicked: 'CLICKED' } as const;
  const path = ['SENT', 'DELIVERED', last[kind]] as const;
  return [...new Set(path)]
    .filter((status) => RANK[status]! > rank)
    .map((status) => ({ event: status, status }));
}

async function announce(
  { queues, wakeUps, metrics }: ReportDeps,
  delivery: LockedDelivery,
  { status, failure, at, events }: Transition,
  correlationId: string,
): Promise<void> {
  metrics.moved(delivery.channel, status);
  if (events.some(({ event }) => event === 'DELIVERED')) {
    metrics.delivered(delivery.channel, delivery.priority, at.getTime() - delivery.createdAt.getTime());
  }
  // The rows are the truth; a lost wake-up or dead letter job must not make the provider call again.
  await Promise.allSettled([
    publishMoved(wakeUps, [delivery.requestId]),
    failure &&
      queues.enqueue(deadLetter, deadLetterOf(delivery, [delivery.address ?? ''], failure, at), {
        correlationId,
      }),
  ]);
}
