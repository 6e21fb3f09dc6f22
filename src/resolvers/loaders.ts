import DataLoader from 'dataloader';
import type { App } from '../context.js';
import { NO_RELATION, type PostEdit, type Reaction, type ReactionKind } from '../domains/feed/index.js';
import type { Template } from '../domains/notifications/index.js';
import type { Viewer } from '../platform/auth/auth.js';
import type { Connection, PageRequest } from '../platform/paging.js';
import { listProjectors } from '../platform/projector/overview.js';
import { exactly } from '../platform/totals.js';
import { lazyMembers } from './lazy-members.js';

/** One operation's batched look-ups: whatever a page asks for one by one becomes one query. */
export type Loaders = ReturnType<typeof createLoaders>;

/** What an operation looks things up in, and for whom. */
interface Asking {
  readonly app: Pick<App, 'feed' | 'notifications' | 'postgres'>;
  readonly viewer: Viewer | null;
}

export const createLoaders = (app: Asking['app'], viewer: Viewer | null) => loadersOf({ app, viewer });

/** What an operation asks of reactions and comments: one statement for whatever a page holds. */
const engagementLoadersOf = lazyMembers<Asking>()({
  /** The viewer's own, by post. */
  viewerReaction: ({ app, viewer }) =>
    loader(
      async (postIds) =>
        viewer ? app.feed.engagement.viewerReactions(viewer, postIds) : new Map<string, never>(),
      null,
    ),
  /** By kind, of posts that the viewer may see; `null`: of every kind. */
  reactions: ({ app, viewer }) => {
    const byKind = new Map<ReactionKind | null, PagedLoader<Reaction>>();
    return (kind: ReactionKind | null): PagedLoader<Reaction> => {
      const known = byKind.get(kind);
      if (known) return known;
      const loader = new PagedLoader((postIds, page) =>
        app.feed.engagement.pageReactions(viewer, postIds, kind, page),
      );
      byKind.set(kind, loader);
      return loader;
    };
  },
  /** Comments that the viewer may see. */
  comment: ({ app, viewer }) =>
    uuidLoader((commentIds) => app.feed.engagement.findComments(viewer, commentIds)),
  /** By post. */
  comments: ({ app, viewer }) =>
    new PagedLoader((ids, page) => app.feed.engagement.pageComments(viewer, 'posts', ids, page)),
  commentTotal: ({ app, viewer }) =>
    loader((ids) => app.feed.engagement.countComments(viewer, 'posts', ids), exactly(0)),
  /** By comment. */
  replies: ({ app, viewer }) =>
    new PagedLoader((ids, page) => app.feed.engagement.pageComments(viewer, 'comments', ids, page)),
  replyTotal: ({ app, viewer }) =>
    loader((ids) => app.feed.engagement.countComments(viewer, 'comments', ids), exactly(0)),
});

const loadersOf = lazyMembers<Asking>()({
  user: ({ app }) =>
    loader(
      by('userId', (userIds) => app.feed.findUsers(userIds)),
      null,
    ),
  /** How the viewer stands to a user; nobody follows an anonymous caller. */
  relation: ({ app, viewer }) =>
    loader(
      async (userIds) => (viewer ? app.feed.findRelations(viewer.userId, userIds) : new Map<string, never>()),
      NO_RELATION,
    ),
  /** An author's posts that the viewer may see. */
  authorPosts: ({ app, viewer }) =>
    new PagedLoader((userIds, page) => app.feed.pageAuthorPosts(viewer, userIds, page)),
  followers: ({ app, viewer }) =>
    new PagedLoader((userIds, page) => app.feed.pageFollows('followers', viewer, userIds, page)),
  following: ({ app, viewer }) =>
    new PagedLoader((userIds, page) => app.feed.pageFollows('following', viewer, userIds, page)),
  engagement: engagementLoadersOf,
  /** Where users' read markers stand. */
  readMarker: ({ app }) =>
    new DataLoader(async (userIds: readonly string[]) => {
      const markers = await app.feed.markers.of(userIds);
      return userIds.map((userId) => markers.get(userId)!);
    }),
  /** The viewer's own, and those in posts that they may see. */
  media: ({ app, viewer }) => uuidLoader((mediaIds) => app.feed.media.findVisible(viewer, mediaIds)),
  /** Posts that the viewer may see. */
  post: ({ app, viewer }) => uuidLoader((postIds) => app.feed.findVisiblePosts(viewer, postIds)),
  /** Earlier texts of a post; loaded only for a post that the viewer may see. */
  postEdits: ({ app }) => loader((postIds) => app.feed.findEdits(postIds), []),
  /** Of the first link of a post; loaded only for a post that the viewer may see. */
  linkPreview: ({ app }) => loader((postIds) => app.feed.links.of(postIds), null),
  editTexts: ({ app }) => new DataLoader((edits: readonly PostEdit[]) => app.feed.findEditTexts(edits)),
  /** Of any user: the resolver checks whether the viewer may see it. */
  delivery: ({ app }) =>
    uuidLoader(by('deliveryId', (deliveryIds) => app.notifications.deliveriesById(deliveryIds))),
  /** A delivery's whole lifecycle. */
  timeline: ({ app }) => loader((deliveryIds) => app.notifications.timelines(deliveryIds), []),
  /** For admins: what became of a delivery at each of its addresses. */
  deliveryTargets: ({ app }) => loader((deliveryIds) => app.notifications.targets(deliveryIds), []),
  /** Of any user: the resolver checks whether the viewer may see it. */
  notificationRequest: ({ app }) =>
    uuidLoader(by('requestId', (requestIds) => app.notifications.requestsById(requestIds))),
  /** Of any producer: the resolver checks whether the viewer may see it. */
  campaign: ({ app }) =>
    uuidLoader(by('campaignId', (campaignIds) => app.notifications.campaigns.byId(campaignIds))),
  /** All versions of a template's text; for admins. */
  templateVersions: ({ app }) =>
    new DataLoader((templates: readonly Template[]) => app.notifications.templates.versions(templates), {
      cacheKeyFn: ({ notificationType, channel, language }) => `${channel}/${language}/${notificationType}`,
    }),
  /** Anybody's: for admins. */
  deadLetter: ({ app }) =>
    uuidLoader(by('deliveryId', (deliveryIds) => app.notifications.deadLetters.byId(deliveryIds))),
  /** Those that hold; for admins. */
  suppression: ({ app }) =>
    uuidLoader(by('suppressionId', (suppressionIds) => app.notifications.suppressions.byId(suppressionIds))),
  /** For admins. */
  alert: ({ app }) => uuidLoader(by('alertId', (alertIds) => app.notifications.alerts.byId(alertIds))),
  /** A user's devices: the resolver checks whether the viewer may see them. */
  devices: ({ app }) =>
    new DataLoader((userIds: readonly string[]) =>
      Promise.all(userIds.map((userId) => app.notifications.devices(userId))),
    ),
  /** Of those that were set; for producers and admins. The list of all is one look-up, whatever is asked of it. */
  userAttribute: ({ app }) =>
    loader(
      by('name', () => app.notifications.segments.attributes()),
      null,
    ),
  /** The same of projectors; for admins. */
  projector: ({ app }) =>
    loader(
      by('name', () => listProjectors(app.postgres)),
      null,
    ),
  /** The viewer's own. */
  inboxItem: ({ app, viewer }) =>
    uuidLoader(
      by('itemId', async (itemIds) => (viewer ? app.notifications.inbox.items(viewer.userId, itemIds) : [])),
    ),
});

type Find<Found> = (ids: readonly string[]) => Promise<ReadonlyMap<string, Found>>;

/** What is found as a list, by one of its members. */
function by<Item>(id: keyof Item, find: (ids: readonly string[]) => Promise<readonly Item[]>): Find<Item> {
  return async (ids) => new Map((await find(ids)).map((item) => [String(item[id]), item]));
}

/** @param missing stands for what is not found */
function loader<Found, Missing>(find: Find<Found>, missing: Missing): DataLoader<string, Found | Missing> {
  return new DataLoader(async (ids) => {
    const found = await find(ids);
    return ids.map((id) => found.get(id) ?? missing);
  });
}

/** By UUIDs, which callers may write in upper case; null for what is not found. */
function uuidLoader<Found>(find: Find<Found>): DataLoader<string, Found | null> {
  return new DataLoader(async (ids) => {
    const found = await find(ids);
    return ids.map((id) => found.get(id.toLowerCase()) ?? null);
  });
}

/** Batches pages: what one answer asks of many objects with the same paging arguments becomes one look-up. */
class PagedLoader<Item> {
  private readonly byPage = new Map<string, DataLoader<string, Connection<Item>>>();

  constructor(
    private readonly read: (ids: readonly string[], page: PageRequest) => Promise<Connection<Item>[]>,
  ) {}

  load(id: string, page: PageRequest): Promise<Connection<Item>> {
    const key = JSON.stringify(page);
    const loader = this.byPage.get(key) ?? new DataLoader((ids) => this.read(ids, page));
    this.byPage.set(key, loader);
    return loader.load(id);
  }
}
