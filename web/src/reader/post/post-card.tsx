import { Megaphone, Repeat2 } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, memo, useId } from 'react';
import { Link, useNavigate } from 'react-router';
import { isWithin } from '../../common/ui/typing.js';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import { signal, useImpression } from '../feed/signals.js';
import type { FeedEdge } from '../feed/use-feed.js';
import { Avatar } from '../people/avatar.js';
import { useReaderTexts } from '../texts.js';
import { LinkPreview, SharedPost } from './attachments.js';
import { MediaGrid } from './media-grid.js';
import classes from './post.module.css';
import { PostActions } from './post-actions.js';
import { PostMenu } from './post-menu.js';
import { PostMeta } from './post-meta.js';
import { useReact } from './reactions.js';
import { RichText } from './rich-text.js';

interface PostCardProps {
  readonly post: ReaderPostFragment;
  readonly why?: FeedEdge['why'];
  readonly isSponsored?: boolean;
  /** On the post's own page: larger, and not a link to itself. */
  readonly isOpen?: boolean;
}

export const PostCard = memo(function PostCard({
  post,
  why,
  isSponsored = false,
  isOpen = false,
}: PostCardProps) {
  const t = useReaderTexts();
  const navigate = useNavigate();
  const react = useReact();
  const element = useImpression<HTMLElement>(post.postId);
  const id = useId();
  const { author } = post;
  const isShareAlone = post.sharedPost && !post.content;

  function open(): void {
    if (isOpen) return;
    signal({ kind: 'CLICK', postId: post.postId });
    void navigate(`/posts/${post.postId}`);
  }
  function onClick(event: MouseEvent): void {
    const isInteractive = (event.target as HTMLElement).closest(
      'a, button, input, textarea, video, [role=dialog]',
    );
    if (!isInteractive && isWithin(event) && !window.getSelection()?.toString()) open();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') open();
    else if (event.key === 'l') void react(post, post.viewerReaction ? null : 'LIKE');
    else return;
    event.preventDefault();
  }

  return (
    <article
      ref={element}
      className={`${classes.card} ${isOpen ? `${classes.open} ${classes.large}` : ''}`}
      aria-labelledby={id}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: articles of a feed take the focus (ARIA's feed pattern)
      tabIndex={0}
      onClick={onClick}
      onKeyDown={onKeyDown}
      data-post={post.postId}
    >
      {isSponsored && (
        <p className={classes.note}>
          <Megaphone size={14} aria-hidden /> {t('post.sponsored')}
        </p>
      )}
      {isShareAlone && (
        <p className={classes.note}>
          <Repeat2 size={14} aria-hidden /> {t('post.sharedBy', { name: author.displayName })}
        </p>
      )}
      <div className={classes.columns}>
        <Link
          to={`/people/${encodeURIComponent(author.userId)}`}
          className={classes.avatar}
          tabIndex={-1}
          aria-hidden="true"
        >
          <Avatar person={author} />
        </Link>
        <div style={{ minWidth: 0 }}>
          <div className={classes.head}>
            <Link id={id} className={classes.name} to={`/people/${encodeURIComponent(author.userId)}`}>
              {author.displayName}
            </Link>
            <PostMeta post={post} />
            <span style={{ flex: 1 }} />
            <PostMenu post={post} />
          </div>
          {post.content && <RichText text={post.content} isClamped={!isOpen} />}
          <MediaGrid media={post.media} author={author.displayName} />
          {post.linkPreview && post.media.length === 0 && <LinkPreview preview={post.linkPreview} />}
          {post.sharedPost && <SharedPost post={post.sharedPost} />}
          <PostActions post={post} {...(why && { why })} />
        </div>
      </div>
    </article>
  );
});
