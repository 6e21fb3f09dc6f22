import { z } from 'zod';
import { defined } from '../../platform/defined.js';

export { type MediaConfig, mediaVariables, readMedia } from './media/config.js';

export interface FeedConfig {
  /** At this many followers and above an author is a celebrity (feed document, Celebrity designation). */
  readonly celebrityFollowers: number;
  /** Followers who were away for longer are skipped by fan-out (feed document, Limits: 30, selective variant 7). */
  readonly inactiveDays: number;
  /** A file like `rules/content-policy.yaml`; undefined: that one. */
  readonly contentPolicy?: string;
  /** A file like `rules/ranking.yaml`, laid over it; undefined: that one alone. */
  readonly ranking?: string;
  /** Whether those who made an author a close friend are notified of their new posts. */
  readonly notifyCloseFriends: boolean;
  /** Whether workers fetch what links in posts lead to. */
  readonly linkPreviews: boolean;
  /** `host:port` that is fetched though it is not public. */
  readonly linkPreviewHosts: readonly string[];
  /** How often all workers together ask one host for pages in a minute. */
  readonly linkPreviewsAMinute: number;
  /** Signs the cursors of feeds. */
  readonly cursorSecret: string;
  /** Labels of content policy that hide a post from feeds. */
  readonly hiddenLabels: readonly string[];
}

/** Of those in `rules/content-policy.yaml`. */
const HIDDEN_LABELS = 'graphic,adult';

/** The feed's part of the environment. */
export const feedVariables = {
  FEED_CELEBRITY_FOLLOWERS: z.coerce.number().int().min(1).default(10_000),
  /** A feed that was read stays warm for 7 days: skipped for less, its owner would miss posts. */
  FEED_INACTIVE_DAYS: z.coerce.number().int().min(7).max(3_650).default(30),
  FEED_CONTENT_POLICY: z.string().min(1).optional(),
  FEED_RANKING: z.string().min(1).optional(),
  FEED_NOTIFY_CLOSE_FRIENDS: z.stringbool().default(true),
  FEED_LINK_PREVIEWS: z.stringbool().default(true),
  FEED_LINK_PREVIEW_HOSTS: z.string().default(''),
  FEED_LINK_PREVIEWS_A_MINUTE: z.coerce.number().int().min(1).max(1_000_000).default(60),
  FEED_CURSOR_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  FEED_HIDDEN_LABELS: z.string().default(HIDDEN_LABELS),
};

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);

/** @param secret what cursors are signed with unless a variable of their own says so */
export function readFeed(variables: z.infer<z.ZodObject<typeof feedVariables>>, secret: string): FeedConfig {
  return defined({
    celebrityFollowers: variables.FEED_CELEBRITY_FOLLOWERS,
    inactiveDays: variables.FEED_INACTIVE_DAYS,
    contentPolicy: variables.FEED_CONTENT_POLICY,
    ranking: variables.FEED_RANKING,
    notifyCloseFriends: variables.FEED_NOTIFY_CLOSE_FRIENDS,
    cursorSecret: variables.FEED_CURSOR_SECRET ?? secret,
    linkPreviews: variables.FEED_LINK_PREVIEWS,
    linkPreviewHosts: listOf(variables.FEED_LINK_PREVIEW_HOSTS),
    linkPreviewsAMinute: variables.FEED_LINK_PREVIEWS_A_MINUTE,
    hiddenLabels: listOf(variables.FEED_HIDDEN_LABELS),
  });
}

/** What an empty environment means. */
export const feedDefaults: FeedConfig = readFeed(z.object(feedVariables).parse({}), 'nobody knows it');
