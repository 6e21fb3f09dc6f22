import { useCallback, useEffect } from 'react';
import { usePages } from '../../common/ui/pages.js';
import type { FeedOrder, ReaderFeedQuery } from '../../generated/graphql.js';
import { feedWasRead, followFeed } from './live-feed.js';
import { Feed, PAGE_SIZE } from './queries.js';

export type FeedEdge = NonNullable<ReaderFeedQuery['feed']>['edges'][number];

/** The feed in one order, page by page. It is read once and then followed; `reload` reads the first page again. */
export function useFeed(order: FeedOrder) {
  const { list, data, refetch } = usePages(
    Feed,
    { order, first: PAGE_SIZE, isFirst: true },
    ({ feed }) => feed,
    { isReadOnce: true, furtherPages: { isFirst: false } },
  );
  const feed = data?.feed;
  const liveCursor = feed?.liveCursor;
  useEffect(() => {
    if (liveCursor) followFeed(liveCursor);
  }, [liveCursor]);

  /** Where it cannot be read, `list.error` says why, and the feed stays as it was. */
  const reload = useCallback(async () => {
    const read = await refetch().catch(() => undefined);
    const cursor = read?.data?.feed?.liveCursor;
    if (cursor) feedWasRead(cursor);
  }, [refetch]);

  return { list, edges: (feed?.edges ?? []) as readonly FeedEdge[], reload };
}
