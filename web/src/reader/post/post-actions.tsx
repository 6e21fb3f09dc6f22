import { UnstyledButton } from '@mantine/core';
import { MessageCircle, Repeat2 } from 'lucide-react';
import { type ComponentPropsWithRef } from 'react';
import { Link } from 'react-router';
import { loadedLater } from '../../common/ui/loaded-later.js';
import { OpensLater } from '../../common/ui/opens-later.js';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import type { FeedEdge } from '../feed/use-feed.js';
import { useCount } from '../numbers.js';
import { useReaderTexts } from '../texts.js';
import classes from './post.module.css';
import { ReactionButton } from './reaction-button.js';
import { Why } from './why.js';

const ShareMenu = loadedLater(() => import('./share-menu.js'));

interface PostActionsProps {
  readonly post: ReaderPostFragment;
  readonly why?: FeedEdge['why'];
}

/** What one can do with a post, below it. */
export function PostActions({ post, why }: PostActionsProps) {
  const t = useReaderTexts();
  const count = useCount();
  const isShareable = post.visibility === 'PUBLIC';
  return (
    <div className={classes.actions}>
      <ReactionButton post={post} />
      <Link
        to={`/posts/${post.postId}#comments`}
        className={classes.act}
        style={{ textDecoration: 'none' }}
        aria-label={t('comment.count', { count: post.commentCount, shown: count(post.commentCount) })}
      >
        <MessageCircle size={19} aria-hidden />
        {post.commentCount > 0 && <span className="numbers">{count(post.commentCount)}</span>}
      </Link>
      {isShareable ? (
        <OpensLater kind="menu" button={<ShareButton post={post} />}>
          <ShareMenu post={post} />
        </OpensLater>
      ) : (
        <span />
      )}
      {why && <Why why={why} />}
    </div>
  );
}

interface ShareButtonProps extends ComponentPropsWithRef<'button'> {
  readonly post: ReaderPostFragment;
}

export function ShareButton({ post: { shareCount }, ...rest }: ShareButtonProps) {
  const t = useReaderTexts();
  const count = useCount();
  return (
    <UnstyledButton
      className={classes.act}
      aria-label={t('share.count', { count: shareCount, shown: count(shareCount) })}
      {...rest}
    >
      <Repeat2 size={20} aria-hidden />
      {shareCount > 0 && <span className="numbers">{count(shareCount)}</span>}
    </UnstyledButton>
  );
}
