import { graphql } from '../../../common/graphql.js';

export const deadLettersQuery = graphql(/* GraphQL */ `
  query ListDeadLetters($channel: Channel, $after: String) {
    deadLetters(channel: $channel, first: 50, after: $after) {
      totalCount
      totalCountIsEstimate
      edges {
        cursor
        node {
          id
          deliveryId
          notificationId
          userId
          channel
          error
          attempts
          failedAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const retryMutation = graphql(/* GraphQL */ `
  mutation RetryDeadLetters($input: RetryDeadLettersInput!) {
    retryDeadLetters(input: $input) {
      affected
      skipped
      hasMore
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const discardMutation = graphql(/* GraphQL */ `
  mutation DiscardDeadLetters($input: DiscardDeadLettersInput!) {
    discardDeadLetters(input: $input) {
      affected
      skipped
      hasMore
      userErrors {
        code
        message
        path
      }
    }
  }
`);
