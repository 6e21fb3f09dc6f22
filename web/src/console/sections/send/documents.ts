import { graphql } from '../../../common/graphql.js';

export const previewQuery = graphql(/* GraphQL */ `
  query SendPreview($input: PreviewTemplateInput!) {
    previewTemplate(input: $input) {
      content {
        title
        subtitle
        badge
        subject
        body
        htmlBody
        imageUrl
        actionUrl
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const findRecipients = graphql(/* GraphQL */ `
  query FindRecipients($query: String!) {
    searchUsers(query: $query, first: 8) {
      edges {
        cursor
        node {
          id
          userId
          displayName
        }
      }
    }
  }
`);

export const sendMutation = graphql(/* GraphQL */ `
  mutation SendFromConsole($input: SendNotificationInput!) {
    sendNotification(input: $input) {
      notificationsQueued
      estimatedDelivery
      request {
        id
        notificationId
      }
      suppressed {
        userId
        channel
        reason
        detail
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const testMutation = graphql(/* GraphQL */ `
  mutation SendTestFromConsole($input: SendTestNotificationInput!) {
    sendTestNotification(input: $input) {
      notificationsQueued
      estimatedDelivery
      request {
        id
        notificationId
      }
      suppressed {
        userId
        channel
        reason
        detail
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);
