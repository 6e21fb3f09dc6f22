import { isQuiet } from '../preferences/quiet-hours.js';
import { type Channel, rulesOf, type SuppressionReason } from '../types.js';
import type { Profile } from './profiles.js';
import { type Draft, pass, suppress } from './request.js';

/** Step 3: keeps what its user wants to get on this channel now. */
export function applyPreferences(
  drafts: readonly Draft[],
  profiles: ReadonlyMap<string, Profile>,
  type: string,
  now: number,
): readonly Draft[] {
  return drafts.map((draft) => {
    if (draft.suppression) return draft;
    const checked = pass(draft, 'PREFERENCE_CHECKED');
    const reason = objection(profiles.get(draft.userId)!, type, draft.channel, now);
    return reason ? suppress(checked, reason) : checked;
  });
}

/** Why a user should not get a type on a channel at this instant; null where nothing speaks against it. */
export function objection(
  profile: Profile,
  type: string,
  channel: Channel,
  now: number,
): SuppressionReason | null {
  const rules = rulesOf(type);
  if (profile.disabled.includes(channel)) return 'CHANNEL_DISABLED';
  if (rules.marketing && !profile.marketingOptIn) return 'MARKETING_OPT_OUT';
  if (!rules.exempt && isQuiet(profile, now)) return 'QUIET_HOURS';
  return null;
}
