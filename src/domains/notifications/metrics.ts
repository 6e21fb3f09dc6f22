import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Postgres } from '../../platform/postgres.js';
import { statements } from './delivery/statements.js';
import type { Channel, DeliveryStatus, Priority } from './types.js';

/** The notification document's measures. */
export interface NotificationMetrics {
  /** A delivery took a status. */
  moved(channel: Channel, status: DeliveryStatus): void;
  /** @param ms from acceptance to the provider's confirmation */
  delivered(channel: Channel, priority: Priority, ms: number): void;
}

export function createNotificationMetrics(registry: Registry, postgres: Postgres): NotificationMetrics {
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
  new Gauge({
    name: 'notification_dlq_depth',
    help: 'Deliveries that were given up',
    registers,
    async collect() {
      const { rows } = await postgres.query<{ count: number }>(statements.deadLetterCount);
      this.set(rows[0]!.count);
    },
  });
  return {
    moved: (channel, status) => deliveries.inc({ channel, status }),
    delivered: (channel, priority, ms) => latency.observe({ channel, priority }, ms / 1000),
  };
}
