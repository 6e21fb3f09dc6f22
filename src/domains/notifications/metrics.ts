import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Queryable } from '../../platform/postgres.js';
import { countOpen } from './dead-letters/find.js';
import { findLackingMonths } from './retention/lacking-months.js';
import { createSample } from './sample.js';
import type { Channel, DeliveryStatus, LifecycleEvent, Priority } from './types.js';

/** Why a call is repeated: its worker was gone, or its answer was. */
export type RepeatCause = 'lease_lost' | 'answer_lost';

/** What is deleted once it is old. */
const FORGOTTEN = [
  'requests',
  'request_months',
  'event_days',
  'inbox_items',
  'inbox_months',
  'alerts',
] as const;
export type Forgotten = (typeof FORGOTTEN)[number];

/** The notification document's measures. */
export interface NotificationMetrics {
  /** A delivery took a status. */
  moved(channel: Channel, status: DeliveryStatus): void;
  /** A call is made whose earlier one may have had its effect. */
  repeated(channel: Channel, cause: RepeatCause): void;
  /** @param ms from acceptance, or the time that it was scheduled for, to the provider's confirmation */
  delivered(channel: Channel, priority: Priority, ms: number): void;
  /** A user, or what is taken for a machine, opened, clicked, dismissed or unsubscribed. */
  engaged(event: LifecycleEvent, suspectedBot: boolean): void;
  /** An open or a click was answered and could not be recorded. */
  engagementLost(event: LifecycleEvent): void;
  /** Steps were not published to the lifecycle stream. */
  stepsDropped(steps: number): void;
  /** Old rows were deleted, or days and months of them. */
  forgot(what: Forgotten, count: number): void;
}

export function createNotificationMetrics(registry: Registry, postgres: Queryable): NotificationMetrics {
  const registers = [registry];
  const deliveries = new Counter({
    name: 'notification_delivery_total',
    help: 'Deliveries that took a status',
    labelNames: ['channel', 'status'],
    registers,
  });
  const repeats = new Counter({
    name: 'notification_repeated_calls_total',
    help: 'Calls made anew since nobody knows whether the earlier one had its effect',
    labelNames: ['channel', 'cause'],
    registers,
  });
  const latency = new Histogram({
    name: 'notification_latency_seconds',
    help: 'From CREATED, or the time that a request was scheduled for, to DELIVERED, retries included',
    labelNames: ['channel', 'priority'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800],
    registers,
  });
  const engagements = new Counter({
    name: 'notification_engagement_total',
    help: 'Opens, clicks, dismissals and unsubscriptions that were recorded',
    labelNames: ['event', 'suspected_bot'],
    registers,
  });
  const lost = new Counter({
    name: 'notification_engagement_lost_total',
    help: 'Opens and clicks that were answered and could not be recorded',
    labelNames: ['event'],
    registers,
  });
  const dropped = new Counter({
    name: 'notification_lifecycle_dropped_total',
    help: 'Lifecycle events that did not reach the stream that feeds analytics',
    registers,
  });
  const forgotten = new Counter({
    name: 'notification_forgotten_total',
    help: 'What was deleted since it is older than it is kept for',
    labelNames: ['what'],
    registers,
  });
  for (const what of FORGOTTEN) forgotten.inc({ what }, 0);
  const depth = createSample(async () => (await countOpen(postgres, null)).count);
  new Gauge({
    name: 'notification_dlq_depth',
    help: 'Open dead letters: given up, and neither retried nor discarded, of more than 10,000 an estimate; NaN until it is known',
    registers,
    async collect() {
      this.set((await depth.read()) ?? Number.NaN);
    },
  });
  const lacking = createSample(async () => (await findLackingMonths(postgres)).length);
  new Gauge({
    name: 'notification_months_lacking',
    help: 'Months, this one and the next, of tables by month of which a day, from today on, has no partition: rows go to the default one; NaN until it is known',
    registers,
    async collect() {
      this.set((await lacking.read()) ?? Number.NaN);
    },
  });
  return {
    repeated: (channel, cause) => repeats.inc({ channel, cause }),
    moved: (channel, status) => deliveries.inc({ channel, status }),
    delivered: (channel, priority, ms) => latency.observe({ channel, priority }, ms / 1000),
    engaged: (event, suspectedBot) => engagements.inc({ event, suspected_bot: String(suspectedBot) }),
    engagementLost: (event) => lost.inc({ event }),
    stepsDropped: (steps) => dropped.inc(steps),
    forgot: (what, count) => forgotten.inc({ what }, count),
  };
}
