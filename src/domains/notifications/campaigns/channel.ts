import { isGathered } from '../digests/gather.js';
import { objection } from '../intake/preferences.js';
import type { Profile } from '../intake/profiles.js';
import { isReachable, obstacleTo } from '../intake/route.js';
import { type Channel, defaultChannels, type Priority } from '../types.js';

/**
 * The channels that a campaign may go over, the first choice first: those of the default order with an active template of its type; and
 * in-app, last, where its own template is an in-app one.
 *
 * @param templates the active ones of its type
 * @param own the channel of the template that it names
 */
export function channelsOf(
  templates: readonly { readonly channel: Channel }[],
  own: Channel,
): readonly Channel[] {
  const order = own === 'in_app' ? [...defaultChannels, own] : defaultChannels;
  return order.filter((channel) => templates.some((template) => template.channel === channel));
}

/**
 * The one channel over which a user gets a campaign: the first that reaches them and that they have not declined. Where there is
 * none it is the first that reaches them, then one whose address is on the suppression list, else the first of all: its delivery says why
 * it is left out.
 *
 * @param channels at least one
 */
export function chooseChannel(
  channels: readonly Channel[],
  profile: Profile,
  campaign: { readonly type: string; readonly priority: Priority },
): Channel {
  const { type } = campaign;
  const open = channels.filter((channel) => obstacleTo(profile, channel, { type }) === null);
  const isWanted = (channel: Channel): boolean =>
    objection(profile, type, channel) === null &&
    !(isGathered(campaign) && profile.declinedDigests?.[channel]);
  return (
    open.find(isWanted) ??
    open[0] ??
    channels.find((channel) => isReachable(profile, channel)) ??
    channels[0]!
  );
}
