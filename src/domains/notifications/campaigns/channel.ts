import { objection } from '../intake/preferences.js';
import type { Profile } from '../intake/profiles.js';
import { isReachable } from '../intake/route.js';
import { type Channel, defaultChannels } from '../types.js';

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
 * The one channel over which a user gets a campaign: the first that reaches them and that they have not declined; where there is none,
 * the first that reaches them, else the first of all, whose delivery then says why it is left out.
 *
 * @param channels at least one
 */
export function chooseChannel(channels: readonly Channel[], profile: Profile, type: string): Channel {
  const reachable = channels.filter((channel) => isReachable(profile, channel));
  return (
    reachable.find((channel) => objection(profile, type, channel) === null) ?? reachable[0] ?? channels[0]!
  );
}
