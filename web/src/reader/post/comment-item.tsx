import { useLazyQuery } from '@apollo/client/react';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCommonTexts } from '../../common/i18n.js';
import { useSession } from '../../common/session.js';
import { ConfirmDialog } from '../../common/ui/confirm-dialog.js';
import { Failure } from '../../common/ui/states.js';
import { Time } from '../../common/ui/time.js';
import type { ReaderCommentFragment } from '../../generated/graphql.js';
import { Avatar } from '../people/avatar.js';
import { useReaderTexts } from '../texts.js';
import { isExpected, useDeleteComment } from './add-comment.js';
import { CommentForm } from './comment-form.js';
import { Replies } from './comment-queries.js';
import classes from './comments.module.css';
import postClasses from './post.module.css';
import { RichText } from './rich-text.js';

interface CommentPost {
  readonly id: string;
  readonly postId: string;
  readonly commentCount: number;
  readonly author: { readonly userId: string };
}

/** A comment with the answers that were loaded; nested lists end in one of `{ id }` alone. */
type CommentTree = ReaderCommentFragment & {
  readonly replies?: {
    readonly totalCount: number;
    readonly edges: readonly { readonly node: Partial<CommentTree> & { readonly id: string } }[];
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
  };
};

interface CommentItemProps {
  readonly post: CommentPost;
  readonly comment: CommentTree;
  readonly depth: number;
  /** The comment that it answers, by its global id. */
  readonly parentId?: string;
}

/** Deeper answers stand under each other: a phone has no space for more steps. */
const DEEPEST = 3;

export function CommentItem({ post, comment, depth, parentId }: CommentItemProps) {
  const t = useReaderTexts();
  const c = useCommonTexts();
  const session = useSession();
  const remove = useDeleteComment();
  const [find, { loading, data, error }] = useLazyQuery(Replies, { fetchPolicy: 'network-only' });
  // What went wrong is in `error`.
  const load = (after: string | null) =>
    find({ variables: { id: comment.id, after } }).catch(() => undefined);
  const [isReplying, setReplying] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const mine = [comment.author.userId, post.author.userId].includes(session?.userId ?? '');
  const mayDelete = mine || session?.roles.includes('admin');
  const waits = isExpected(comment);
  // Of deep answers the list above has the ids alone.
  const node = data?.node;
  const loaded = node && 'replies' in node ? (node.replies as CommentTree['replies']) : undefined;
  function replied(): void {
    setReplying(false);
    if (depth > 0) void load(null);
  }
  return (
    <div>
      <div className={classes.comment} data-expected={waits || undefined} data-testid="comment">
        <Avatar person={comment.author} size={depth === 0 ? 36 : 28} />
        <div style={{ minWidth: 0 }}>
          <div className={classes.bubble}>
            <div className={postClasses.head}>
              <Link className={postClasses.name} to={`/people/${encodeURIComponent(comment.author.userId)}`}>
                {comment.author.displayName}
              </Link>
              <span className={postClasses.meta}>
                <Time at={comment.createdAt} relative short />
              </span>
            </div>
            <RichText text={comment.content} isClamped />
          </div>
          {!waits && (
            <div className={classes.foot}>
              <Button
                variant="subtle"
                color="gray"
                size="compact-xs"
                onClick={() => setReplying(!isReplying)}
              >
                {t('comment.reply')}
              </Button>
              {mayDelete && (
                <Button variant="subtle" color="gray" size="compact-xs" onClick={() => setDeleting(true)}>
                  {c('act.delete')}
                </Button>
              )}
            </div>
          )}
          {isReplying && <CommentForm post={post} replyTo={comment} onDone={replied} />}
        </div>
      </div>
      <Answers
        post={post}
        comment={comment}
        depth={depth}
        shown={loaded ?? comment.replies}
        isLoading={loading}
        load={(after) => void load(after)}
      />
      {error && <Failure error={error} />}
      {isDeleting && (
        <ConfirmDialog
          title={t('comment.deleteTitle')}
          text={t('comment.deleteHelp')}
          confirm={c('act.delete')}
          isDangerous
          onClose={() => setDeleting(false)}
          onConfirm={() => {
            setDeleting(false);
            void remove(post, comment, parentId);
          }}
        />
      )}
    </div>
  );
}

interface AnswersProps extends CommentItemProps {
  readonly shown: CommentTree['replies'];
  readonly isLoading: boolean;
  readonly load: (after: string | null) => void;
}

function Answers({ post, comment, depth, shown, isLoading, load }: AnswersProps) {
  const t = useReaderTexts();
  const total = shown?.totalCount ?? 0;
  if (total === 0) return null;
  const complete = (shown?.edges ?? []).filter(
    (edge): edge is { readonly node: CommentTree } => edge.node.content !== undefined,
  );
  const missing = total - complete.length;
  const isDeep = depth >= DEEPEST;
  return (
    <div className={classes.replies} data-deep={isDeep || undefined} style={{ marginLeft: isDeep ? 0 : 16 }}>
      {complete.map(({ node }) => (
        <CommentItem key={node.id} post={post} comment={node} depth={depth + 1} parentId={comment.id} />
      ))}
      {missing > 0 && (
        <Button
          variant="subtle"
          size="compact-xs"
          loading={isLoading}
          onClick={() => load(complete.length > 0 ? (shown?.pageInfo.endCursor ?? null) : null)}
        >
          {t('comment.showReplies', { count: missing })}
        </Button>
      )}
    </div>
  );
}
