import { type Board, max, quantile, rate, times } from './dashboard.ts';

export const notifications: Board = {
  name: 'notifications',
  title: 'Notifications',
  rows: {
    Delivery: [
      {
        title: 'Deliveries by status',
        unit: 'cps',
        lines: { '{{status}}': rate('notification_delivery_total', 'status') },
      },
      {
        title: 'Delivered or sent, by channel',
        unit: 'cps',
        lines: { '{{channel}}': rate('notification_delivery_total{status=~"SENT|DELIVERED"}', 'channel') },
      },
      {
        title: 'From queued to delivered, p99 of push',
        unit: 's',
        description: 'Promised: high within 2 s, medium within 30 s, low within 5 minutes.',
        lines: {
          '{{priority}}': quantile(0.99, 'notification_latency_seconds', {
            by: ['priority'],
            selector: '{channel="push"}',
          }),
        },
      },
      {
        title: 'Left out or deferred by limits',
        unit: 'cps',
        lines: { '{{channel}}': rate('notification_rate_limited_total', 'channel') },
      },
    ],
    Queues: [
      {
        title: 'Users with messages that wait',
        unit: 'short',
        lines: { '{{queue}}': max('queue_jobs{queue=~"notifications[.].*",state="waiting"}', 'queue') },
      },
      {
        title: 'Retries later on',
        unit: 'short',
        lines: { '{{queue}}': max('queue_jobs{queue=~"notifications[.].*",state="delayed"}', 'queue') },
      },
      { title: 'Open dead letters', unit: 'short', lines: { 'dead letters': max('notification_dlq_depth') } },
      {
        title: 'Users of campaigns',
        unit: 'cps',
        lines: { '{{outcome}}': rate('notification_campaign_users_total', 'outcome') },
      },
    ],
    Providers: [
      {
        title: 'Calls by outcome',
        unit: 'reqps',
        lines: {
          '{{provider}} {{outcome}}': rate('notification_provider_calls_total', 'provider', 'outcome'),
        },
      },
      {
        title: 'A call, p99',
        unit: 's',
        lines: { '{{provider}}': quantile(0.99, 'notification_provider_call_seconds', { by: ['provider'] }) },
      },
      {
        title: 'Paused',
        unit: 'short',
        description: '1: after 429, or while its breaker is open.',
        lines: { '{{provider}}': max('notification_provider_paused', 'provider') },
      },
      {
        title: 'Calls repeated, the outcome of the first unknown',
        unit: 'cps',
        lines: { '{{channel}} {{cause}}': rate('notification_repeated_calls_total', 'channel', 'cause') },
      },
    ],
    'Opens, webhooks, analytics': [
      {
        title: 'Opens, clicks, unsubscriptions',
        unit: 'cps',
        description: 'Those of scanners and previews are left out.',
        lines: {
          '{{event}}': rate('notification_engagement_total{suspected_bot="false"}', 'event'),
          'lost {{event}}': rate('notification_engagement_lost_total', 'event'),
        },
      },
      {
        title: 'Webhooks: attempts',
        unit: 'reqps',
        lines: { '{{outcome}}': rate('webhook_attempts_total', 'outcome') },
      },
      { title: 'Webhooks: from event to receiver', unit: 's', lines: times('webhook_delay_seconds') },
      {
        title: 'Behind',
        unit: 's',
        lines: {
          search: max('notification_search_lag_seconds'),
          analytics: max('notification_analytics_lag_seconds'),
        },
      },
      {
        title: 'Lifecycle events that analytics missed',
        unit: 'cps',
        lines: { dropped: rate('notification_lifecycle_dropped_total') },
      },
      {
        title: 'Deleted since old',
        unit: 'cps',
        lines: { '{{what}}': rate('notification_forgotten_total', 'what') },
      },
      {
        title: 'Months without partitions',
        unit: 'short',
        description: 'Above 0 their rows go to the default partition.',
        lines: { months: max('notification_months_lacking') },
      },
    ],
  },
};
