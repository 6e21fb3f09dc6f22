import { Counter, Gauge, type Registry } from 'prom-client';

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
