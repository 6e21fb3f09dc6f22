import { Counter, Histogram, type Registry } from 'prom-client';
import type { Outcome } from './attempt.js';

const OUTCOMES = ['taken', 'retry', 'disable'] as const satisfies readonly Outcome['kind'][];

export type WebhookMetrics = ReturnType<typeof createWebhookMetrics>;

export function createWebhookMetrics(registry: Registry) {
  const registers = [registry];
  const attempts = new Counter({
    name: 'webhook_attempts_total',
    help: 'Requests to receivers of webhooks by outcome: taken, retry, or disable for those after which a webhook was disabled',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of OUTCOMES) attempts.inc({ outcome }, 0);
  const delay = new Histogram({
    name: 'webhook_delay_seconds',
    help: 'From an event to when its receiver took it, retries and replays included',
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 3_600, 86_400],
    registers,
  });
  return {
    attempted: (outcome: Outcome['kind']): void => attempts.inc({ outcome }),
    /** @param ms since the event */
    delivered: (ms: number): void => delay.observe(Math.max(0, ms) / 1_000),
  };
}
