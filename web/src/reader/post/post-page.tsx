import { useQuery } from '@apollo/client/react';
import { Box } from '@mantine/core';
import { useParams } from 'react-router';
import { graphql } from '../../common/graphql.js';
import { Empty, Failure } from '../../common/ui/states.js';
import { Screen } from '../shell/screen.js';
import { useReaderTexts } from '../texts.js';
import { Comments } from './comments.js';
import { PostCard } from './post-card.js';
import { PostSkeletons } from './post-skeletons.js';
import { Reactors } from './reactors.js';

const Post = graphql(/* GraphQL */ `
  query ReaderPostPage($postId: ID!) {
    post(postId: $postId) {
      ...ReaderPost
    }
  }
`);

export default function PostPage() {
  const t = useReaderTexts();
  const { postId = '' } = useParams();
  const { data, error, refetch } = useQuery(Post, { variables: { postId } });
  const post = data?.post;
  return (
    <Screen title={t('post.title')} hasBack>
      {data === undefined && !error && <PostSkeletons count={1} />}
      {error && (
        <Box p="md">
          <Failure error={error} retry={() => void refetch()} />
        </Box>
      )}
      {data && !post && !error && <Empty title={t('post.gone')}>{t('post.goneHelp')}</Empty>}
      {post && (
        <>
          <PostCard post={post} isOpen />
          <Reactors post={post} />
          <Comments post={post} />
        </>
      )}
    </Screen>
  );
}
