import { BadgeCheck, Lock, Users } from 'lucide-react';
import { Link } from 'react-router';
import { Time } from '../../common/ui/time.js';
import type { ReaderPostBodyFragment } from '../../generated/graphql.js';
import { useReaderTexts } from '../texts.js';
import classes from './post.module.css';

/** Beside an author's name: since when, for whom, and whether it was edited. */
export function PostMeta({ post }: { readonly post: ReaderPostBodyFragment }) {
  const t = useReaderTexts();
  return (
    <span className={classes.meta}>
      {post.author.isVerified && (
        <BadgeCheck
          size={16}
          color="var(--mantine-color-brand-6)"
          role="img"
          aria-label={t('person.verified')}
        />
      )}
      <Link to={`/posts/${post.postId}`}>
        <Time at={post.createdAt} relative short />
      </Link>
      {post.visibility === 'FOLLOWERS' && (
        <Users size={14} role="img" aria-label={t('visibility.FOLLOWERS')} />
      )}
      {post.visibility === 'PRIVATE' && <Lock size={14} role="img" aria-label={t('visibility.PRIVATE')} />}
      {post.editedAt && <span>{t('post.edited')}</span>}
    </span>
  );
}
