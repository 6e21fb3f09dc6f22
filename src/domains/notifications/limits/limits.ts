import { hash } from 'node:crypto';
import { Counter, type Registry } from 'prom-client';
import type { NotificationLimitsConfig } from '../config.js';
import { type Channel, channels } from '../types.js';
import type { Check, Limit, Quotas } from './quotas.js';
import { createLimitTable, type UserLimit } from './table.js';

/** A delivery that is checked against its user's limits. */
export interface LimitedDelivery {
  readonly producer: string;
  readonly notificationId: string;
  readonly userId: string;
  readonly notificationType: string;
  readonly channel: Channel;
}

/** Whether a delivery fits its limits: then it is counted in all of them, else in none. */
export type QuotaResult =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** Which limit is reached. */
      readonly limit: 'channel' | 'type';
      readonly max: number;
      readonly windowSeconds: number;
      readonly retryAfterMs: number;
    };

/** The notification document's limits. */
export interface NotificationLimits {
  /**
   * Checks deliveries against what their users may get (per channel, and per type where the type has a limit), in order,
   * in one Redis call for some hundreds of them. Exempt types are always allowed. A delivery that is in a limit's
   * window already fits it and is not counted there again; a type counts once for a notification and user. Where the
   * counters cannot be asked, everything is allowed.
   *
   * @returns one result for each, in order
   */
  charge(deliveries: readonly LimitedDelivery[]): Promise<readonly QuotaResult[]>;
  /**
   * Counts one call to a channel's provider against the channel's global limit: 0 where it may be made now, else
   * milliseconds until one may. Calls of one tick are counted together. Exempt types are always allowed, uncounted.
   */
  delayOfCall(channel: Channel, notificationType: string): Promise<number>;
}

/** A call that is deferred costs a step of its delivery each time it is tried again. */
const SHORTEST_DELAY_MS = 1_000;
/** Of the window: calls that are deferred until one moment are spread over this much. */
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
      const results: QuotaResult[] = deliveries.map(() => ALLOWED);
      for (const [place, refusal] of (await quotas.charge(checks)).entries()) {
        if (!refusal) continue;
        const index = limited[place]!;
        const limit = limits[index]![refusal.window]!;
        refusals.inc({ user_type: limit.kind, channel: deliveries[index]!.channel });
        results[index] = refusedBy(limit, refusal.retryAfterMs);
      }
      return results;
    },

    async delayOfCall(channel, notificationType) {
      const limit = table.ofProvider(channel, notificationType);
      if (!limit) return 0;
      const wait = await quotas.chargeShared(limit);
      if (wait === 0) return 0;
      refusals.inc({ user_type: 'global', channel });
      return spread(wait, limit, random());
    },
  };
}

/**
 * Counts deliveries that limits refused, and calls that they deferred (notification document, Events). The document names the
 * label `user_type`, and its values nowhere. Here it is which limit refused: a user's of the channel or of the type, or the
 * channel's global one.
 */
function createRefusals(registry: Registry): Counter<'user_type' | 'channel'> {
  const refusals = new Counter({
    name: 'notification_rate_limited_total',
    help: 'Deliveries that a limit of their user refused (channel, type), and calls that a global one deferred',
    labelNames: ['user_type', 'channel'],
    registers: [registry],
  });
  // A rate needs a point before the first refusal.
  for (const user_type of ['channel', 'type', 'global'])
    for (const channel of channels) refusals.inc({ user_type, channel }, 0);
  return refusals;
}

const ALLOWED: QuotaResult = { allowed: true };

const refusedBy = ({ kind: limit, max, windowSeconds }: UserLimit, retryAfterMs: number): QuotaResult => ({
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
