import { Registry } from 'prom-client';
import type { Quotas } from '../../src/domains/limits/quotas.js';
import type { LimitedDelivery, NotificationLimits } from '../../src/domains/notifications/limits/limits.js';
import { createNotificationLimits } from '../../src/domains/notifications/limits/limits.js';
import { openTestQuotas } from './with-quotas.js';

/** The notification limits on a real Redis. */
export interface LimitsWorld {
  readonly limits: NotificationLimits;
  readonly quotas: Quotas;
  readonly metrics: Registry;
  /** How much was let through because the counters could not be asked, by why. */
  failedOpen(): Promise<Readonly<Record<string, number>>>;
}

/** See `openTestQuotas`. Calls that are deferred wait exactly as long as the counters say. */
export async function openLimitsWorld(
  urls: readonly string[],
  options: Parameters<typeof openTestQuotas>[2] = {},
): Promise<LimitsWorld> {
  const metrics = new Registry();
  const quotas = await openTestQuotas(urls, metrics, options);
  return {
    limits: createNotificationLimits({ quotas, metrics, random: () => 0 }),
    quotas,
    metrics,
    async failedOpen() {
      const metric = await metrics.getSingleMetric('rate_limiter_redis_errors_total')!.get();
      const events = metric.values.filter(({ value }) => value > 0);
      return Object.fromEntries(events.map(({ labels, value }) => [labels.error_type, value]));
    },
  };
}

let made = 0;

/** A push of a type without a limit of its own to alice, of a notification that there was not before. */
export function aDelivery(own: Partial<LimitedDelivery> = {}): LimitedDelivery {
  made += 1;
  return {
    producer: 'shop',
    notificationId: `notification-${made}`,
    userId: 'alice',
    notificationType: 'ORDER_SHIPPED',
    channel: 'push',
    ...own,
  };
}

/** So many of them, alike but for the notification. */
export const deliveries = (count: number, own: Partial<LimitedDelivery> = {}): LimitedDelivery[] =>
  Array.from({ length: count }, () => aDelivery(own));

/** Which of the deliveries were allowed, and else by which limit they were refused. */
export const verdictsOf = async (
  limits: NotificationLimits,
  batch: readonly LimitedDelivery[],
): Promise<string[]> =>
  (await limits.charge(batch)).map((verdict) => (verdict.allowed ? 'allowed' : verdict.limit));

/** How many of them were allowed. */
export const allowedOf = async (
  limits: NotificationLimits,
  batch: readonly LimitedDelivery[],
): Promise<number> => (await limits.charge(batch)).filter(({ allowed }) => allowed).length;
