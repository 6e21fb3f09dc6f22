import { Counter, Histogram, type Registry } from 'prom-client';
import type { Queryable } from '../../platform/postgres/postgres.js';
import { countOpen } from './dead-letters/find.js';
import { findLackingMonths } from './retention/lacking-months.js';
import { observeSample } from './sample.js';
import { createSearchLag } from './search/lag.js';
import type { Channel, DeliveryStatus, LifecycleEvent, Priority } from './types.js';

/** What is deleted once it is old. */
const FORGOTTEN = [
  'requests',
  'request_months',
  'event_days',
  'inbox_items',
  'inbox_months',
  'alerts',
] as const;
type Forgotten = (typeof FORGOTTEN)[number];

/** The notification document's measures. */
export type NotificationMetrics = ReturnType<typeof createNotificationMetrics>;

export function createNotificationMetrics(registry: Registry, postgres: Queryable) {
  const registers = [registry];
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const deliveries = counter('notification_delivery_total', 'Deliveries that took a status', [
    'channel',
    'status',
  ]);
  const repeats = counter(
    'notification_repeated_calls_total',
    'Calls made anew since nobody knows whether the earlier one had its effect',
    ['channel', 'cause'],
  );
  const latency = new Histogram({
    name: 'notification_latency_seconds',
    help: 'From CREATED, or the time that a request was scheduled for, to DELIVERED, retries included',
    labelNames: ['channel', 'priority'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800],
    registers,
  });
  const engagements = counter(
    'notification_engagement_total',
    'Opens, clicks, dismissals and unsubscriptions that were recorded',
    ['event', 'suspected_bot'],
  );
  const lost = counter(
    'notification_engagement_lost_total',
    'Opens and clicks that were answered and could not be recorded',
    ['event'],
  );
  const dropped = counter(
    'notification_lifecycle_dropped_total',
    'Lifecycle events that did not reach the stream that feeds analytics',
  );
  const campaigned = counter(
    'notification_campaign_users_total',
    'Users of campaigns who were queued or left out',
    ['outcome'],
  );
  for (const outcome of ['queued', 'suppressed']) campaigned.inc({ outcome }, 0);
  const forgotten = counter(
    'notification_forgotten_total',
    'What was deleted since it is older than it is kept for',
    ['what'],
  );
  for (const what of FORGOTTEN) forgotten.inc({ what }, 0);
  const depth = {
    name: 'notification_dlq_depth',
    help: 'Open dead letters: given up, and neither retried nor discarded, of more than 10,000 an estimate; NaN until it is known',
  };
  observeSample(registry, depth, async () => (await countOpen(postgres, null)).count);
  const lacking = {
    name: 'notification_months_lacking',
    help: 'Months, this one and the next, of tables by month of which a day, from today on, has no partition: rows go to the default one; NaN until it is known',
  };
  const searchLag = {
    name: 'notification_search_lag_seconds',
    help: 'How long the oldest delivery that the search does not find yet, or not by its text, has waited to be indexed; 0 where none does; NaN until it is known',
  };
  observeSample(registry, searchLag, createSearchLag(postgres));
  observeSample(registry, lacking, async () => (await findLackingMonths(postgres)).length);
  return {
    /** A delivery took a status. */
    moved: (channel: Channel, status: DeliveryStatus): void => deliveries.inc({ channel, status }),
    /**
     * A call is made whose earlier one may have had its effect.
     *
     * @param cause its worker was gone, or its answer was
     */
    repeated: (channel: Channel, cause: 'lease_lost' | 'answer_lost'): void =>
      repeats.inc({ channel, cause }),
    /** @param ms from acceptance, or the time that it was scheduled for, to the provider's confirmation */
    delivered: (channel: Channel, priority: Priority, ms: number): void =>
      latency.observe({ channel, priority }, ms / 1000),
    /** A user, or what is taken for a machine, opened, clicked, dismissed or unsubscribed. */
    engaged: (event: LifecycleEvent, suspectedBot: boolean): void =>
      engagements.inc({ event, suspected_bot: String(suspectedBot) }),
    /** An open or a click was answered and could not be recorded. */
    engagementLost: (event: LifecycleEvent): void => lost.inc({ event }),
    /** Steps were not published to the lifecycle stream. */
    stepsDropped: (steps: number): void => dropped.inc(steps),
    /** A page of a campaign was stored. */
    campaigned: (queued: number, suppressed: number): void => {
      campaigned.inc({ outcome: 'queued' }, queued);
      campaigned.inc({ outcome: 'suppressed' }, suppressed);
    },
    /** Old rows were deleted, or days and months of them. */
    forgot: (what: Forgotten, count: number): void => forgotten.inc({ what }, count),
  };
}
