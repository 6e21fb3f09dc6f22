import type { Channel } from '../types.js';
import type { Profile } from './profiles.js';
import { type Draft, isSettled, pass, suppress } from './request.js';

/** Step 6: puts each draft on its way to an address; who has none on the channel is left out. */
export function routeDrafts(
  drafts: readonly Draft[],
  profiles: ReadonlyMap<string, Profile>,
): readonly Draft[] {
  return drafts.map((draft) => {
    if (isSettled(draft)) return draft;
    const profile = profiles.get(draft.userId)!;
    if (!isReachable(profile, draft.channel)) return suppress(draft, 'NO_ADDRESS');
    const address = addressOf(profile, draft.channel);
    return { ...pass(draft, 'QUEUED'), ...(address !== null && { address }) };
  });
}

/** Whether a user has anywhere to get something on a channel; everybody has an inbox. */
export function isReachable(profile: Profile, channel: Channel): boolean {
  if (channel === 'in_app') return true;
  return channel === 'push' ? profile.hasDevice : addressOf(profile, channel) !== null;
}

/** A push has no address of its own: it goes to the devices that are there when it is sent. */
export function addressOf(profile: Profile, channel: Channel): string | null {
  if (channel === 'email') return profile.email;
  return channel === 'sms' ? profile.phone : null;
}
