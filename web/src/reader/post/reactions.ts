import { graphql } from '../../common/graphql.js';
import type { ReactionKind, ReaderPostFragment } from '../../generated/graphql.js';
import { useAtOnce } from '../at-once.js';

const React = graphql(/* GraphQL */ `
  mutation ReaderReact($postId: ID!, $kind: ReactionKind!) {
    reactToPost(input: { postId: $postId, kind: $kind }) {
      post {
        id
        likeCount
        viewerHasLiked
        viewerReaction
        reactionCounts {
          kind
          count
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

const RemoveReaction = graphql(/* GraphQL */ `
  mutation ReaderRemoveReaction($postId: ID!) {
    removeReaction(input: { postId: $postId }) {
      post {
        id
        likeCount
        viewerHasLiked
        viewerReaction
        reactionCounts {
          kind
          count
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

type Reactions = Pick<
  ReaderPostFragment,
  'id' | 'postId' | 'likeCount' | 'viewerHasLiked' | 'viewerReaction' | 'reactionCounts'
>;

/** Reacts, or takes the reaction back where the kind is null; the numbers change at once. */
export function useReact(): (post: Reactions, kind: ReactionKind | null) => Promise<boolean> {
  const atOnce = useAtOnce();
  return (post, kind) => {
    const changed = { __typename: 'Post' as const, ...withReaction(post, kind) };
    if (kind === null)
      return atOnce({
        mutation: RemoveReaction,
        variables: { postId: post.postId },
        inOrder: post.id,
        expected: {
          removeReaction: { __typename: 'RemoveReactionPayload', post: changed, userErrors: [] },
        },
      });
    return atOnce({
      mutation: React,
      variables: { postId: post.postId, kind },
      inOrder: post.id,
      expected: { reactToPost: { __typename: 'ReactToPostPayload', post: changed, userErrors: [] } },
    });
  };
}

/** What a post's reactions are once the viewer's is this one. */
export function withReaction(post: Reactions, kind: ReactionKind | null) {
  const { id, viewerReaction: before } = post;
  const counts = new Map(post.reactionCounts.map(({ kind: of, count }) => [of, count]));
  const add = (of: ReactionKind, by: number) => counts.set(of, (counts.get(of) ?? 0) + by);
  if (before) add(before, -1);
  if (kind) add(kind, 1);
  return {
    id,
    viewerReaction: kind,
    viewerHasLiked: kind === 'LIKE',
    likeCount: Math.max(0, post.likeCount + Number(kind === 'LIKE') - Number(before === 'LIKE')),
    reactionCounts: [...counts]
      .filter(([, count]) => count > 0)
      .map(([of, count]) => ({ __typename: 'ReactionCount' as const, kind: of, count })),
  };
}
