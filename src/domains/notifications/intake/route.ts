import { type Channel, rulesOfChannel } from '../types.js';
import type { Profile } from './profiles.js';
import { type Draft, isSettled, pass, suppress } from './request.js';

/** Step 6: finds each draft's address; a recipient who has none on the channel is left out. */
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
  const { address } = rulesOfChannel(channel);
  if (address === 'user') return true;
  return address === 'devices' ? profile.hasDevice : profile[address] !== null;
}

/** The address of the user's that a channel sends to. Null for devices, which are looked up when it is sent, and for inboxes. */
export function addressOf(profile: Profile, channel: Channel): string | null {
  const { address } = rulesOfChannel(channel);
  return address === 'devices' || address === 'user' ? null : profile[address];
}
