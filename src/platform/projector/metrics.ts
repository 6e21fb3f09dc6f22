import { Counter, Gauge, type Registry } from 'prom-client';
import { withinMs } from '../deadline.js';
import type { Queryable } from '../postgres/postgres.js';
import { sql } from './lag.sql.js';

export type ProjectorMetrics = ReturnType<typeof createProjectorMetrics>;

export function createProjectorMetrics(registry: Registry) {
  const labels = { labelNames: ['projector'] as const, registers: [registry] };
  return {
    applied: new Counter({ name: 'projector_events_applied_total', help: 'Events applied', ...labels }),
    position: new Gauge({ name: 'projector_position', help: 'Last log position applied', ...labels }),
    stalled: new Gauge({ name: 'projector_stalled', help: '1 while an event cannot be applied', ...labels }),
    rebuildPosition: new Gauge({
      name: 'projector_rebuild_position',
      help: 'Last log position in the read model that is being built anew; absent while none is',
      ...labels,
    }),
  };
}

const SCRAPE_MS = 1_000;

/**
 * Measures the log's end, and how many events each projector of the fleet lies behind it, on every scrape. While the
 * database does not answer within 1 s both are left out.
 */
export function observeLag(registry: Registry, postgres: Queryable): void {
  const registers = [registry];
  new Gauge({
    name: 'log_head_position',
    help: 'Position of the newest event',
    registers,
    async collect() {
      this.remove();
      const read = postgres.query(sql.readHead);
      const answer = await withinMs(SCRAPE_MS, read).catch(() => undefined);
      if (answer) this.set(answer.rows[0]!.head);
    },
  });
  new Gauge({
    name: 'projector_lag_events',
    help: 'Events in the log that a projector has not reached',
    labelNames: ['projector'],
    registers,
    async collect() {
      this.reset();
      const read = postgres.query(sql.readLags);
      const answer = await withinMs(SCRAPE_MS, read).catch(() => undefined);
      for (const { projector_name, lag } of answer?.rows ?? []) this.set({ projector: projector_name }, lag);
    },
  });
}
