import '../fragments.js';
import { graphql } from '../../common/graphql.js';

/** What a page may cost allows no more (docs/limits.md). */
export const PAGE_SIZE = 12;

export const Feed = graphql(/* GraphQL */ `
  query ReaderFeed($order: FeedOrder!, $first: Int!, $after: String, $isFirst: Boolean!) {
    feed(order: $order, first: $first, after: $after) {
      liveCursor @include(if: $isFirst)
      edges {
        cursor
        isSponsored
        why {
          source
          score
          terms {
            name
            weight
            value
          }
        }
        node {
          ...ReaderPost
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const NewPosts = graphql(/* GraphQL */ `
  subscription ReaderNewPosts($after: String) {
    feedUpdated(after: $after) {
      cursor
      authorId
      post {
        ...ReaderPost
      }
    }
  }
`);

export const MarkRead = graphql(/* GraphQL */ `
  mutation ReaderMarkRead($cursor: String!) {
    markFeedRead(input: { cursor: $cursor }) {
      readMarker
      userErrors {
        code
        message
      }
    }
  }
`);

export const Signals = graphql(/* GraphQL */ `
  mutation ReaderSignals($signals: [SignalInput!]!) {
    recordSignals(input: { signals: $signals }) {
      recorded
      userErrors {
        code
        message
      }
    }
  }
`);
