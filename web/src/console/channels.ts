import type { Channel } from '../generated/graphql.js';
import { useConsoleTexts } from './texts.js';

export type { Channel } from '../generated/graphql.js';

/** In the order in which they are shown. */
export const channels = ['PUSH', 'EMAIL', 'SMS', 'IN_APP'] as const satisfies readonly Channel[];

export function useChannelName(): (channel: Channel) => string {
  const c = useConsoleTexts();
  return (channel) => c(`channel.${channel}`);
}

/** By name, for a select. */
export function useChannelChoices(): { readonly value: Channel; readonly label: string }[] {
  const name = useChannelName();
  return channels.map((value) => ({ value, label: name(value) }));
}
