import { Box, Button, VisuallyHidden } from '@mantine/core';
import { useCallback, useEffect } from 'react';
import { NavLink } from 'react-router';
import { client } from '../../common/client.js';
import { Empty, Failure } from '../../common/ui/states.js';
import type { FeedOrder } from '../../generated/graphql.js';
import { InlineComposer } from '../composer/inline-composer.js';
import { PostCard } from '../post/post-card.js';
import { PostSkeletons } from '../post/post-skeletons.js';
import { HOME_AGAIN } from '../shell/home-again.js';
import { Screen } from '../shell/screen.js';
import { useReaderTexts } from '../texts.js';
import classes from './feed.module.css';
import { NewPosts } from './new-posts.js';
import { MarkRead } from './queries.js';
import { Stream } from './stream.js';
import { type FeedEdge, useFeed } from './use-feed.js';

const keyOf = ({ node }: FeedEdge): string => node.id;
const render = (edge: FeedEdge) => (
  <PostCard post={edge.node} why={edge.why} isSponsored={edge.isSponsored} />
);

export function FeedPage({ order }: { readonly order: FeedOrder }) {
  const t = useReaderTexts();
  const { edges, isLoaded, error, hasMore, loadMore, moreError, reload } = useFeed(order);
  useReadMarker(edges);
  const again = useCallback(() => {
    window.scrollTo({ top: 0 });
    void reload();
  }, [reload]);
  useEffect(() => {
    window.addEventListener(HOME_AGAIN, again);
    return () => window.removeEventListener(HOME_AGAIN, again);
  }, [again]);

  return (
    <Screen title={t('feed.title')} header={<Orders />}>
      <InlineComposer />
      <NewPosts order={order} reload={reload} />
      {Boolean(error) && (
        <Box p="md">
          <Failure error={error} retry={() => void reload()} />
        </Box>
      )}
      {!isLoaded && !error && <PostSkeletons />}
      {isLoaded && !error && edges.length === 0 && !hasMore && (
        <Empty title={t('feed.empty')}>
          {t('feed.emptyHelp')}{' '}
          <Button component={NavLink} to="/search" variant="light" mt="sm">
            {t('feed.findPeople')}
          </Button>
        </Empty>
      )}
      {edges.length > 0 && (
        <Stream
          label={t('feed.title')}
          name={order}
          rows={edges}
          keyOf={keyOf}
          render={render}
          error={moreError}
          hasMore={hasMore}
          loadMore={loadMore}
        />
      )}
    </Screen>
  );
}

function Orders() {
  const t = useReaderTexts();
  return (
    <nav className={classes.tabs} aria-label={t('feed.order')}>
      <VisuallyHidden component="h1">{t('feed.title')}</VisuallyHidden>
      <NavLink to="/" end className={classes.tab}>
        {t('feed.ranked')}
      </NavLink>
      <NavLink to="/latest" className={classes.tab}>
        {t('feed.latest')}
      </NavLink>
    </nav>
  );
}

const READ_AFTER_MS = 3_000;
let markedUpTo: string | undefined;

/** What is at the top of the feed counts as read once it has been open for a moment. */
function useReadMarker(edges: readonly FeedEdge[]): void {
  const newest = edges.find(({ cursor, isSponsored }) => cursor && !isSponsored)?.cursor;
  useEffect(() => {
    if (!newest || newest === markedUpTo) return;
    const timer = setTimeout(() => {
      markedUpTo = newest;
      client.mutate({ mutation: MarkRead, variables: { cursor: newest } }).catch(() => undefined);
    }, READ_AFTER_MS);
    return () => clearTimeout(timer);
  }, [newest]);
}
