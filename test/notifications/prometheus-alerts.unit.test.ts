import { readFile } from 'node:fs/promises';
import { Registry } from 'prom-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { rules } from '../../src/domains/notifications/alerts/rules.js';
import { channelQueues } from '../../src/domains/notifications/index.js';
import { createNotificationMetrics } from '../../src/domains/notifications/metrics.js';
import { observeQueues } from '../../src/platform/queues/queue-depth.js';

interface PrometheusAlert {
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string; readonly rule: string };
}

let alerts: readonly PrometheusAlert[];
beforeAll(async () => {
  const file = new URL('../../docs/alerts/notifications.yml', import.meta.url);
  const document: { groups: { rules: PrometheusAlert[] }[] } = parse(await readFile(file, 'utf8'));
  alerts = document.groups.flatMap((group) => group.rules);
});

describe('the alerts for Prometheus', () => {
  it('are the API’s own rules, with their thresholds, times and severities', () => {
    const told = alerts.map(({ expr, labels, for: lasting = '0m' }) => ({
      name: labels.rule,
      severity: labels.severity.toUpperCase(),
      threshold: Number(/ [<>]\s*([\d.]+)(?!.* [<>]\s*[\d.]+\s+and)/s.exec(expr)?.[1]),
      forMs: Number.parseInt(lasting, 10) * 60_000,
    }));
    expect(told).toEqual(
      rules.map(({ name, severity, threshold, forMs }) => ({ name, severity, threshold, forMs })),
    );
  });

  it('look at metrics and queues that there are', async () => {
    const registry = new Registry();
    createNotificationMetrics(registry, { query: () => Promise.reject(new Error('not asked')) });
    observeQueues(registry, { counts: async () => ({}) }, []);
    const registered = registry.getMetricsAsArray().map(({ name }) => name);
    for (const { expr } of alerts) {
      const named = expr.match(/\b(notification|queue)_\w+/g) ?? [];
      expect(named).not.toEqual([]);
      for (const name of named) expect(registered).toContain(name.replace(/_bucket$/, ''));
    }
    const queues = new RegExp(`^${/queue=~"([^"]+)"/.exec(alerts[3]!.expr)?.[1]}$`);
    expect(channelQueues.filter(({ name }) => !queues.test(name))).toEqual([]);
    for (const other of ['notifications.push.retry', 'notifications.dlq']) expect(other).not.toMatch(queues);
  });

  it('have each a place in the guide that says what to do', async () => {
    const guide = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    for (const { name } of rules) expect(guide).toContain(`### \`${name}\``);
  });
});
