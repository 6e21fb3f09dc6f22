import type { NotificationLimits, QuotaResult } from '../limits/limits.js';
import type { Profile } from './profiles.js';
import { type Draft, isSettled, suppress } from './request.js';
import { obstacleTo, type Routed } from './route.js';

/**
 * Step 5: leaves out what is more than its user may get. What has nowhere to go, or only renews what the inbox shows, is not
 * counted; what is repeated is not counted again.
 */
export async function applyLimits(
  drafts: readonly Draft[],
  profiles: ReadonlyMap<string, Profile>,
  notification: Routed & { readonly producer: string; readonly notificationId: string },
  limits: Pick<NotificationLimits, 'charge'>,
): Promise<readonly Draft[]> {
  const { producer, notificationId, type: notificationType } = notification;
  const counted = drafts.filter(
    (draft) =>
      !isSettled(draft) &&
      !draft.isUncounted &&
      !obstacleTo(profiles.get(draft.userId)!, draft.channel, notification),
  );
  if (counted.length === 0) return drafts;
  const decisions = await limits.charge(
    counted.map(({ userId, channel }) => ({ producer, notificationId, userId, notificationType, channel })),
  );
  const refused = new Map<Draft, Refusal>();
  counted.forEach((draft, index) => {
    const decision = decisions[index]!;
    if (!decision.allowed) refused.set(draft, decision);
  });
  return drafts.map((draft) => {
    const refusal = refused.get(draft);
    return refusal ? suppress(draft, 'RATE_LIMITED', describe(refusal, draft, notificationType)) : draft;
  });
}

type Refusal = Exclude<QuotaResult, { allowed: true }>;

function describe({ limit, max, windowSeconds }: Refusal, draft: Draft, type: string): string {
  return `${limit === 'type' ? type : draft.channel}: at most ${max} in ${windowSeconds / 3600} h for one user`;
}
