import { isKeptFrom } from '../suppressions/cause.js';
import { type Channel, rulesOfChannel } from '../types.js';
import type { Profile } from './profiles.js';
import { type Draft, isSettled, pass, suppress } from './request.js';

/** What routing needs to know of the request that drafts are of. */
export interface Routed {
  readonly type: string;
  /** Where there are any, a delivery is left out by the claim, which makes the fallback. */
  readonly fallbackChannels?: readonly Channel[] | undefined;
}

/**
 * Step 6: finds each draft's address; a recipient who has none on the channel is left out, and so is one whose address is on the
 * suppression list. What is put on the list after this step is found by the claim.
 */
export function routeDrafts(
  drafts: readonly Draft[],
  profiles: ReadonlyMap<string, Profile>,
  routed: Routed,
): readonly Draft[] {
  return drafts.map((draft) => {
    if (isSettled(draft)) return draft;
    const profile = profiles.get(draft.userId)!;
    const obstacle = obstacleTo(profile, draft.channel, routed);
    if (obstacle) return suppress(draft, obstacle, profile.suppressions?.[draft.channel]);
    const address = addressOf(profile, draft.channel);
    return { ...pass(draft, 'QUEUED'), ...(address !== null && { address }) };
  });
}

/** Why nothing of a request can go to a user on a channel; null where it can. */
export function obstacleTo(
  profile: Profile,
  channel: Channel,
  { type, fallbackChannels = [] }: Routed,
): 'NO_ADDRESS' | 'ADDRESS_SUPPRESSED' | null {
  if (!isReachable(profile, channel)) return 'NO_ADDRESS';
  const isKept = fallbackChannels.length === 0 && isKeptFrom(profile.suppressions?.[channel], type);
  return isKept ? 'ADDRESS_SUPPRESSED' : null;
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
