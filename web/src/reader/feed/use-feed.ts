import { useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useOnFound } from '../../common/connection-status.js';
import type { FeedOrder, ReaderFeedQuery } from '../../generated/graphql.js';
import { feedIsThere, feedWasNotRead, openFeed, readingFeed } from './live-feed.js';
import { Feed, PAGE_SIZE } from './queries.js';

export type FeedEdge = NonNullable<ReaderFeedQuery['feed']>['edges'][number];

/** The feed in one order, page by page. It is read once and then followed; `reload` reads the first page again. */
export function useFeed(order: FeedOrder) {
  const { data, error, fetchMore, refetch } = useQuery(Feed, {
    variables: { order, first: PAGE_SIZE, isFirst: true },
    fetchPolicy: 'cache-first',
    notifyOnNetworkStatusChange: true,
    // What is read again is asked for again: an answer under way may have been made before.
    context: { queryDeduplication: false },
  });
  const feed = data?.feed as ReaderFeedQuery['feed'];
  const { hasNextPage = false, endCursor } = feed?.pageInfo ?? {};
  const liveCursor = feed?.liveCursor;
  useEffect(() => {
    if (liveCursor) feedIsThere(order, liveCursor);
    else readingFeed(order);
  }, [order, liveCursor]);
  // After the query's own: nobody reads any more what is forgotten when this ends.
  useEffect(() => openFeed(order), [order]);

  const asked = useRef<string | null>(null);
  const [moreError, setMoreError] = useState<unknown>();
  const loadMore = useCallback(() => {
    if (!endCursor || !hasNextPage || asked.current === endCursor) return;
    asked.current = endCursor;
    setMoreError(undefined);
    fetchMore({ variables: { after: endCursor, isFirst: false } }).catch((reason: unknown) => {
      asked.current = null;
      setMoreError(reason);
    });
  }, [endCursor, hasNextPage, fetchMore]);
  useOnFound(() => setMoreError(undefined));

  const reading = useRef<Promise<void>>(undefined);
  const reload = useCallback((): Promise<void> => {
    asked.current = null;
    setMoreError(undefined);
    const read = async (): Promise<void> => {
      readingFeed(order);
      // What went wrong is in `error`, and the feed stays as it was.
      const answer = await refetch().catch(() => undefined);
      reading.current = undefined;
      const after = answer?.data?.feed?.liveCursor;
      if (after) feedIsThere(order, after);
      else feedWasNotRead(order);
    };
    reading.current ??= read();
    return reading.current;
  }, [order, refetch]);

  return {
    edges: (feed?.edges ?? []) as readonly FeedEdge[],
    isLoaded: feed !== undefined && feed !== null,
    error,
    hasMore: hasNextPage,
    loadMore,
    moreError,
    reload,
  };
}
