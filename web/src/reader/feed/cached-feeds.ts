import type { Reference, StoreObject } from '@apollo/client';
import { client } from '../../common/client.js';

interface StoredEdge {
  readonly node: Reference;
}

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

/** Whether a feed that was loaded has the post already. */
export function isInFeed(id: string): boolean {
  const { __ref } = referenceOf(id);
  let found = false;
  changeFeeds((edges) => {
    found ||= edges.some(({ node }) => node.__ref === __ref);
    return edges;
  });
  return found;
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
        const feed = stored as unknown as { readonly edges?: readonly StoredEdge[] } | null;
        if (!feed?.edges) return stored;
        const edges = change(feed.edges);
        return edges === feed.edges ? stored : { ...feed, edges };
      },
    },
  });
}
