import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { loadStatements, type Queryable } from '../../platform/postgres.js';
import { createSample } from './sample.js';
import type { Channel, DeliveryStatus, Priority } from './types.js';

const statements = loadStatements(new URL('./metrics.sql', import.meta.url), ['openDeadLetters']);

/** The notification document's measures. */
export interface NotificationMetrics {
  /** A delivery took a status. */
  moved(channel: Channel, status: DeliveryStatus): void;
  /** @param ms from acceptance to the provider's confirmation */
  delivered(channel: Channel, priority: Priority, ms: number): void;
}

export function createNotificationMetrics(registry: Registry, postgres: Queryable): NotificationMetrics {
  const registers = [registry];
  const deliveries = new Counter({
    name: 'notification_delivery_total',
    help: 'Deliveries that took a status',
    labelNames: ['channel', 'status'],
    registers,
  });
  const latency = new Histogram({
    name: 'notification_latency_seconds',
    help: 'From CREATED to DELIVERED',
    labelNames: ['channel', 'priority'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300],
    registers,
  });
  const depth = createSample(async () => {
    const { rows } = await postgres.query<{ count: number }>(statements.openDeadLetters);
    return rows[0]!.count;
  });
  new Gauge({
    name: 'notification_dlq_depth',
    help: 'Deliveries that were given up and wait for somebody to take them up; NaN until it is known',
    registers,
    async collect() {
      this.set((await depth.read()) ?? Number.NaN);
    },
  });
  return {
    moved: (channel, status) => deliveries.inc({ channel, status }),
    delivered: (channel, priority, ms) => latency.observe({ channel, priority }, ms / 1000),
  };
}
