import '../fragments.js';
import { graphql } from '../../common/graphql.js';

/** The newest comments, and the first answers to each. */
export const Comments = graphql(/* GraphQL */ `
  query ReaderComments($postId: ID!, $before: String) {
    post(postId: $postId) {
      id
      comments(last: 20, before: $before) {
        totalCount
        edges {
          cursor
          node {
            ...ReaderComment
            replies(first: 3) {
              totalCount
              edges {
                cursor
                node {
                  ...ReaderComment
                  replies(first: 1) {
                    totalCount
                    edges {
                      cursor
                      node {
                        id
                      }
                    }
                    pageInfo {
                      hasNextPage
                      endCursor
                    }
                  }
                }
              }
              pageInfo {
                hasNextPage
                endCursor
              }
            }
          }
        }
        pageInfo {
          hasPreviousPage
          startCursor
        }
      }
    }
  }
`);

export const Replies = graphql(/* GraphQL */ `
  query ReaderReplies($id: ID!, $after: String) {
    node(id: $id) {
      id
      ... on Comment {
        replies(first: 20, after: $after) {
          totalCount
          edges {
            cursor
            node {
              ...ReaderComment
              replies(first: 1) {
                totalCount
                edges {
                  cursor
                  node {
                    id
                  }
                }
                pageInfo {
                  hasNextPage
                  endCursor
                }
              }
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
`);

export const AddComment = graphql(/* GraphQL */ `
  mutation ReaderAddComment($postId: ID!, $content: String!, $replyToId: ID, $idempotencyKey: String) {
    addComment(
      input: { postId: $postId, content: $content, replyToId: $replyToId, idempotencyKey: $idempotencyKey }
    ) {
      comment {
        ...ReaderComment
        replies(first: 1) {
          totalCount
          edges {
            cursor
            node {
              id
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
      post {
        id
        commentCount
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const DeleteComment = graphql(/* GraphQL */ `
  mutation ReaderDeleteComment($commentId: ID!) {
    deleteComment(input: { commentId: $commentId }) {
      deletedId
      post {
        id
        commentCount
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);
