import { graphql } from '../../common/graphql.js';
import { useAct } from '../../common/ui/act.js';
import type { ReaderPostFragment } from '../../generated/graphql.js';
import { addAbove } from '../feed/cached-feeds.js';
import { useReaderTexts } from '../texts.js';

export const SharePost = graphql(/* GraphQL */ `
  mutation ReaderShare($postId: ID!, $content: String, $idempotencyKey: String) {
    sharePost(input: { postId: $postId, content: $content, idempotencyKey: $idempotencyKey }) {
      post {
        ...ReaderPost
        sharedPost {
          id
          shareCount
        }
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

/** Shares a post as it is. */
export function useShare(): (post: Pick<ReaderPostFragment, 'postId'>) => Promise<void> {
  const t = useReaderTexts();
  const { act } = useAct(SharePost, { done: t('share.done') });
  return async ({ postId }) => {
    const outcome = await act({ postId });
    const shared = outcome.ok ? outcome.data.sharePost.post : undefined;
    if (shared) addAbove([shared.id]);
  };
}
