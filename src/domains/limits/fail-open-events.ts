import { Counter, type Registry } from 'prom-client';
import { StoreUnreachable } from './counters/store.js';

const ERROR_TYPES = ['timeout', 'connection', 'breaker_open', 'command', 'error'] as const;

const NAME = 'rate_limiter_redis_errors_total';

export type FailOpenEvents = ReturnType<typeof createFailOpenEvents>;

/** Counts what was admitted because the counters could not be asked. All that are made on one registry are one. */
export function createFailOpenEvents(registry: Registry) {
  const known = registry.getSingleMetric(NAME);
  const events = known instanceof Counter ? known : createCounter(registry);
  // A rate needs a point before the first event.
  for (const error_type of ERROR_TYPES) events.inc({ error_type }, 0);
  return {
    /** @param error why; what is no `StoreUnreachable` is of the type `error` */
    count(error: unknown): void {
      events.inc({ error_type: error instanceof StoreUnreachable ? error.errorType : 'error' });
    },
  };
}

const createCounter = (registry: Registry): Counter<'error_type'> =>
  new Counter({
    name: NAME,
    help: 'Fail-open events: requests, fields and notifications let through because the counters could not be asked',
    labelNames: ['error_type'],
    registers: [registry],
  });
