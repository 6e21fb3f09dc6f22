import { type Board, max, quantile, rate } from './dashboard.ts';

/** What orders, accounts and transfers are read from, and what follows from them. */
const projectors =
  '{projector=~"orders|customers|products|account-summary|transfers|transfer-process|order-messages"}';

export const commerce: Board = {
  name: 'commerce',
  title: 'Commerce',
  rows: {
    'Read models': [
      {
        title: 'Events applied',
        unit: 'cps',
        lines: { '{{projector}}': rate(`projector_events_applied_total${projectors}`, 'projector') },
      },
      {
        title: 'Behind the log',
        unit: 'short',
        description:
          'Events that each has not reached. Queries with afterVersion wait for them, for 5 s at most.',
        lines: { '{{projector}}': max(`projector_lag_events${projectors}`, 'projector') },
      },
      {
        title: 'Stalled',
        unit: 'short',
        description: '1: an event cannot be applied; see projectors.',
        lines: { '{{projector}}': max(`projector_stalled${projectors}`, 'projector') },
      },
      {
        title: 'Rebuilds: the position that each has come to',
        unit: 'short',
        lines: {
          '{{projector}}': max(`projector_rebuild_position${projectors}`, 'projector'),
          'newest event': max('log_head_position'),
        },
      },
    ],
    'Transfers and messages': [
      {
        title: 'Work that was taken up',
        unit: 'cps',
        lines: { '{{kind}}': rate('outbox_attempts_count{kind=~"commerce[.].*"}', 'kind') },
      },
      {
        title: 'Attempts that work needs, p99',
        unit: 'short',
        description: 'Above 3 it keeps failing.',
        lines: {
          '{{kind}}': quantile(0.99, 'outbox_attempts', {
            by: ['kind'],
            selector: '{kind=~"commerce[.].*"}',
          }),
        },
      },
      {
        title: 'Jobs',
        unit: 'short',
        lines: { '{{queue}} {{state}}': max('queue_jobs{queue=~"commerce.*"}', 'queue', 'state') },
      },
    ],
  },
};
