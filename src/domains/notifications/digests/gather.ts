import { createHash } from 'node:crypto';
import type { Profile } from '../intake/profiles.js';
import { type DigestPlace, type Draft, isSettled, suppress } from '../intake/request.js';
import { obstacleTo, type Routed } from '../intake/route.js';
import { type Channel, type Priority, rulesOf } from '../types.js';
import { DAILY_AT, digestDueAt } from './due.js';

/** The type of notification that a digest is. */
export const DIGEST = 'DIGEST';

/** What decides whether a notification may wait. */
export interface Gathered extends Routed {
  readonly priority: Priority;
  readonly exactTemplate?: true | undefined;
}

/** The digest in which a user gets a notification on a channel; null where they get it by itself. */
export type DigestRule = (
  notification: Gathered,
  channel: Channel,
  profile: Profile,
  now: number,
) => DigestPlace | null;

/**
 * Whether a notification is gathered for users who want that: what has low priority. Not so what is exempt from limits and quiet
 * hours, digests themselves, and trials of a template.
 */
export const isGathered = ({ type, priority, exactTemplate }: Omit<Gathered, 'fallbackChannels'>): boolean =>
  priority === 'low' && type !== DIGEST && !exactTemplate && !rulesOf(type).exempt;

/** Nothing is gathered that could not be sent on this channel, so that a fallback is made at once. */
export const createDigestRule =
  (dailyAt = DAILY_AT): DigestRule =>
  (notification, channel, profile, now) => {
    if (!isGathered(notification)) return null;
    if (obstacleTo(profile, channel, { type: notification.type }) !== null) return null;
    const due = digestDueAt(profile, now, dailyAt);
    if (due === null) return null;
    const dueAt = new Date(due);
    return { id: digestIdOf(profile.userId, channel, dueAt), dueAt };
  };

/** Every process gives a digest the same id, and needs to ask nobody. */
export const digestIdOf = (userId: string, channel: Channel, dueAt: Date): string =>
  `digest-${createHash('sha256')
    .update(JSON.stringify([userId, channel, dueAt.getTime()]))
    .digest('base64url')
    .slice(0, 22)}`;

/** Leaves out what goes with a digest, once its text is made: with that it is stored. */
export const gatherDrafts = (drafts: readonly Draft[]): readonly Draft[] =>
  drafts.map((draft) =>
    draft.digest && !isSettled(draft) ? suppress(draft, 'DIGESTED', draft.digest.id) : draft,
  );

/** The digest that a draft was left out for. */
export const digestOf = ({ suppression, digest }: Draft): DigestPlace | undefined =>
  suppression?.reason === 'DIGESTED' ? digest : undefined;
