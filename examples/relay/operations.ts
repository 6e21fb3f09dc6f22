// What relay-compiler reads; nothing runs it. In an app with Relay's Babel or SWC plugin these stand in the components.
import { graphql } from 'relay-runtime';

graphql`
  fragment operations_post on Post {
    id
    content
    likeCount
    viewerHasLiked
  }
`;

graphql`
  query operationsFeedQuery($first: Int!, $after: String, $isFirst: Boolean!) {
    feed(first: $first, after: $after, order: LATEST) @connection(key: "operations_feed") {
      __id
      liveCursor @include(if: $isFirst)
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          ...operations_post @relay(mask: false)
        }
      }
    }
  }
`;

graphql`
  mutation operationsLikeMutation($postId: ID!) @raw_response_type {
    likePost(input: { postId: $postId }) {
      post {
        id
        likeCount
        viewerHasLiked
      }
      userErrors {
        codeEnum
        message
      }
    }
  }
`;

graphql`
  mutation operationsDeleteMutation($postId: ID!) {
    deletePost(input: { postId: $postId }) {
      deletedId @deleteRecord
      userErrors {
        codeEnum
        message
      }
    }
  }
`;

graphql`
  subscription operationsNewPostsSubscription($after: String, $connections: [ID!]!) {
    feedUpdated(after: $after) {
      cursor
      post @prependNode(connections: $connections, edgeTypeName: "FeedEdge") {
        ...operations_post @relay(mask: false)
      }
    }
  }
`;
