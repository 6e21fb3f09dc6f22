import { hash } from 'node:crypto';
import type { Registry } from 'prom-client';
import type { NotificationLimitsConfig } from '../config.js';
import type { LimitedDelivery, LimitVerdict, NotificationLimits } from './limits.js';
import type { Check, Limit, Quotas } from './quotas.js';
import { createRefusals } from './refusals.js';
import { createLimitTable, type UserLimit } from './table.js';

/** A call that is held back costs a step of its delivery each time it comes again. */
const SHORTEST_DELAY_MS = 1_000;
/** Of the window: what waits for one moment comes back spread over this much. */
const SPREAD = 0.1;

const NONE: NotificationLimitsConfig = { channels: {}, types: {}, global: {} };

/**
 * @param config limits that differ from the product's own
 * @param random uniform in [0, 1)
 */
export function createNotificationLimits(deps: {
  quotas: Quotas;
  metrics: Registry;
  config?: NotificationLimitsConfig;
  random?: () => number;
}): NotificationLimits {
  const { quotas, random = Math.random } = deps;
  const table = createLimitTable(deps.config ?? NONE);
  const refusals = createRefusals(deps.metrics);

  return {
    async charge(deliveries) {
      const limits = deliveries.map(({ channel, notificationType }) =>
        table.ofUser(channel, notificationType),
      );
      const limited = [...limits.keys()].filter((index) => limits[index]!.length > 0);
      const nameOf = createNames();
      const checks = limited.map(
        (index): Check => ({
          userId: deliveries[index]!.userId,
          name: nameOf(deliveries[index]!),
          windows: limits[index]!,
        }),
      );
      const verdicts: LimitVerdict[] = deliveries.map(() => ALLOWED);
      for (const [place, refusal] of (await quotas.charge(checks)).entries()) {
        if (!refusal) continue;
        const index = limited[place]!;
        const limit = limits[index]![refusal.window]!;
        refusals.count(limit.kind, deliveries[index]!.channel);
        verdicts[index] = refusedBy(limit, refusal.retryAfterMs);
      }
      return verdicts;
    },

    async delayOfCall(channel, notificationType) {
      const limit = table.ofProvider(channel, notificationType);
      if (!limit) return 0;
      const wait = await quotas.chargeShared(limit);
      if (wait === 0) return 0;
      refusals.count('global', channel);
      return spread(wait, limit, random());
    },
  };
}

const ALLOWED: LimitVerdict = { allowed: true };

const refusedBy = ({ kind: limit, max, windowSeconds }: UserLimit, retryAfterMs: number): LimitVerdict => ({
  allowed: false,
  limit,
  max,
  windowSeconds,
  retryAfterMs,
});

const spread = (wait: number, { windowSeconds }: Limit, random: number): number =>
  Math.ceil(Math.max(SHORTEST_DELAY_MS, wait) + random * SPREAD * windowSeconds * 1_000);

/**
 * A notification's name in its users' limits: 128 bits, since every user keeps it for as long as the window. It is
 * the same on all channels, so that a type counts it once; each channel has a count of its own.
 */
function createNames(): (delivery: LimitedDelivery) => string {
  let last: { of: LimitedDelivery; name: string } | undefined;
  return (delivery) => {
    const { producer, notificationId } = delivery;
    if (last?.of.producer !== producer || last.of.notificationId !== notificationId) {
      last = { of: delivery, name: nameOf(producer, notificationId) };
    }
    return last.name;
  };
}

/** As JSON, which no two pairs share. */
const nameOf = (producer: string, notificationId: string): string =>
  hash('sha256', JSON.stringify([producer, notificationId]), 'buffer')
    .subarray(0, 16)
    .toString('base64url');
