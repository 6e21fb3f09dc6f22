import { graphql } from '../../../common/graphql.js';

export const backlogQuery = graphql(/* GraphQL */ `
  query NotificationBacklog {
    notificationBacklog {
      state
      channel
      cause
      count
      countIsEstimate
      since
      oldest {
        id
        deliveryId
        notificationId
        userId
        request {
          id
        }
      }
    }
  }
`);

export const searchQuery = graphql(/* GraphQL */ `
  query SearchDeliveries($query: String, $filter: DeliveryFilter, $after: String) {
    searchDeliveries(query: $query, filter: $filter, first: 50, after: $after) {
      edges {
        cursor
        node {
          id
          deliveryId
          notificationId
          userId
          notificationType
          channel
          status
          suppression
          lastError
          createdAt
          recipientAddress
          renderedContent {
            title
            subject
            body
          }
          request {
            id
            producer
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const requestsQuery = graphql(/* GraphQL */ `
  query ListRequests($filter: NotificationRequestFilter, $after: String) {
    notificationRequests(filter: $filter, first: 50, after: $after) {
      edges {
        cursor
        node {
          id
          notificationId
          type
          status
          priority
          templateId
          scheduleAt
          createdAt
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const findQuery = graphql(/* GraphQL */ `
  query FindNotification($id: ID!) {
    notificationRequest(notificationId: $id) {
      id
      notificationId
      type
    }
    delivery(deliveryId: $id) {
      id
      deliveryId
      request {
        id
      }
    }
  }
`);

export const requestQuery = graphql(/* GraphQL */ `
  query NotificationPage($id: ID!, $after: String) {
    notificationRequest(notificationId: $id) {
      id
      requestId
      notificationId
      type
      priority
      templateId
      status
      scheduleAt
      scheduleInLocalTime
      expiresAt
      createdAt
      producer
      deliveries(first: 50, after: $after) {
        edges {
          cursor
          node {
            id
            deliveryId
            userId
            channel
            status
            suppression
            lastError
            attempt
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export const deliveryQuery = graphql(/* GraphQL */ `
  query DeliveryPanel($id: ID!) {
    delivery(deliveryId: $id) {
      id
      deliveryId
      notificationId
      userId
      notificationType
      channel
      priority
      status
      suppression
      attempt
      maxRetries
      lastError
      nextRetryAt
      dueAt
      createdAt
      expiresAt
      fallbackForId
      recipientAddress
      renderedContent {
        title
        subtitle
        badge
        subject
        body
        htmlBody
        imageUrl
        actionUrl
      }
      targets {
        target
        error
        providerId
      }
      deadLetter {
        id
        settledAt
      }
      timeline {
        event
        at
        detail
      }
    }
  }
`);

export const statusUpdates = graphql(/* GraphQL */ `
  subscription NotificationSteps($id: ID!, $after: String) {
    notificationStatus(notificationId: $id, after: $after) {
      cursor
      deliveryId
      event
      delivery {
        id
        status
        suppression
        lastError
        attempt
        nextRetryAt
        dueAt
        timeline {
          event
          at
          detail
        }
        request {
          id
          status
        }
      }
    }
  }
`);

export const cancelMutation = graphql(/* GraphQL */ `
  mutation CancelNotification($input: CancelNotificationInput!) {
    cancelNotification(input: $input) {
      cancelled
      request {
        id
        status
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const retryOneMutation = graphql(/* GraphQL */ `
  mutation RetryDelivery($input: RetryDeadLettersInput!) {
    retryDeadLetters(input: $input) {
      affected
      skipped
      userErrors {
        code
        message
        path
      }
    }
  }
`);
