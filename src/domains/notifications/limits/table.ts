import type { ConfiguredLimit, NotificationLimitsConfig } from '../config.js';
import { DAY, HOUR } from '../durations.js';
import { type Channel, channels, rulesOf, rulesOfChannel } from '../types.js';
import type { Limit } from './quotas.js';

/** What the notification document limits, and notices of posts: a post that everybody likes must not fill an inbox. */
const DEFAULTS: NotificationLimitsConfig = {
  channels: ofEachChannel('userLimit'),
  types: {
    NEW_FOLLOWER: { max: 10, windowSeconds: HOUR },
    COMMENT_REPLY: { max: 20, windowSeconds: HOUR },
    MARKETING_CAMPAIGN: { max: 1, windowSeconds: DAY },
    POST_LIKED: { max: 20, windowSeconds: HOUR },
    POST_COMMENTED: { max: 20, windowSeconds: HOUR },
    POST_SHARED: { max: 20, windowSeconds: HOUR },
    NEW_POST: { max: 20, windowSeconds: HOUR },
    USER_MENTIONED: { max: 20, windowSeconds: HOUR },
  },
  global: ofEachChannel('globalLimit'),
};

function ofEachChannel(limit: 'userLimit' | 'globalLimit'): Readonly<Record<string, ConfiguredLimit>> {
  return Object.fromEntries(channels.map((channel) => [channel, rulesOfChannel(channel)[limit] ?? null]));
}

/** One of a user's limits. */
export interface UserLimit extends Limit {
  readonly kind: 'channel' | 'type';
}

/**
 * Which limits a notification is held against. Exempt types have none, whatever is configured.
 *
 * @param own limits that take the place of the product's of the same name; null removes one
 */
export function createLimitTable(own: NotificationLimitsConfig) {
  const ofChannel = table('channel', { ...DEFAULTS.channels, ...own.channels });
  const ofType = table('type', { ...DEFAULTS.types, ...own.types });
  const ofAll = table('global', { ...DEFAULTS.global, ...own.global });
  return {
    /** Of a user's notifications of a type on a channel; the channel's comes first. */
    ofUser(channel: Channel, type: string): readonly UserLimit[] {
      if (rulesOf(type).exempt) return [];
      return [ofChannel.get(channel), ofType.get(type)].filter((limit) => limit !== undefined);
    },
    /** Of calls to a channel's provider, by all processes and for all users; undefined where there is none. */
    ofProvider: (channel: Channel, type: string): Limit | undefined =>
      rulesOf(type).exempt ? undefined : ofAll.get(channel),
  };
}

const table = <Kind extends string>(
  kind: Kind,
  limits: Readonly<Record<string, ConfiguredLimit>>,
): ReadonlyMap<string, Limit & { readonly kind: Kind }> =>
  new Map(
    Object.entries(limits).flatMap(([name, limit]) =>
      limit ? [[name, { kind, id: `${kind}=${name}`, ...limit }] as const] : [],
    ),
  );
