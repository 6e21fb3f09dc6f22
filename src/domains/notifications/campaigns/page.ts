import { ok, type Result } from '../../../platform/errors.js';
import { groupCommit } from '../../../platform/group-commit.js';
import type { Ids } from '../../../platform/ids.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Queryable, RowOf } from '../../../platform/postgres/postgres.js';
import type { Queues } from '../../../platform/queues/queues.js';
import { firstSteps } from '../intake/accept.js';
import { type DecideDeps, decide } from '../intake/decide.js';
import type { Profile, Profiles } from '../intake/profiles.js';
import { type Draft, draftDeliveries, isSettled } from '../intake/request.js';
import type { LifecycleStream } from '../lifecycle/stream.js';
import type { NotificationMetrics } from '../metrics.js';
import { unfit } from '../schedule/release.js';
import { type ActiveTemplate, notFound } from '../templates/active-templates.js';
import type { Channel } from '../types.js';
import { channelsOf, chooseChannel } from './channel.js';
import { sql as statements } from './expand.sql.js';
import { type PackedPage, packPage } from './pack.js';
import { createWakePage } from './wake.js';

/** A campaign that is being expanded. */
export interface Expanded
  extends Pick<
    RowOf<typeof statements.place>,
    'campaignId' | 'producer' | 'templateId' | 'type' | 'priority' | 'correlationId' | 'variables'
  > {
  /** Of the template that it names. */
  readonly channel: Channel;
}

/** A page whose users are decided. */
export interface DecidedPage {
  readonly number: number;
  /** The last user who was looked at. */
  readonly after: string;
  readonly notificationId: string;
  readonly drafts: readonly Draft[];
  /** What is stored of them: it is packed while the page before is stored. */
  readonly packed: PackedPage;
  readonly at: number;
}

export interface PageDeps extends DecideDeps {
  readonly profiles: Profiles;
  readonly postgres: Queryable;
  readonly queues: Queues;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly lifecycle: LifecycleStream;
  readonly metrics: Pick<NotificationMetrics, 'campaigned'>;
}

/** Pages name their requests so: nobody else makes these up. */
const nameOf = (campaignId: string, page: number): string => `${campaignId}.${page}`;

/**
 * Decides a page as intake does a request: one delivery for each user, on the channel that `chooseChannel` says.
 *
 * Refused with TEMPLATE_NOT_FOUND where its type has no active template any more, or with RENDERED_TOO_LARGE.
 */
export async function decidePage(
  deps: PageDeps,
  campaign: Expanded,
  page: { readonly number: number; readonly after: string; readonly userIds: readonly string[] },
  now: number,
): Promise<Result<DecidedPage>> {
  const { number, after, userIds } = page;
  const notificationId = nameOf(campaign.campaignId, number);
  const decided = { number, after, notificationId, at: now };
  const pack = (drafts: readonly Draft[], isOfReaders = false): Result<DecidedPage> =>
    ok({ ...decided, drafts, packed: packPage({ drafts, isOfReaders }, campaign.priority) });
  if (userIds.length === 0) return pack([]);
  const drafted = await draftUsers(deps, campaign, userIds);
  if (!drafted.ok) return drafted;
  const { drafts, templates, profiles } = drafted.value;
  // Limits count by this name. Who is decided again, since their page was not stored, comes in another page: it must not name that.
  const notification = { ...campaign, notificationId: campaign.campaignId };
  // They are loaded once: what was fetched ahead is not kept.
  const outcome = await decide(
    { ...deps, profiles: { load: async () => profiles } },
    notification,
    drafts,
    now,
    unfit,
  );
  if (!outcome.ok) return outcome;
  const isOfReaders = templates.some(({ syntax }) => syntax === 'LIQUID');
  return pack(outcome.value, isOfReaders);
}

/** Users of a campaign before anything is decided: one draft each, and what it is decided by. */
interface Drafted {
  readonly drafts: readonly Draft[];
  readonly templates: readonly ActiveTemplate[];
  readonly profiles: ReadonlyMap<string, Profile>;
}

/** Chooses each user's channel. Refused with TEMPLATE_NOT_FOUND where the type has no active template any more. */
export async function draftUsers(
  deps: Pick<PageDeps, 'activeTemplates' | 'ids'> & { readonly profiles: Pick<Profiles, 'load'> },
  campaign: Pick<Expanded, 'templateId' | 'channel' | 'type' | 'priority' | 'variables'>,
  userIds: readonly string[],
): Promise<Result<Drafted>> {
  const { templateId, channel, type, variables } = campaign;
  const templates = await deps.activeTemplates.ofTypeNamedBy(templateId);
  if (!templates.ok) return templates;
  const channels = channelsOf(templates.value, channel);
  if (channels.length === 0) return notFound(templateId);
  const profiles = await deps.profiles.load(userIds, type);
  const recipients = userIds.map((userId) => ({
    userId,
    channels: [chooseChannel(channels, profiles.get(userId)!, campaign)],
    variables,
  }));
  return ok({ drafts: draftDeliveries(recipients, deps.ids).drafts, templates: templates.value, profiles });
}

/**
 * Stores pages, one at a time in a process, whatever campaigns they are of: a campaign takes one connection from everybody else.
 *
 * @returns stores a page and makes its deliveries known; false where the campaign is not running any more, or somebody else has stored
 *   a page of this number
 */
export function createStorePage(deps: PageDeps) {
  const wakePage = createWakePage(deps);
  const store = groupCommit<readonly unknown[], boolean>({
    commit: async ([values]) => {
      const { rows } = await deps.postgres.query(statements.storePage, values);
      return [rows[0]!.stored];
    },
    maxItems: 1,
  });
  return async (campaign: Expanded, page: DecidedPage): Promise<boolean> => {
    const { number, after, notificationId, drafts, packed, at } = page;
    const { kinds, userIds, deliveryIds, kindOf, addresses, firstEvents, events, queued } = packed;
    const requestId = deps.ids.next();
    const request = JSON.stringify({ requestId, notificationId, at: new Date(at), queued, events });
    const stored = await store([
      campaign.campaignId,
      number,
      after,
      request,
      JSON.stringify(kinds),
      userIds,
      deliveryIds,
      kindOf,
      addresses,
      firstEvents,
    ]);
    if (!stored) return false;
    deps.metrics.campaigned(queued, drafts.length - queued);
    deps.lifecycle.publish(firstSteps(campaign, requestId, drafts, at));
    const { priority, correlationId } = campaign;
    const places = drafts
      .filter((draft) => !isSettled(draft))
      .map(({ userId, channel }) => ({ userId, channel, priority }));
    wakePage(places, correlationId);
    return true;
  };
}
