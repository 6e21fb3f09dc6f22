import type { Ids } from '../../../platform/ids.js';
import type { Transition } from '../delivery/transition.js';
import type { Acceptable } from '../intake/accept.js';
import type { DecideDeps } from '../intake/decide.js';
import { fingerprint } from '../intake/dedup.js';
import { applyLimits } from '../intake/limit.js';
import { applyPreferences, declineDigest, objection } from '../intake/preferences.js';
import type { Profile } from '../intake/profiles.js';
import { renderDrafts } from '../intake/render.js';
import { type Draft, draftDeliveries, suppress } from '../intake/request.js';
import { obstacleTo, routeDrafts } from '../intake/route.js';
import type { CheckedRequest } from '../intake/validate.js';
import { quietHoursEnd } from '../preferences/quiet-hours.js';
import { sumsUpOthers } from '../providers/collapse.js';
import { cancellation } from '../schedule/cancel.js';
import { expiry, isExpired, toTransition } from '../schedule/release.js';
import { toAcceptance } from '../send.js';
import { builtInTemplates, hasText } from './built-in.js';
import { digestVariables, fits } from './compose.js';
import { DIGEST } from './gather.js';
import type { Item } from './items.js';

/** In whose name digests are sent. */
export const DIGESTS_PRODUCER = 'notifications';

export interface DecideDigestDeps extends DecideDeps {
  readonly ids: Ids;
}

/** A digest that is due, with its items' rows locked. */
export interface DueDigest {
  readonly digestId: string;
  /** From the oldest to the newest. */
  readonly items: readonly Item[];
  /** Some of it went out before: these came too late. */
  readonly isRest: boolean;
}

/** What is to be written of a digest. */
export interface DecidedDigest {
  /** The digest itself, as any other request; none where nothing is sent. */
  readonly accepts: readonly Acceptable[];
  /** Of items that leave the digest, or go by themselves. */
  readonly transitions: readonly { readonly item: Item; readonly transition: Transition }[];
  /** It waits until then, all items that are not among the transitions. */
  readonly putOffUntil?: number;
}

/** What exceeds a limit is tried again so much later, as long as its oldest item is not older than that. */
const RETRY_LIMITED_MS = 3_600_000;
const OLDEST_LIMITED_MS = 3 * 86_400_000;

/**
 * Decides what becomes of a digest, by the steps of intake. Items that were cancelled or expired, that their user does not want any
 * more, or that have no address to go to, leave it. Several go out as one notification of type DIGEST, a last one as itself, and so does
 * each where their user wants no digests any more, neither by their settings nor by their preferences. In quiet hours, and where a limit
 * is used up, the digest waits. What keeps a digest from being sent at all is said of each of its items.
 */
export async function decideDigest(
  deps: DecideDigestDeps,
  { digestId, items, isRest }: DueDigest,
  { now, correlationId }: { readonly now: number; readonly correlationId: string },
): Promise<DecidedDigest> {
  const profiles = await profilesOf(deps, items);
  const left: { item: Item; transition: Transition }[] = [];
  const live = items.filter((item) => {
    const transition = end(item, profiles(item.type, item.userId), now);
    if (transition) left.push({ item, transition });
    return !transition;
  });
  const [first] = live;
  if (!first) return { accepts: [], transitions: left };

  const areAlone =
    live.length === 1 || objection(profiles(DIGEST, first.userId), DIGEST, first.channel) !== null;
  const type = areAlone ? first.type : DIGEST;
  const profile = profiles(type, first.userId);
  const quietEnd = deps.quietHours(type) === 'bypass' ? null : quietHoursEnd(profile, now);
  if (quietEnd !== null) return { accepts: [], transitions: left, putOffUntil: quietEnd };

  const isOld = now - first.createdAt.getTime() > OLDEST_LIMITED_MS;
  const mayWait = ({ suppression }: Draft): boolean => suppression?.reason === 'RATE_LIMITED' && !isOld;
  const putOffUntil = now + RETRY_LIMITED_MS;
  if (areAlone) {
    let isWaiting = false;
    for (const item of live) {
      const draft = await decideAlone(deps, item, profiles(item.type, item.userId), now);
      if (mayWait(draft)) isWaiting = true;
      else left.push({ item, transition: toTransition(item, draft, now) });
    }
    return { accepts: [], transitions: left, ...(isWaiting && { putOffUntil }) };
  }
  const notificationId = isRest ? `${digestId}-${first.deliveryId.replaceAll('-', '')}` : digestId;
  const decided = await decideTogether(deps, notificationId, live, profile, now);
  if (mayWait(decided.draft)) return { accepts: [], transitions: left, putOffUntil };
  const { suppression } = decided.draft;
  if (!suppression)
    return { accepts: [toAcceptable(deps.ids, decided, correlationId, now)], transitions: left };
  const { reason, detail } = suppression;
  const refused = live.map((item) => ({
    item,
    transition: toTransition(item, suppress(draftOf(item), reason, detail), now),
  }));
  return { accepts: [], transitions: [...left, ...refused] };
}

/** The profiles of all users, for each type of the items and for digests. */
async function profilesOf({ profiles }: DecideDigestDeps, items: readonly Item[]) {
  const users = new Set(items.map(({ userId }) => userId));
  const types = [...new Set([...items.map((item) => item.type), DIGEST])];
  const loaded = await Promise.all(types.map((type) => profiles.load(users, type)));
  const byType = new Map(types.map((type, index) => [type, loaded[index]!]));
  return (type: string, userId: string): Profile => byType.get(type)!.get(userId)!;
}

/** What becomes of an item that is not to be sent any more; null where it is. */
function end(item: Item, profile: Profile, now: number): Transition | null {
  if (item.isCancelled && !sumsUpOthers(item.content)) return cancellation(item, now);
  if (isExpired(item, now)) return expiry(item, now);
  const draft = draftOf(item);
  const reason = objection(profile, item.type, item.channel);
  if (reason) return toTransition(item, suppress(draft, reason), now);
  const declined = declineDigest(draft, profile);
  if (declined) return toTransition(item, declined, now);
  // A digest has no fallback channels, its items have: each is left out by itself.
  const obstacle = obstacleTo(profile, item.channel, { type: item.type });
  if (!obstacle) return null;
  return toTransition(item, suppress(draft, obstacle, profile.suppressions?.[item.channel]), now);
}

const draftOf = ({ deliveryId, userId, channel, content }: Item): Draft => ({
  ...{ deliveryId, userId, channel, content },
  ...{ recipient: 0, variables: {}, steps: [] },
});

/** The last item of a digest, with the text that it has already. */
async function decideAlone(deps: DecideDeps, item: Item, profile: Profile, now: number): Promise<Draft> {
  const profiles = new Map([[item.userId, profile]]);
  const wanted = applyPreferences([draftOf(item)], profiles, item.type, deps.quietHours, now);
  return (await limitAndRoute(deps, wanted, profiles, item))!;
}

interface Together {
  readonly draft: Draft;
  readonly request: CheckedRequest;
}

async function decideTogether(
  deps: DecideDigestDeps,
  notificationId: string,
  items: readonly Item[],
  profile: Profile,
  now: number,
): Promise<Together> {
  const { userId, channel } = items[0]!;
  const profiles = new Map([[userId, profile]]);
  const variables = digestVariables(items, channel);
  const recipients = [{ userId, channels: [channel], variables }];
  const { drafts } = draftDeliveries(recipients, deps.ids);
  const wanted = applyPreferences(drafts, profiles, DIGEST, deps.quietHours, now);
  const { rendered, templateId } = await render(deps, wanted, profile);
  const notification = { producer: DIGESTS_PRODUCER, notificationId, type: DIGEST };
  const draft = (await limitAndRoute(deps, rendered, profiles, notification))!;
  const expiresAt = lastExpiry(items);
  const request = { notificationId, type: DIGEST, priority: 'low' as const, recipients, templateId };
  return { draft, request: { ...request, ...(expiresAt && { expiresAt }) } };
}

/** The digest's own text; the built-in one where there is no template, one that does not fit, or one whose text is too long. */
async function render(deps: DecideDeps, drafts: readonly Draft[], profile: Profile) {
  const { channel } = drafts[0]!;
  const own = await deps.activeTemplates.ofType(DIGEST);
  const [builtIn] = builtInTemplates;
  for (const templates of hasText(own, channel, profile.language)
    ? [own, builtInTemplates]
    : [builtInTemplates]) {
    const profiles = new Map([[profile.userId, profile]]);
    const unfit = (draft: Draft): Draft => suppress(draft, 'MISSING_VARIABLE');
    const result = renderDrafts(drafts, templates[0]?.templateId ?? DIGEST, templates, profiles, unfit);
    const rendered = result.ok ? result.value : [];
    const content = rendered[0]?.content;
    const step = rendered[0]?.steps.find(({ event }) => event === 'RENDERED');
    if (step && content && (templates === builtInTemplates || fits(content, channel)))
      return { rendered, templateId: String(step.detail?.templateId) };
  }
  // It was left out before.
  return { rendered: drafts, templateId: own[0]?.templateId ?? builtIn!.templateId };
}

async function limitAndRoute(
  deps: DecideDeps,
  drafts: readonly Draft[],
  profiles: ReadonlyMap<string, Profile>,
  notification: { readonly producer: string; readonly notificationId: string; readonly type: string },
): Promise<Draft | undefined> {
  return routeDrafts(
    await applyLimits(drafts, profiles, notification, deps.limits),
    profiles,
    notification,
  )[0];
}

/** A digest is worth sending as long as one of its items is. */
const lastExpiry = (items: readonly Item[]): Date | undefined =>
  items.every(({ expiresAt }) => expiresAt !== null)
    ? new Date(Math.max(...items.map(({ expiresAt }) => expiresAt!.getTime())))
    : undefined;

function toAcceptable(
  ids: Ids,
  { draft, request }: Together,
  correlationId: string,
  now: number,
): Acceptable {
  return {
    grouping: null,
    producer: DIGESTS_PRODUCER,
    correlationId,
    request,
    fingerprint: fingerprint(request),
    drafts: [draft],
    response: toAcceptance(request, [draft], [], ids.next(), now),
    now,
  };
}
