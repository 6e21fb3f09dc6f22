import { graphql } from '../../../common/graphql.js';

graphql(/* GraphQL */ `
  fragment AnalyticsCounts on NotificationAnalytics {
    sent
    delivered
    opened
    clicked
    failed
    suppressed
    expired
    dismissed
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
  }
`);

export const AnalyticsDocument = graphql(/* GraphQL */ `
  query ConsoleAnalytics(
    $from: DateTime!
    $to: DateTime!
    $stepSeconds: Int!
    $channel: Channel
    $priority: Priority
    $notificationType: String
    $templateId: ID
  ) {
    notificationAnalytics(
      from: $from
      to: $to
      channel: $channel
      priority: $priority
      notificationType: $notificationType
      templateId: $templateId
    ) {
      ...AnalyticsCounts
      series(stepSeconds: $stepSeconds) {
        at
        sent
        delivered
        opened
        clicked
        failed
        p99LatencyMs
      }
    }
  }
`);

/** One row of a table: the same figures of a part. */
export const AnalyticsPartDocument = graphql(/* GraphQL */ `
  query ConsoleAnalyticsPart(
    $from: DateTime!
    $to: DateTime!
    $channel: Channel
    $priority: Priority
    $notificationType: String
    $templateId: ID
  ) {
    notificationAnalytics(
      from: $from
      to: $to
      channel: $channel
      priority: $priority
      notificationType: $notificationType
      templateId: $templateId
    ) {
      ...AnalyticsCounts
    }
  }
`);
