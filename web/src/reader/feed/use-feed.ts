import { useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef } from 'react';
import type { FeedOrder, ReaderFeedQuery } from '../../generated/graphql.js';
import { feedWasRead, followFeed } from './live-feed.js';
import { Feed, PAGE_SIZE } from './queries.js';

export type FeedEdge = NonNullable<ReaderFeedQuery['feed']>['edges'][number];

/** The feed in one order, page by page. It is read once and then followed; `reload` reads the first page again. */
export function useFeed(order: FeedOrder) {
  const { data, error, loading, fetchMore, refetch } = useQuery(Feed, {
    variables: { order, first: PAGE_SIZE, isFirst: true },
    fetchPolicy: 'cache-first',
    notifyOnNetworkStatusChange: true,
  });
  const feed = data?.feed as ReaderFeedQuery['feed'];
  const { hasNextPage = false, endCursor } = feed?.pageInfo ?? {};
  const liveCursor = feed?.liveCursor;
  useEffect(() => {
    if (liveCursor) followFeed(liveCursor);
  }, [liveCursor]);

  const asked = useRef<string | null>(null);
  const loadMore = useCallback(async (): Promise<unknown> => {
    if (!endCursor || !hasNextPage || asked.current === endCursor) return undefined;
    asked.current = endCursor;
    try {
      await fetchMore({ variables: { after: endCursor, isFirst: false } });
      return undefined;
    } catch (failure) {
      asked.current = null;
      return failure;
    }
  }, [endCursor, hasNextPage, fetchMore]);

  const reload = useCallback(async () => {
    asked.current = null;
    // What went wrong is in `error`.
    const read = await refetch().catch(() => undefined);
    if (read?.data?.feed?.liveCursor) feedWasRead(read.data.feed.liveCursor);
  }, [refetch]);

  return {
    edges: (feed?.edges ?? []) as readonly FeedEdge[],
    isLoaded: feed !== undefined && feed !== null,
    error,
    loading,
    hasMore: hasNextPage,
    loadMore,
    reload,
  };
}
