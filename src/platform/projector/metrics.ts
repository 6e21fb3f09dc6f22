import { Counter, Gauge, type Registry } from 'prom-client';

export interface ProjectorMetrics {
  readonly applied: Counter<'projector'>;
  readonly position: Gauge<'projector'>;
  readonly stalled: Gauge<'projector'>;
  readonly rebuildPosition: Gauge<'projector'>;
}

export function createProjectorMetrics(registry: Registry): ProjectorMetrics {
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
