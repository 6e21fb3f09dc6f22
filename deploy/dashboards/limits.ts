import { type Board, max, quantile, rate } from './dashboard.ts';

export const limits: Board = {
  name: 'limits',
  title: 'Limits',
  rows: {
    Decisions: [
      {
        title: 'Requests by decision',
        unit: 'reqps',
        lines: { '{{result}}': rate('rate_limiter_requests_total', 'result') },
      },
      {
        title: 'Refused, by the rule that decided',
        unit: 'reqps',
        lines: { '{{tier}}': rate('rate_limiter_requests_total{result="rejected"}', 'tier') },
      },
      {
        title: 'Busiest endpoints',
        unit: 'reqps',
        lines: { '{{endpoint}}': `topk(10, ${rate('rate_limiter_requests_total', 'endpoint')})` },
      },
      {
        title: 'Highest use of a limit, by plan',
        unit: 'percentunit',
        lines: { '{{user_tier}}': max('rate_limiter_utilisation_ratio', 'user_tier') },
      },
      {
        title: 'What shadow limits would refuse',
        unit: 'reqps',
        lines: { '{{tier}}': rate('rate_limiter_shadow_rejections_total', 'tier') },
      },
      {
        title: 'Delayed',
        unit: 'short',
        lines: {
          '{{tier}} a second': rate('rate_limiter_throttled_total', 'tier'),
          'delayed now': 'sum(rate_limiter_throttle_queue)',
        },
      },
    ],
    Counters: [
      {
        title: 'Asking the counters',
        unit: 's',
        description: 'The alert is at a p99 of 5 ms.',
        lines: {
          p50: quantile(0.5, 'rate_limiter_check_duration_seconds'),
          p99: quantile(0.99, 'rate_limiter_check_duration_seconds'),
        },
      },
      {
        title: 'Not counted, since Redis was away',
        unit: 'cps',
        lines: { '{{error_type}}': rate('rate_limiter_redis_errors_total', 'error_type') },
      },
    ],
    'Rules and sockets': [
      {
        title: 'New rules',
        unit: 'cps',
        lines: { '{{result}}': rate('rate_limiter_rules_reloads_total', 'result') },
      },
      {
        title: 'Processes without the newest rules',
        unit: 'short',
        lines: { processes: 'sum(rate_limiter_rules_stale)' },
      },
      {
        title: 'Sockets refused, since too many are open',
        unit: 'cps',
        lines: { 'of the {{by}}': rate('websocket_refused_total', 'by') },
      },
    ],
  },
};
