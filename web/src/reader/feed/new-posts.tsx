import { Button } from '@mantine/core';
import { ArrowUp } from 'lucide-react';
import type { FeedOrder } from '../../generated/graphql.js';
import { useReaderTexts } from '../texts.js';
import classes from './feed.module.css';
import { showWaiting, useLiveFeed } from './live-feed.js';

interface NewPostsProps {
  readonly order: FeedOrder;
  readonly reload: () => Promise<void>;
}

/** Over the feed: how many posts have come, and the way to them. */
export function NewPosts({ order, reload }: NewPostsProps) {
  const t = useReaderTexts();
  const { waiting, isStale } = useLiveFeed(order);
  const isShown = isStale || waiting.length > 0;

  function show(): void {
    if (isStale) void reload();
    else showWaiting(order);
    window.scrollTo({ top: 0 });
  }

  return (
    <div className={classes.pillPlace} aria-live="polite">
      {isShown && (
        <Button
          radius="xl"
          size="sm"
          className={classes.pill}
          leftSection={<ArrowUp size={16} aria-hidden />}
          onClick={show}
          data-testid="new-posts"
        >
          {isStale ? t('feed.manyNew') : t('feed.new', { count: waiting.length })}
        </Button>
      )}
    </div>
  );
}
