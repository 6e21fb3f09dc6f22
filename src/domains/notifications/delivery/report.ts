import type { Clock } from '../../../platform/clock.js';
import { withinMs } from '../../../platform/deadline.js';
import type { Postgres, Queryable } from '../../../platform/postgres/postgres.js';
import type { Queues } from '../../../platform/queues/queues.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups/wake-ups.js';
import type { Freshness } from '../freshness.js';
import type { LifecycleStream } from '../lifecycle/stream.js';
import { publishSteps } from '../lifecycle/topic.js';
import type { NotificationMetrics } from '../metrics.js';
import type { AddressEvent } from '../suppressions/address-event.js';
import { invalidateAddresses } from '../suppressions/invalidate.js';
import { isUuid, storable, withoutAddress } from '../text.js';
import { type Advance, advance } from './advance.js';
import { deadLetterOf } from './dead-letter.js';
import { type Applied, applyTransitions } from './mailbox.js';
import { MAX_PROVIDER_ID, MAX_REASON } from './outcome.js';
import { sql as statements } from './report.sql.js';
import type { DeliveryReport, LockedDelivery, Past } from './report-state.js';
import { deadLetter, releaseDue } from './tasks.js';

export type { DeliveryReport } from './report-state.js';

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

interface ReadReports extends Advance {
  readonly delivery: LockedDelivery;
}

/** What a transaction recorded of reports; to be announced once it is committed. */
export interface ReportRecord {
  readonly read: readonly ReadReports[];
  readonly applied: readonly Applied[];
  readonly changedUsers: readonly string[];
}

/**
 * Records reports of deliveries, however many they are, in one transaction. Statuses only move forward: a repeat
 * or a late report changes nothing. For a user who unsubscribed the preference for the type and channel
 * is switched off, unless they chose anew since.
 *
 * @returns what became of each report, in order
 */
export async function recordReports(
  deps: ReportDeps,
  reports: readonly DeliveryReport[],
  correlationId: string,
): Promise<readonly ReportOutcome[]> {
  const byDelivery = Map.groupBy(reports, (report) => report.deliveryId.toLowerCase());
  if (![...byDelivery.keys()].some(isUuid)) return reports.map(() => 'unknown');
  const record = await deps.postgres.transaction((tx) => recordIn(tx, byDelivery, deps.clock.now()));
  await announceRecord(deps, record, correlationId);
  const outcomes = new Map<DeliveryReport, ReportOutcome>();
  for (const { delivery, changed } of record.read) {
    byDelivery.get(delivery.deliveryId)!.forEach((report, index) => {
      outcomes.set(report, changed[index] ? 'recorded' : 'unchanged');
    });
  }
  return reports.map((report) => outcomes.get(report) ?? 'unknown');
}

/**
 * Records reports by their deliveries, within a transaction.
 *
 * @param learned what else the transaction has learned of addresses
 */
export async function recordIn(
  tx: Queryable,
  reports: ReadonlyMap<string, readonly DeliveryReport[]>,
  now: number,
  learned: readonly AddressEvent[] = [],
): Promise<ReportRecord> {
  const read = await readAll(tx, [...reports.keys()].filter(isUuid), reports, now);
  const applied = await applyTransitions(
    tx,
    read.flatMap(({ transition }) => (transition ? { ...transition, addressEvents: [] } : [])),
  );
  await defer(tx, read);
  await learn(tx, [...learned, ...read.flatMap(({ addressEvents }) => addressEvents)]);
  return { read, applied, changedUsers: await switchOff(tx, read) };
}

async function readAll(
  tx: Queryable,
  deliveryIds: readonly string[],
  reports: ReadonlyMap<string, readonly DeliveryReport[]>,
  now: number,
): Promise<readonly ReadReports[]> {
  const deliveries = await lockDeliveries(tx, deliveryIds);
  if (deliveries.length === 0) return [];
  const past = await pastOf(tx, deliveries);
  return deliveries.map((delivery) => {
    const { deliveryId } = delivery;
    const known = past.get(deliveryId) ?? { calledAt: null, providerId: null, engagements: [] };
    return { delivery, ...advance(delivery, known, reports.get(deliveryId)!, now) };
  });
}

async function lockDeliveries(
  tx: Queryable,
  deliveryIds: readonly string[],
): Promise<readonly LockedDelivery[]> {
  const { rows } = await tx.query(statements.lockDeliveries, [deliveryIds]);
  const queued = rows.flatMap(({ deliveryId, status }) => (status === 'QUEUED' ? [deliveryId] : []));
  const leases = queued.length === 0 ? [] : (await tx.query(statements.lockLeases, [queued])).rows;
  const byId = new Map(leases.map((lease) => [lease.deliveryId, lease]));
  return rows.map((row) => {
    const lease = byId.get(row.deliveryId);
    return { ...row, isLeased: lease?.isLeased ?? false, isAwaitingAnswer: lease !== undefined };
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
  const { rows } = await tx.query(statements.pastOf, [
    deliveries.map(({ deliveryId }) => deliveryId),
    deliveries.map(({ channel }) => channel),
    new Date(oldest - SKEW_MS),
  ]);
  return new Map(rows.map((row) => [row.deliveryId, row]));
}

/** Keeps what only the answer of a call decides; see `recordOvertaken`. */
async function defer(tx: Queryable, read: readonly ReadReports[]): Promise<void> {
  const waiting = read.filter(({ deferred }) => deferred.length > 0);
  if (waiting.length === 0) return;
  await tx.query(statements.deferReports, [
    waiting.map(({ delivery }) => delivery.deliveryId),
    waiting.map(({ delivery, deferred }) =>
      JSON.stringify(
        deferred.map(({ kind, providerId, reason, addressFault, address, at }) => ({
          ...{ kind, addressFault, at },
          ...(providerId && { providerId: storable(providerId, MAX_PROVIDER_ID) }),
          ...(reason && { reason: storable(withoutAddress(reason, delivery.address), MAX_REASON) }),
          ...(addressFault && address && { address: storable(address, MAX_REASON) }),
        })),
      ),
    ),
  ]);
}

/**
 * Keeps what was learned of addresses, also by reports that changed nothing of their deliveries. In one call: two of them would lock
 * addresses in two orders, and so might wait in a circle for another transaction.
 */
async function learn(tx: Queryable, events: readonly AddressEvent[]): Promise<void> {
  if (events.length > 0) await tx.query(statements.applyAddressEvents, [JSON.stringify(events)]);
}

/** Answers whose preferences changed. */
async function switchOff(tx: Queryable, read: readonly ReadReports[]): Promise<readonly string[]> {
  const wanted = new Map<string, { delivery: LockedDelivery; at: Date }>();
  for (const { delivery, unsubscribedAt: at } of read) {
    const key = JSON.stringify([delivery.userId, delivery.notificationType, delivery.channel]);
    const earlier = wanted.get(key);
    if (at && (!earlier || earlier.at < at)) wanted.set(key, { delivery, at });
  }
  if (wanted.size === 0) return [];
  const all = [...wanted.values()];
  const { rows } = await tx.query(statements.switchOff, [
    all.map(({ delivery }) => delivery.userId),
    all.map(({ delivery }) => delivery.notificationType),
    all.map(({ delivery }) => delivery.channel),
    all.map(({ at }) => at),
  ]);
  return rows.map(({ userId }) => userId);
}

/** A caller waits for the record, not for a Redis that is away. */
export async function announceRecord(
  deps: ReportDeps,
  record: ReportRecord,
  correlationId: string,
): Promise<void> {
  await withinMs(ANNOUNCE_MS, announce(deps, record, correlationId)).catch(() => undefined);
}

/** The rows are the truth; a lost wake-up or dead letter job must not make the provider call again. */
async function announce(
  deps: ReportDeps,
  { read, applied, changedUsers }: ReportRecord,
  correlationId: string,
): Promise<void> {
  const { queues, freshness, metrics } = deps;
  const latencies = new Map(applied.map(({ deliveryId, steps }) => [deliveryId, steps[0]!.latencyMs]));
  for (const one of read) measure(metrics, one, latencies.get(one.delivery.deliveryId));
  const dead = read.flatMap(({ delivery, transition }) =>
    transition?.failure
      ? [deadLetterOf(delivery, [delivery.address ?? ''], transition.failure, transition.at)]
      : [],
  );
  const jobs = dead.map((payload) => ({ payload, options: { correlationId } }));
  await Promise.allSettled([
    publishSteps(deps, applied),
    queues.enqueueMany(deadLetter, jobs),
    applied.some(({ hasFallback }) => hasFallback) &&
      queues.enqueue(releaseDue, {}, { correlationId, deduplicationId: 'due' }),
    ...[...new Set(changedUsers)].map((userId) => freshness.userChanged(userId)),
    invalidateAddresses(
      deps,
      read.flatMap(({ addressEvents }) =>
        addressEvents.flatMap(({ kind, address }) => (kind === 'DELIVERED' ? [] : address)),
      ),
    ),
  ]);
}

/** @param latencyMs undefined where somebody else's transition was faster */
function measure(
  metrics: ReportDeps['metrics'],
  { delivery, transition, engagements }: ReadReports,
  latencyMs: number | undefined,
): void {
  if (!transition) return;
  const { channel, priority } = delivery;
  if (transition.status !== delivery.status) metrics.moved(channel, transition.status);
  if (latencyMs !== undefined && transition.events.some(({ event }) => event === 'DELIVERED')) {
    metrics.delivered(channel, priority, latencyMs);
  }
  for (const { event, detail } of engagements) metrics.engaged(event, detail?.suspected_bot === true);
}
