import { Counter, type Registry } from 'prom-client';

const spans = new Counter({
  name: 'trace_spans_total',
  help: 'Spans of traces, by what became of them: exported, failed (the collector did not take them), dropped (too many waited)',
  labelNames: ['outcome'],
  registers: [],
});

/** Counts spans of this process by what became of them. */
export const countSpans = (outcome: 'exported' | 'failed' | 'dropped', count: number): void =>
  spans.inc({ outcome }, count);

/** Shows in a process's metrics what became of its spans. */
export const observeSpans = (metrics: Registry): void => metrics.registerMetric(spans);
