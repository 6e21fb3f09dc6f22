import { type Channel, rulesOf } from '../types.js';
import type { Limit } from './quotas.js';

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** What a user gets on a channel, of all types together (notification document, Limits). */
const ofChannel = table('channel', [
  ['push', 30, HOUR],
  ['sms', 5, HOUR],
  ['email', 10, DAY],
]);

/** What a user gets of a type, on all channels together. */
const ofType = table('type', [
  ['NEW_FOLLOWER', 10, HOUR],
  ['COMMENT_REPLY', 20, HOUR],
  ['MARKETING_CAMPAIGN', 1, DAY],
  // Not in the document: a post that everybody likes must not fill an inbox.
  ['POST_LIKED', 20, HOUR],
  ['POST_COMMENTED', 20, HOUR],
  ['POST_SHARED', 20, HOUR],
  ['NEW_POST', 20, HOUR],
]);

/** What a channel's provider is asked for, by all processes and for all users. */
const ofAll = table('global', [
  ['sms', 100_000, HOUR],
  ['email', 500_000, HOUR],
]);

/** One of a user's limits. */
export interface UserLimit extends Limit {
  readonly kind: 'channel' | 'type';
}

/** The limits that a user's notifications of a type are held against on a channel; the channel's comes first. */
export function userLimits(channel: Channel, type: string): readonly UserLimit[] {
  if (rulesOf(type).exempt) return [];
  return [ofChannel.get(channel), ofType.get(type)].filter((limit) => limit !== undefined);
}

/** The limit of calls to a channel's provider; undefined where there is none for the type. */
export const providerLimit = (channel: Channel, type: string): Limit | undefined =>
  rulesOf(type).exempt ? undefined : ofAll.get(channel);

function table<Kind extends string>(
  kind: Kind,
  rows: readonly (readonly [name: string, max: number, windowSeconds: number])[],
): ReadonlyMap<string, Limit & { readonly kind: Kind }> {
  return new Map(
    rows.map(([name, max, windowSeconds]) => [name, { kind, id: `${kind}=${name}`, max, windowSeconds }]),
  );
}
