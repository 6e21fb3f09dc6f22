import { graphql } from '../../../common/graphql.js';

graphql(/* GraphQL */ `
  fragment CampaignProgress on Campaign {
    id
    batchId
    status
    matched
    queued
    suppressed
    estimatedCount
    ratePerSecond
    rateRaised
    scheduleAt
    startedAt
    completedAt
    failure
  }
`);

export const CampaignsDocument = graphql(/* GraphQL */ `
  query ConsoleCampaigns($after: String) {
    campaigns(first: 50, after: $after) {
      edges {
        cursor
        node {
          ...CampaignProgress
          notificationType
          producer
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

/** How far those are that are not over: their part of the list follows by their ids. */
export const RunningCampaignsDocument = graphql(/* GraphQL */ `
  query ConsoleRunningCampaigns($ids: [ID!]!) {
    nodes(ids: $ids) {
      id
      ... on Campaign {
        ...CampaignProgress
      }
    }
  }
`);

export const CampaignDocument = graphql(/* GraphQL */ `
  query ConsoleCampaign($batchId: ID!) {
    campaign(batchId: $batchId) {
      ...CampaignProgress
      notificationType
      templateId
      producer
      priority
      filter
      variables
      maxPerSecond
      windowHours
      createdAt
    }
  }
`);

export const CampaignResultsDocument = graphql(/* GraphQL */ `
  query ConsoleCampaignResults($batchId: ID!, $from: DateTime!, $to: DateTime!, $stepSeconds: Int!) {
    notificationAnalytics(batchId: $batchId, from: $from, to: $to) {
      sent
      delivered
      opened
      clicked
      failed
      suppressed
      unsubscribed
      suspectedBots
      deliveryRate
      openRate
      clickRate
      latencyMs {
        p50
        p95
        p99
      }
      series(stepSeconds: $stepSeconds) {
        at
        sent
        delivered
        opened
        clicked
      }
    }
  }
`);

export const ControlCampaignDocument = graphql(/* GraphQL */ `
  mutation ConsoleControlCampaign($input: ControlCampaignInput!) {
    controlCampaign(input: $input) {
      campaign {
        ...CampaignProgress
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const UserAttributesDocument = graphql(/* GraphQL */ `
  query ConsoleUserAttributes {
    userAttributes {
      id
      name
      type
      isBuiltIn
      deletedAt
    }
  }
`);

export const EstimateDocument = graphql(/* GraphQL */ `
  query ConsoleEstimate($filter: String!) {
    estimateSegment(filter: $filter) {
      count
      sample {
        id
        userId
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export const DryRunDocument = graphql(/* GraphQL */ `
  mutation ConsoleCampaignDryRun($input: SendBatchInput!) {
    sendBatch(input: $input) {
      dryRun {
        estimatedUsers
        ratePerSecond
        rateRaised
        samples {
          userId
          channel
          suppression
          dueAt
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

export const SendBatchDocument = graphql(/* GraphQL */ `
  mutation ConsoleSendBatch($input: SendBatchInput!) {
    sendBatch(input: $input) {
      campaign {
        ...CampaignProgress
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);
