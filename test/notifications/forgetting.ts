import { createRetention } from '../../src/domains/notifications/retention/index.js';
import { type Clock, systemClock } from '../../src/platform/clock.js';
import type { Forget } from '../../src/platform/forget.js';
import type { Queryable } from '../../src/platform/postgres/postgres.js';

/** What one process forgets, in its order; a new one begins at the beginning. */
export function forgetting(postgres: Queryable, clock: Clock = systemClock) {
  const forgotten: Record<string, number> = {};
  const forgets = createRetention({
    postgres,
    clock,
    metrics: {
      forgot(what, count) {
        forgotten[what] = (forgotten[what] ?? 0) + count;
      },
    },
    retention: { days: 90, inboxDays: 365 },
    now: async () => new Date(clock.now()),
  });
  const [requests, requestMonths, eventDays, items, itemMonths, alerts, strayItems, lonePartitions] =
    forgets as [Forget, Forget, Forget, Forget, Forget, Forget, Forget, Forget];
  const [documentMonths, strayDocuments] = forgets.slice(8) as [Forget, Forget];
  return {
    ...{ requests, requestMonths, eventDays, items, itemMonths, alerts, strayItems, lonePartitions },
    ...{ documentMonths, strayDocuments },
    forgotten,
  };
}
