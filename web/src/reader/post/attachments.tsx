import { Text } from '@mantine/core';
import { Link2 } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { isWithin } from '../../common/ui/typing.js';
import type { ReaderPostBodyFragment } from '../../generated/graphql.js';
import { Avatar } from '../people/avatar.js';
import { useReaderTexts } from '../texts.js';
import { MediaGrid, type MediaItem } from './media-grid.js';
import classes from './post.module.css';
import { PostMeta } from './post-meta.js';
import { RichText } from './rich-text.js';

/** What a post's first link leads to. Its picture is of another server, and is not loaded. */
export function LinkPreview({
  preview,
}: {
  readonly preview: NonNullable<ReaderPostBodyFragment['linkPreview']>;
}) {
  const host = URL.parse(preview.url)?.host.replace(/^www\./, '') ?? preview.url;
  return (
    <div className={classes.attached}>
      <a
        className={classes.linkPreview}
        href={preview.url}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        <Link2 size={22} aria-hidden style={{ flex: 'none' }} />
        <span style={{ minWidth: 0 }}>
          <Text size="xs" c="dimmed" truncate>
            {host}
          </Text>
          <Text size="sm" fw={600} lineClamp={2}>
            {preview.title ?? host}
          </Text>
        </span>
      </a>
    </div>
  );
}

export type SharedBody = ReaderPostBodyFragment & { readonly media: readonly MediaItem[] };

/** The post that another one shares. */
export function SharedPost({ post }: { readonly post: SharedBody }) {
  const t = useReaderTexts();
  const navigate = useNavigate();
  const path = `/posts/${post.postId}`;
  function open(event: MouseEvent): void {
    if (!isWithin(event) || (event.target as HTMLElement).closest('a, button, video')) return;
    event.stopPropagation();
    if (!window.getSelection()?.toString()) void navigate(path);
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: its time is a link to the same place
    // biome-ignore lint/a11y/noStaticElementInteractions: its time is a link to the same place
    <div className={`${classes.attached} ${classes.shared}`} onClick={open} title={t('post.shared')}>
      <div className={classes.head}>
        <Avatar person={post.author} size={22} />
        <Link className={classes.name} to={`/people/${encodeURIComponent(post.author.userId)}`}>
          {post.author.displayName}
        </Link>
        <PostMeta post={post} />
      </div>
      {post.content && <RichText text={post.content} isClamped />}
      <MediaGrid media={post.media} author={post.author.displayName} />
    </div>
  );
}
