import { Counter, Gauge, type Registry } from 'prom-client';

const RESULTS = ['ok', 'rejected', 'unreachable'] as const;

export type ReloadMetrics = ReturnType<typeof createReloadMetrics>;

/** How the rules of this process are kept current. */
export function createReloadMetrics(registry: Registry) {
  const registers = [registry];
  const reloads = new Counter({
    name: 'rate_limiter_rules_reloads_total',
    help: 'New documents taken in force (ok) or found faulty (rejected), and looks at a source that gave no answer (unreachable)',
    labelNames: ['result'],
    registers,
  });
  for (const result of RESULTS) reloads.inc({ result }, 0);
  const stale = new Gauge({
    name: 'rate_limiter_rules_stale',
    help: '1 while the newest rules are not in force, or not known',
    registers,
  });
  return {
    reloaded: (result: (typeof RESULTS)[number]) => reloads.inc({ result }),
    /** Whether the newest document is not, or may not be, in force. */
    stale: (isStale: boolean) => stale.set(isStale ? 1 : 0),
  };
}
