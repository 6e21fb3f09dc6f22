import { type Board, max, quantile, rate, times } from './dashboard.ts';

export const platform: Board = {
  name: 'platform',
  title: 'Platform',
  rows: {
    GraphQL: [
      {
        title: 'Operations by outcome',
        unit: 'reqps',
        lines: {
          '{{operation_type}} {{outcome}}': rate('graphql_requests_total', 'operation_type', 'outcome'),
        },
      },
      { title: 'A query or mutation', unit: 's', lines: times('graphql_request_duration_seconds') },
      {
        title: 'Unexpected errors',
        unit: 'cps',
        description: 'Each has a log line with its errorId.',
        lines: {
          INTERNAL_ERROR: rate('graphql_errors_masked_total'),
          'unhandled {{kind}}': rate('process_faults_total', 'kind'),
        },
      },
      {
        title: 'Open WebSockets',
        unit: 'short',
        lines: { '{{instance}}': max('websocket_connections', 'instance') },
      },
      {
        title: 'Documents',
        unit: 'reqps',
        lines: {
          persisted: rate('graphql_persisted_documents_total'),
          'refused: {{reason}}': rate('graphql_documents_refused_total', 'reason'),
        },
      },
    ],
    'The log and its projectors': [
      {
        title: 'Events appended',
        unit: 'cps',
        lines: { events: 'max(rate(log_head_position[$__rate_interval]))' },
      },
      {
        title: 'Behind the log',
        unit: 'short',
        lines: { '{{projector}}': max('projector_lag_events', 'projector') },
      },
      {
        title: 'Events applied',
        unit: 'cps',
        lines: { '{{projector}}': rate('projector_events_applied_total', 'projector') },
      },
      {
        title: 'Stalled',
        unit: 'short',
        description: '1: an event cannot be applied; see projectors.',
        lines: { '{{projector}}': max('projector_stalled', 'projector') },
      },
      {
        title: 'Outbox: attempts that work needs, p99',
        unit: 'short',
        description: 'Above 3 it keeps failing, or a fan-out waits behind others of its author.',
        lines: { '{{kind}}': quantile(0.99, 'outbox_attempts', { by: ['kind'] }) },
      },
      { title: 'The archive', unit: 'bytes', lines: { 'compressed events': max('event_archive_bytes') } },
    ],
    'Postgres and Redis, as the processes see them': [
      {
        title: 'Answering from Redis',
        unit: 'short',
        description:
          '0: reads of this process go to Postgres. For the servers themselves use their own exporters.',
        lines: { '{{process}} {{instance}}': 'min by (process, instance) (cache_lease_held)' },
      },
      {
        title: 'Writes that Redis did not take',
        unit: 'cps',
        lines: { '{{what}}': rate('missed_redis_writes_total', 'what') },
      },
      {
        title: 'Values of Redis that could not be read',
        unit: 'cps',
        lines: { '{{kind}}': rate('redis_values_discarded_total', 'kind') },
      },
      {
        title: 'Clocks',
        unit: 's',
        description: 'How far a host is from Postgres and Redis. The alert is at 2 s.',
        lines: { '{{instance}} {{against}}': 'max by (instance, against) (abs(clock_skew_seconds))' },
      },
    ],
    'Queues and schedules': [
      {
        title: 'Jobs that wait',
        unit: 'short',
        lines: { '{{queue}}': `topk(10, ${max('queue_jobs{state="waiting"}', 'queue')})` },
      },
      {
        title: 'Jobs that failed',
        unit: 'short',
        lines: { '{{queue}}': max('queue_jobs{state="failed"}', 'queue') },
      },
      {
        title: 'Runs that went wrong',
        unit: 'cps',
        lines: { '{{task}} {{outcome}}': rate('schedule_runs_total{outcome!="ok"}', 'task', 'outcome') },
      },
      {
        title: 'Due, and not taken',
        unit: 's',
        lines: { '{{task}}': max('schedule_overdue_seconds', 'task') },
      },
    ],
    Processes: [
      {
        title: 'CPU',
        unit: 'percentunit',
        description: '1 is one core. An api or worker runs JavaScript on one.',
        lines: { '{{process}} {{instance}}': rate('process_cpu_seconds_total', 'process', 'instance') },
      },
      {
        title: 'Memory',
        unit: 'bytes',
        lines: { '{{process}} {{instance}}': max('process_resident_memory_bytes', 'process', 'instance') },
      },
      {
        title: 'Delay of the event loop, p99',
        unit: 's',
        lines: { '{{process}} {{instance}}': max('nodejs_eventloop_lag_p99_seconds', 'process', 'instance') },
      },
      {
        title: 'Lines of the log that were dropped',
        unit: 'cps',
        lines: { '{{process}} {{instance}}': rate('log_lines_dropped_total', 'process', 'instance') },
      },
    ],
  },
};
