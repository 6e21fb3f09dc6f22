import type { ApolloCache, Reference } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { client } from '../../common/client.js';
import { graphql } from '../../common/graphql.js';
import type { ReaderPersonFragment } from '../../generated/graphql.js';
import { useAtOnce } from '../at-once.js';
import { AddComment, DeleteComment } from './comment-queries.js';

const Viewer = graphql(/* GraphQL */ `
  query ReaderViewer {
    me {
      ...ReaderPerson
    }
  }
`);

/** Who is signed in, as others see them. */
export function useViewer(): ReaderPersonFragment | undefined {
  const { data } = useQuery(Viewer, { fetchPolicy: 'cache-first' });
  return (data?.me as ReaderPersonFragment | null | undefined) ?? undefined;
}

interface Target {
  readonly post: { readonly id: string; readonly postId: string; readonly commentCount: number };
  /** The comment that is answered; absent: the post itself. */
  readonly replyTo?: { readonly id: string; readonly commentId: string };
}

/** Writes a comment, which stands in the list at once. The same key goes along with each try of the same text. */
export function useAddComment(): (target: Target, content: string, key: string) => Promise<boolean> {
  const atOnce = useAtOnce();
  const viewer = useViewer();
  return ({ post, replyTo }, content, key) => {
    const expected = {
      addComment: {
        __typename: 'AddCommentPayload' as const,
        userErrors: [],
        post: { __typename: 'Post' as const, id: post.id, commentCount: post.commentCount + 1 },
        comment: {
          __typename: 'Comment' as const,
          id: `expected-${key}`,
          commentId: `expected-${key}`,
          postId: post.postId,
          replyToId: replyTo?.commentId ?? null,
          content,
          createdAt: new Date().toISOString(),
          author: viewer ?? UNKNOWN,
          replies: {
            __typename: 'CommentConnection' as const,
            totalCount: 0,
            edges: [],
            pageInfo: { __typename: 'PageInfo' as const, hasNextPage: false, endCursor: null },
          },
        },
      },
    };
    return atOnce({
      mutation: AddComment,
      variables: { postId: post.postId, content, replyToId: replyTo?.commentId ?? null, idempotencyKey: key },
      expected,
      update: (cache, { addComment: { comment } }) => {
        if (!comment) return;
        const node: Reference = { __ref: `Comment:${comment.id}` };
        if (replyTo) append(cache, `Comment:${replyTo.id}`, 'replies', node);
        else append(cache, `Post:${post.id}`, 'comments', node);
      },
    });
  };
}

/** Whether a comment is not yet confirmed by the API. */
export const isExpected = ({ commentId }: { readonly commentId: string }): boolean =>
  commentId.startsWith('expected-');

/** Deletes a comment, with the answers to it. */
export function useDeleteComment(): (
  post: Target['post'],
  comment: { readonly id: string; readonly commentId: string },
  parentId?: string,
) => Promise<boolean> {
  const atOnce = useAtOnce();
  return async (post, { id, commentId }, parentId) => {
    const isDone = await atOnce({
      mutation: DeleteComment,
      variables: { commentId },
      expected: {
        deleteComment: {
          __typename: 'DeleteCommentPayload',
          deletedId: id,
          post: { __typename: 'Post', id: post.id, commentCount: Math.max(0, post.commentCount - 1) },
          userErrors: [],
        },
      },
      update: (cache) => {
        cache.evict({ id: `Comment:${id}` });
        if (parentId) countOneLess(cache, `Comment:${parentId}`);
      },
    });
    client.cache.gc();
    return isDone;
  };
}

const UNKNOWN = {
  __typename: 'User' as const,
  id: 'expected',
  userId: '',
  displayName: '…',
  avatarUrl: null,
  isVerified: false,
  viewerFollows: false,
  viewerMutes: false,
  viewerBlocks: false,
};

interface StoredList {
  readonly edges?: readonly { readonly node: Reference }[];
  readonly totalCount?: number;
}

function append(cache: ApolloCache, id: string, field: 'comments' | 'replies', node: Reference): void {
  cache.modify({
    id,
    fields: {
      [field](stored: unknown) {
        const list = stored as StoredList | undefined;
        if (!list?.edges || list.edges.some((edge) => edge.node.__ref === node.__ref)) return stored;
        const edge = { __typename: 'CommentEdge', cursor: '', node };
        return { ...list, totalCount: (list.totalCount ?? 0) + 1, edges: [...list.edges, edge] };
      },
    },
  });
}

function countOneLess(cache: ApolloCache, id: string): void {
  cache.modify({
    id,
    fields: {
      replies(stored: unknown) {
        const list = stored as StoredList | undefined;
        return list?.totalCount ? { ...list, totalCount: list.totalCount - 1 } : stored;
      },
    },
  });
}
