import type { PageRequest } from '../../../platform/paging.js';
import type { FeedSource, ScoreTerm } from '../ranking/rank.js';
import type { Post } from '../types.js';

export const FEED_ORDERS = ['RANKED', 'LATEST'] as const;
/** RANKED orders inside each window of at most 100 candidates; LATEST is time order. Both visit the same posts. */
export type FeedOrder = (typeof FEED_ORDERS)[number];

export interface FeedRequest {
  readonly order: FeedOrder;
  readonly page: PageRequest;
  /** The caller is past a soft limit: RANKED then keeps time order inside its windows, which costs less. */
  readonly degraded?: boolean;
  /** Whether the page has a `liveCursor`, which costs one more statement in Postgres. */
  readonly withLiveCursor?: boolean;
}

/** Why a post is in a feed, and why in its place. */
export interface FeedReason {
  readonly source: FeedSource;
  /** The sum of weight · value over `terms`. */
  readonly score: number;
  readonly terms: readonly ScoreTerm[];
}

export interface FeedEdge {
  /** Signed when it is asked for. */
  readonly cursor: string;
  readonly node: Post;
  readonly isSponsored: boolean;
  readonly why: FeedReason;
}

export interface FeedPage {
  readonly edges: readonly FeedEdge[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  /** Where to begin with `feedUpdates`, so that nothing is missed after this page. Rejects where Postgres did not answer. */
  readonly liveCursor?: Promise<string>;
}

/** A reader's marker, and what is above it. */
export interface ReadMarker {
  /** A cursor of order LATEST: what is newer comes `before` it. Null until the first feed was marked read. */
  readonly cursor: string | null;
  /** Posts in the feed above the marker, 500 at most. */
  readonly newer: number;
}
