import { Menu, UnstyledButton } from '@mantine/core';
import { MessageCircle, Quote, Repeat2 } from 'lucide-react';
import { Link } from 'react-router';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import { openComposer } from '../composer/composer-dialog.js';
import type { FeedEdge } from '../feed/use-feed.js';
import { useCount } from '../numbers.js';
import { useReaderTexts } from '../texts.js';
import classes from './post.module.css';
import { ReactionButton } from './reaction-button.js';
import { useShare } from './share.js';
import { Why } from './why.js';

interface PostActionsProps {
  readonly post: ReaderPostFragment;
  readonly why?: FeedEdge['why'];
}

/** What one can do with a post, below it. */
export function PostActions({ post, why }: PostActionsProps) {
  const t = useReaderTexts();
  const count = useCount();
  const share = useShare();
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
      {isShareable && (
        <Menu position="bottom" radius="md">
          <Menu.Target>
            <UnstyledButton
              className={classes.act}
              aria-label={t('share.count', { count: post.shareCount, shown: count(post.shareCount) })}
            >
              <Repeat2 size={20} aria-hidden />
              {post.shareCount > 0 && <span className="numbers">{count(post.shareCount)}</span>}
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<Repeat2 size={16} aria-hidden />} onClick={() => void share(post)}>
              {t('share.now')}
            </Menu.Item>
            <Menu.Item
              leftSection={<Quote size={16} aria-hidden />}
              onClick={() => openComposer({ share: post })}
            >
              {t('share.quote')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {why && <Why why={why} />}
    </div>
  );
}
