import type { Reference, StoreObject } from '@apollo/client';
import { client } from '../../common/client.js';
import type { FeedOrder } from '../../generated/graphql.js';

interface StoredEdge {
  readonly node: Reference;
}

type StoredFeed = { readonly edges?: readonly StoredEdge[] } | null;

/** A post by the identity that the cache keeps it under. */
export const referenceOf = (id: string): Reference => ({ __ref: `Post:${id}` });

/** Adds posts above every feed that was loaded, newest first; those that a feed has already stay where they are. */
export function addAbove(ids: readonly string[]): void {
  changeFeeds((edges) => {
    const present = new Set(edges.map(({ node }) => node.__ref));
    const fresh = ids.map(referenceOf).filter(({ __ref }) => !present.has(__ref));
    return [...fresh.map(edgeOf), ...edges];
  });
}

/** Takes posts out of every feed that was loaded. */
export function removeFromFeeds(matches: (post: Reference) => boolean): void {
  changeFeeds((edges) => edges.filter(({ node }) => !matches(node)));
}

/** Whether the feed in an order was loaded. */
export const hasFeed = (order: FeedOrder): boolean => edgesOf(order) !== undefined;

/** Whether the feed in an order was loaded and has the post already. */
export function isInFeed(order: FeedOrder, id: string): boolean {
  const { __ref } = referenceOf(id);
  return edgesOf(order)?.some(({ node }) => node.__ref === __ref) ?? false;
}

/** The feed in an order is read anew when it is shown next. */
export function forgetFeed(order: FeedOrder): void {
  client.cache.evict({ id: 'ROOT_QUERY', fieldName: 'feed', args: { order } });
}

/**
 * Matches what a person wrote.
 *
 * @param person their global id
 * @param alsoShared matches what others shared of that, too
 */
export function postsOf(person: string, { alsoShared = false } = {}): (post: Reference) => boolean {
  const stored = client.cache.extract() as Record<
    string,
    { author?: { __ref: string }; sharedPost?: { __ref: string } | null } | undefined
  >;
  const isTheirs = ({ __ref }: Reference): boolean => stored[__ref]?.author?.__ref === `User:${person}`;
  return (post) => {
    const shared = alsoShared ? stored[post.__ref]?.sharedPost : undefined;
    return isTheirs(post) || (shared ? isTheirs(shared) : false);
  };
}

/** No cursor: a page never goes on from a post that came by itself. */
const edgeOf = (node: Reference): StoreObject & StoredEdge => ({
  __typename: 'FeedEdge',
  cursor: '',
  isSponsored: false,
  why: { __typename: 'FeedReason', source: 'FANOUT', score: 0, terms: [] },
  node,
});

function changeFeeds(change: (edges: readonly StoredEdge[]) => readonly StoredEdge[]): void {
  client.cache.modify({
    fields: {
      feed(stored) {
        const feed = stored as unknown as StoredFeed;
        return feed?.edges ? { ...feed, edges: change(feed.edges) } : stored;
      },
    },
  });
}

function edgesOf(order: FeedOrder): readonly StoredEdge[] | undefined {
  let edges: readonly StoredEdge[] | undefined;
  client.cache.modify({
    fields: {
      feed(stored, { storeFieldName }) {
        if (storeFieldName.includes(`"${order}"`)) edges = (stored as unknown as StoredFeed)?.edges;
        return stored;
      },
    },
  });
  return edges;
}
