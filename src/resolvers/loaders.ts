import DataLoader from 'dataloader';
import type { App } from '../context.js';
import {
  type LinkPreview,
  type Media,
  NO_RELATION,
  type Post,
  type PostEdit,
  type ReadMarker,
  type Relation,
  type User,
} from '../domains/feed/index.js';
import type {
  Alert,
  Delivery,
  FailedNotification,
  InboxItem,
  NotificationRequest,
  Template,
  TimelineEntry,
} from '../domains/notifications/index.js';
import type { Viewer } from '../platform/auth.js';
import { createEngagementLoaders, type EngagementLoaders } from './feed-engagement-loaders.js';
import { PagedLoader } from './paged-loader.js';

/** One operation's batched look-ups: whatever a page asks for one by one becomes one query. */
export interface Loaders {
  readonly user: DataLoader<string, User | null>;
  /** How the viewer stands to a user; nobody follows an anonymous caller. */
  readonly relation: DataLoader<string, Relation>;
  /** Posts that the viewer may see. */
  readonly post: DataLoader<string, Post | null>;
  /** Earlier texts of a post; loaded only for a post that the viewer may see. */
  readonly postEdits: DataLoader<string, readonly PostEdit[]>;
  /** Of the first link of a post; loaded only for a post that the viewer may see. */
  readonly linkPreview: DataLoader<string, LinkPreview | null>;
  readonly editTexts: DataLoader<PostEdit, string>;
  /** An author's posts that the viewer may see. */
  readonly authorPosts: PagedLoader<Post>;
  readonly followers: PagedLoader<User>;
  readonly following: PagedLoader<User>;
  readonly engagement: EngagementLoaders;
  /** Where users' read markers stand. */
  readonly readMarker: DataLoader<string, ReadMarker>;
  /** The viewer's own, and those in posts that they may see. */
  readonly media: DataLoader<string, Media | null>;
  /** Of any user: the resolver checks whether the viewer may see it. */
  readonly delivery: DataLoader<string, Delivery | null>;
  /** A delivery's whole lifecycle. */
  readonly timeline: DataLoader<string, readonly TimelineEntry[]>;
  /** Of any user: the resolver checks whether the viewer may see it. */
  readonly notificationRequest: DataLoader<string, NotificationRequest | null>;
  /** All versions of a template's text; for admins. */
  readonly templateVersions: DataLoader<Template, readonly Template[], string>;
  /** Anybody's: for admins. */
  readonly deadLetter: DataLoader<string, FailedNotification | null>;
  /** For admins. */
  readonly alert: DataLoader<string, Alert | null>;
  /** The viewer's own. */
  readonly inboxItem: DataLoader<string, InboxItem | null>;
}

export function createLoaders(app: Pick<App, 'feed' | 'notifications'>, viewer: Viewer | null): Loaders {
  return {
    user: new DataLoader(async (userIds) => {
      const users = new Map((await app.feed.findUsers(userIds)).map((user) => [user.userId, user]));
      return userIds.map((userId) => users.get(userId) ?? null);
    }),
    relation: new DataLoader(async (userIds) => {
      if (!viewer) return userIds.map(() => NO_RELATION);
      const relations = await app.feed.findRelations(viewer.userId, userIds);
      return userIds.map((userId) => relations.get(userId) ?? NO_RELATION);
    }),
    authorPosts: new PagedLoader((userIds, page) => app.feed.pageAuthorPosts(viewer, userIds, page)),
    followers: new PagedLoader((userIds, page) => app.feed.pageFollows('followers', viewer, userIds, page)),
    following: new PagedLoader((userIds, page) => app.feed.pageFollows('following', viewer, userIds, page)),
    engagement: createEngagementLoaders(app, viewer),
    readMarker: new DataLoader(async (userIds) => {
      const markers = await app.feed.markers.of(userIds);
      return userIds.map((userId) => markers.get(userId)!);
    }),
    media: new DataLoader(async (mediaIds) => {
      const found = await app.feed.media.findVisible(viewer, mediaIds);
      return mediaIds.map((mediaId) => found.get(mediaId.toLowerCase()) ?? null);
    }),
    postEdits: new DataLoader(async (postIds) => {
      const edits = await app.feed.findEdits(postIds);
      return postIds.map((postId) => edits.get(postId) ?? []);
    }),
    linkPreview: new DataLoader(async (postIds) => {
      const previews = await app.feed.links.of(postIds);
      return postIds.map((postId) => previews.get(postId) ?? null);
    }),
    editTexts: new DataLoader((edits) => app.feed.findEditTexts(edits)),
    post: new DataLoader(async (postIds) => {
      const posts = await app.feed.findVisiblePosts(viewer, postIds);
      return postIds.map((postId) => posts.get(postId.toLowerCase()) ?? null);
    }),
    delivery: new DataLoader(async (deliveryIds) => {
      const found = await app.notifications.deliveriesById(deliveryIds);
      const deliveries = new Map(found.map((delivery) => [delivery.deliveryId, delivery]));
      return deliveryIds.map((deliveryId) => deliveries.get(deliveryId) ?? null);
    }),
    timeline: new DataLoader(async (deliveryIds) => {
      const timelines = await app.notifications.timelines(deliveryIds);
      return deliveryIds.map((deliveryId) => timelines.get(deliveryId) ?? []);
    }),
    notificationRequest: new DataLoader(async (requestIds) => {
      const found = await app.notifications.requestsById(requestIds);
      const requests = new Map(found.map((request) => [request.requestId, request]));
      return requestIds.map((requestId) => requests.get(requestId) ?? null);
    }),
    templateVersions: new DataLoader((templates) => app.notifications.templates.versions(templates), {
      cacheKeyFn: ({ notificationType, channel, language }) => `${channel}/${language}/${notificationType}`,
    }),
    deadLetter: new DataLoader(async (deliveryIds) => {
      const found = await app.notifications.deadLetters.byId(deliveryIds);
      const deadLetters = new Map(found.map((deadLetter) => [deadLetter.deliveryId, deadLetter]));
      return deliveryIds.map((deliveryId) => deadLetters.get(deliveryId) ?? null);
    }),
    alert: new DataLoader(async (alertIds) => {
      const found = await app.notifications.alerts.byId(alertIds);
      const alerts = new Map(found.map((alert) => [alert.alertId, alert]));
      return alertIds.map((alertId) => alerts.get(alertId) ?? null);
    }),
    inboxItem: new DataLoader(async (itemIds) => {
      const found = viewer ? await app.notifications.inbox.items(viewer.userId, itemIds) : [];
      const items = new Map(found.map((item) => [item.itemId, item]));
      return itemIds.map((itemId) => items.get(itemId.toLowerCase()) ?? null);
    }),
  };
}
