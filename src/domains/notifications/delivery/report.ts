import type { Clock } from '../../../platform/clock.js';
import { withinMs } from '../../../platform/deadline.js';
import { loadStatements, type Postgres, type Queryable } from '../../../platform/postgres.js';
import type { Queues } from '../../../platform/queues.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups.js';
import type { Freshness } from '../freshness.js';
import type { LifecycleStream } from '../lifecycle/stream.js';
import { publishMoved } from '../lifecycle/topic.js';
import type { NotificationMetrics } from '../metrics.js';
import { isUuid } from '../text.js';
import { type Advance, advance } from './advance.js';
import { deadLetterOf } from './dead-letter.js';
import { type Applied, applyTransitions } from './mailbox.js';
import type { DeliveryReport, LockedDelivery, Past } from './story.js';
import { deadLetter, releaseDue } from './tasks.js';

export type { DeliveryReport } from './story.js';

const statements = loadStatements(new URL('./report.sql', import.meta.url), [
  'lockDeliveries',
  'pastOf',
  'switchOff',
]);

export interface ReportDeps {
  readonly postgres: Postgres;
  readonly queues: Queues;
  readonly wakeUps: WakeUpPublisher;
  readonly freshness: Pick<Freshness, 'userChanged'>;
  readonly lifecycle: LifecycleStream;
  readonly metrics: Pick<NotificationMetrics, 'moved' | 'delivered' | 'engaged'>;
  readonly clock: Clock;
}

/**
 * What became of a report.
 * - `unchanged`: a repeat, or it lies behind what is known
 * - `unknown`: there is no such delivery
 */
export type ReportOutcome = 'recorded' | 'unchanged' | 'unknown';

interface Told extends Advance {
  readonly delivery: LockedDelivery;
}

/**
 * Records what is told of deliveries, however many they are, in one transaction. Statuses only move forward: a repeat
 * or a late report changes nothing. Whoever unsubscribed has his preference for the type and channel switched off, unless
 * he chose anew since.
 *
 * @returns what became of each report, in order
 */
export async function recordReports(
  deps: ReportDeps,
  reports: readonly DeliveryReport[],
  correlationId: string,
): Promise<readonly ReportOutcome[]> {
  const byDelivery = Map.groupBy(reports, (report) => report.deliveryId.toLowerCase());
  const deliveryIds = [...byDelivery.keys()].filter(isUuid);
  if (deliveryIds.length === 0) return reports.map(() => 'unknown');
  const { told, applied, changedUsers } = await deps.postgres.transaction(async (tx) => {
    const told = await readAll(tx, deliveryIds, byDelivery, deps.clock.now());
    const transitions = told.flatMap(({ transition }) => transition ?? []);
    const applied = transitions.length > 0 ? await applyTransitions(tx, transitions) : [];
    return { told, applied, changedUsers: await switchOff(tx, told) };
  });
  // Whoever reports waits for the record, not for a Redis that is away.
  await withinMs(ANNOUNCE_MS, announce(deps, told, applied, changedUsers, correlationId)).catch(
    () => undefined,
  );
  const outcomes = new Map<DeliveryReport, ReportOutcome>();
  for (const { delivery, changed } of told) {
    byDelivery.get(delivery.deliveryId)!.forEach((report, index) => {
      outcomes.set(report, changed[index] ? 'recorded' : 'unchanged');
    });
  }
  return reports.map((report) => outcomes.get(report) ?? 'unknown');
}

/**
 * Records one report; see `recordReports`.
 *
 * @returns whether it changed anything of the delivery
 */
export async function recordReport(
  deps: ReportDeps,
  report: DeliveryReport,
  correlationId: string,
): Promise<boolean> {
  const [outcome] = await recordReports(deps, [report], correlationId);
  return outcome === 'recorded';
}

async function readAll(
  tx: Queryable,
  deliveryIds: readonly string[],
  reports: ReadonlyMap<string, readonly DeliveryReport[]>,
  now: number,
): Promise<readonly Told[]> {
  const deliveries = (await tx.query<LockedDelivery>(statements.lockDeliveries, [deliveryIds])).rows;
  if (deliveries.length === 0) return [];
  const past = await pastOf(tx, deliveries);
  return deliveries.map((delivery) => {
    const { deliveryId } = delivery;
    const known = past.get(deliveryId) ?? { calledAt: null, engagements: [] };
    return { delivery, ...advance(delivery, known, reports.get(deliveryId)!, now) };
  });
}

const ANNOUNCE_MS = 1_000;
/** Clocks of two machines may differ by this much. */
const SKEW_MS = 60_000;

async function pastOf(
  tx: Queryable,
  deliveries: readonly LockedDelivery[],
): Promise<ReadonlyMap<string, Past>> {
  const oldest = deliveries.reduce((least, { createdAt }) => Math.min(least, createdAt.getTime()), Infinity);
  const { rows } = await tx.query<Past & { deliveryId: string }>(statements.pastOf, [
    deliveries.map(({ deliveryId }) => deliveryId),
    new Date(oldest - SKEW_MS),
  ]);
  return new Map(rows.map((row) => [row.deliveryId, row]));
}

/** Answers whose preferences changed. */
async function switchOff(tx: Queryable, told: readonly Told[]): Promise<readonly string[]> {
  const wanted = new Map<string, { delivery: LockedDelivery; at: Date }>();
  for (const { delivery, unsubscribedAt: at } of told) {
    const key = JSON.stringify([delivery.userId, delivery.notificationType, delivery.channel]);
    const earlier = wanted.get(key);
    if (at && (!earlier || earlier.at < at)) wanted.set(key, { delivery, at });
  }
  if (wanted.size === 0) return [];
  const all = [...wanted.values()];
  const { rows } = await tx.query<{ userId: string }>(statements.switchOff, [
    all.map(({ delivery }) => delivery.userId),
    all.map(({ delivery }) => delivery.notificationType),
    all.map(({ delivery }) => delivery.channel),
    all.map(({ at }) => at),
  ]);
  return rows.map(({ userId }) => userId);
}

/** The rows are the truth; a lost wake-up or dead letter job must not make the provider call again. */
async function announce(
  { queues, wakeUps, lifecycle, freshness, metrics }: ReportDeps,
  told: readonly Told[],
  applied: readonly Applied[],
  changedUsers: readonly string[],
  correlationId: string,
): Promise<void> {
  lifecycle.publish(applied.flatMap(({ steps }) => steps));
  for (const one of told) measure(metrics, one);
  const dead = told.flatMap(({ delivery, transition }) =>
    transition?.failure
      ? [deadLetterOf(delivery, [delivery.address ?? ''], transition.failure, transition.at)]
      : [],
  );
  const jobs = dead.map((payload) => ({ payload, options: { correlationId } }));
  await Promise.allSettled([
    applied.length > 0 && publishMoved(wakeUps, [...new Set(applied.map(({ requestId }) => requestId))]),
    queues.enqueueMany(deadLetter, jobs),
    applied.some(({ hasFallback }) => hasFallback) &&
      queues.enqueue(releaseDue, {}, { correlationId, doorbell: 'due' }),
    ...[...new Set(changedUsers)].map((userId) => freshness.userChanged(userId)),
  ]);
}

function measure(metrics: ReportDeps['metrics'], { delivery, transition, engagements }: Told): void {
  if (!transition) return;
  const { channel, priority, queuedAt } = delivery;
  if (transition.status !== delivery.status) metrics.moved(channel, transition.status);
  if (transition.events.some(({ event }) => event === 'DELIVERED')) {
    metrics.delivered(channel, priority, transition.at.getTime() - queuedAt.getTime());
  }
  for (const { event, detail } of engagements) metrics.engaged(event, detail?.suspected_bot === true);
}
