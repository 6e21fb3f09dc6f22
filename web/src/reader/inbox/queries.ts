import { graphql } from '../../common/graphql.js';

graphql(/* GraphQL */ `
  fragment ReaderInboxItem on InboxItem {
    id
    itemId
    notificationType
    title
    body
    actionUrl
    imageUrl
    actorCount
    createdAt
    readAt
    archivedAt
  }
`);

export const Inbox = graphql(/* GraphQL */ `
  query ReaderInbox($filter: InboxFilter!, $after: String) {
    inbox(first: 20, filter: $filter, after: $after) {
      unreadCount
      updatesAfter
      edges {
        cursor
        node {
          ...ReaderInboxItem
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const InboxUpdates = graphql(/* GraphQL */ `
  subscription ReaderInboxUpdates($after: String) {
    inboxUpdated(after: $after) {
      cursor
      unreadCount
      item {
        ...ReaderInboxItem
      }
    }
  }
`);

export const MarkInbox = graphql(/* GraphQL */ `
  mutation ReaderMarkInbox($action: InboxAction!, $itemIds: [ID!]) {
    markInbox(input: { action: $action, itemIds: $itemIds }) {
      changed
      unreadCount
      items {
        ...ReaderInboxItem
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const Engaged = graphql(/* GraphQL */ `
  mutation ReaderEngaged($deliveryId: ID!, $kind: EngagementKind!) {
    recordEngagement(input: { deliveryId: $deliveryId, kind: $kind }) {
      userErrors {
        code
        message
      }
    }
  }
`);
