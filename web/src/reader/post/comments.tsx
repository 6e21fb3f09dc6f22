import { useQuery } from '@apollo/client/react';
import { Box, Button, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useOnFound } from '../../common/connection-status.js';
import { Failure, Loading } from '../../common/ui/states.js';
import type { ReaderCommentsQuery, ReaderPostFragment } from '../../generated/graphql.js';
import { useCount } from '../numbers.js';
import { useReaderTexts } from '../texts.js';
import { CommentForm } from './comment-form.js';
import { CommentItem } from './comment-item.js';
import { Comments as CommentsQuery } from './comment-queries.js';
import classes from './comments.module.css';

/** A post's comments, oldest first, from the newest twenty upwards. */
export function Comments({ post }: { readonly post: ReaderPostFragment }) {
  const t = useReaderTexts();
  const count = useCount();
  const { data, error, loading, fetchMore, refetch } = useQuery(CommentsQuery, {
    variables: { postId: post.postId },
    notifyOnNetworkStatusChange: true,
  });
  const [earlierError, setEarlierError] = useState<unknown>();
  useOnFound(() => setEarlierError(undefined));
  const comments = (data as ReaderCommentsQuery | undefined)?.post?.comments;
  const start = comments?.pageInfo.hasPreviousPage ? comments.pageInfo.startCursor : undefined;
  return (
    <Box component="section" aria-labelledby="comments">
      <Title order={2} id="comments" fz="md" px="md" pt="md">
        {t('comment.count', { count: post.commentCount, shown: count(post.commentCount) })}
      </Title>
      <CommentForm post={post} />
      <div className={classes.list}>
        {error && <Failure error={error} retry={() => void refetch()} />}
        {Boolean(earlierError) && <Failure error={earlierError} />}
        {!comments && !error && <Loading rows={4} />}
        {start && (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={loading}
            onClick={() => {
              setEarlierError(undefined);
              fetchMore({ variables: { before: start } }).catch(setEarlierError);
            }}
          >
            {t('comment.earlier')}
          </Button>
        )}
        {comments?.edges.map(({ node }) => (
          <CommentItem key={node.id} post={post} comment={node} depth={0} />
        ))}
        {comments?.edges.length === 0 && (
          <Text c="dimmed" size="sm" py="md" ta="center">
            {t(post.commentCount > 0 ? 'comment.noneShown' : 'comment.empty')}
          </Text>
        )}
      </div>
    </Box>
  );
}
