import type { QuietHoursRules } from '../intake/preferences.js';
import { objection } from '../intake/preferences.js';
import type { Profiles } from '../intake/profiles.js';
import { addressOf, obstacleTo } from '../intake/route.js';
import type { NotificationLimits } from '../limits/limits.js';
import { isQuiet } from '../preferences/quiet-hours.js';
import type { LockedDelivery, Resendable } from './settle.js';

export interface ReconsiderDeps {
  readonly profiles: Profiles;
  readonly limits: Pick<NotificationLimits, 'charge'>;
  readonly quietHours: QuietHoursRules;
}

/**
 * Which of several dead deliveries may be sent once more on a producer's word: those that nobody would leave out now. It
 * counts against its user's limits like another message, since the one before may have arrived.
 */
export async function reconsider(
  deps: ReconsiderDeps,
  dead: readonly LockedDelivery[],
  now: number,
): Promise<readonly Resendable[]> {
  const reachable = await byType(dead, (type, deliveries) => stillWanted(deps, type, deliveries, now));
  const decisions = await deps.limits.charge(
    reachable.map((delivery) => ({ ...delivery, notificationId: `${delivery.notificationId} again ${now}` })),
  );
  return reachable.filter((_, index) => decisions[index]!.allowed);
}

/** Those whose users have not declined them since they were accepted: an admin may retry these at any hour. */
export const undeclined = (
  profiles: Profiles,
  dead: readonly LockedDelivery[],
): Promise<readonly LockedDelivery[]> =>
  byType(dead, async (type, deliveries) => {
    const known = await profilesOf(profiles, type, deliveries);
    return deliveries.filter(({ userId, channel }) => !objection(known.get(userId)!, type, channel));
  });

async function byType<T>(
  deliveries: readonly LockedDelivery[],
  keep: (type: string, deliveries: readonly LockedDelivery[]) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  const types = Map.groupBy(deliveries, ({ notificationType }) => notificationType);
  return (await Promise.all([...types].map(([type, its]) => keep(type, its)))).flat();
}

const profilesOf = (profiles: Profiles, type: string, deliveries: readonly LockedDelivery[]) =>
  profiles.load(new Set(deliveries.map(({ userId }) => userId)), type);

async function stillWanted(
  { profiles, quietHours }: ReconsiderDeps,
  type: string,
  deliveries: readonly LockedDelivery[],
  now: number,
): Promise<readonly Resendable[]> {
  const known = await profilesOf(profiles, type, deliveries);
  return deliveries.flatMap((delivery) => {
    const profile = known.get(delivery.userId)!;
    const isDisturbed = quietHours(type) !== 'bypass' && isQuiet(profile, now);
    if (isDisturbed || objection(profile, type, delivery.channel)) return [];
    if (obstacleTo(profile, delivery.channel, { type })) return [];
    const address = addressOf(profile, delivery.channel);
    return [{ ...delivery, ...(address !== null && { address }) }];
  });
}
