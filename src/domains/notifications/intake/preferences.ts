import type { QuietHoursRule } from '../config.js';
import { isQuiet, quietHoursEnd } from '../preferences/quiet-hours.js';
import { type Channel, rulesOf, type SuppressionReason } from '../types.js';
import type { Profile } from './profiles.js';
import { type DigestPlace, type Draft, deferUntil, isSettled, pass, suppress } from './request.js';

/** What quiet hours do to each type. */
export type QuietHoursRules = (type: string) => QuietHoursRule;

/** Types that are exempt from limits pass by quiet hours too, and others are dropped, unless the configuration says so. */
export const createQuietHoursRules =
  (configured: Readonly<Record<string, QuietHoursRule>>): QuietHoursRules =>
  (type) =>
    Object.hasOwn(configured, type) ? configured[type]! : rulesOf(type).exempt ? 'bypass' : 'drop';

/**
 * Step 3: keeps what its user wants to get on this channel: now, with a digest, or once their quiet hours are over.
 *
 * @param digestOf the digest in which a user gets it; it disturbs nobody until it is sent, so quiet hours do not matter here. Who has
 *   turned digests off on this channel gets neither the digest nor, one by one, more than they asked for
 */
export function applyPreferences(
  drafts: readonly Draft[],
  profiles: ReadonlyMap<string, Profile>,
  type: string,
  quietHours: QuietHoursRules,
  now: number,
  digestOf: (channel: Channel, profile: Profile) => DigestPlace | null = () => null,
): readonly Draft[] {
  const quietRule = quietHours(type);
  return drafts.map((draft) => {
    if (isSettled(draft)) return draft;
    const profile = profiles.get(draft.userId)!;
    const checked = pass(draft, 'PREFERENCE_CHECKED');
    const reason = objection(profile, type, draft.channel);
    if (reason) return suppress(checked, reason);
    const digest = digestOf(draft.channel, profile);
    if (digest) return declineDigest(checked, profile) ?? { ...checked, digest };
    if (quietRule === 'bypass' || !isQuiet(profile, now)) return checked;
    const end = quietRule === 'defer' ? quietHoursEnd(profile, now) : null;
    return end === null
      ? suppress(checked, 'QUIET_HOURS')
      : deferUntil(checked, new Date(end), { reason: 'QUIET_HOURS', timezone: profile.timezone });
  });
}

/** The draft, left out where its user wants digests and has turned off the type DIGEST on its channel; else null. */
export function declineDigest(draft: Draft, { declinedDigests }: Profile): Draft | null {
  const reason = declinedDigests?.[draft.channel];
  return reason
    ? suppress(draft, reason, 'They want digests, and have turned off the type DIGEST on this channel')
    : null;
}

/** Why a user should not get a type on a channel, at whatever time; null where nothing speaks against it. */
export function objection(profile: Profile, type: string, channel: Channel): SuppressionReason | null {
  const declined = profile.declined?.[channel];
  if (declined) return declined;
  if (rulesOf(type).marketing && !profile.marketingOptIn) return 'MARKETING_OPT_OUT';
  return null;
}
