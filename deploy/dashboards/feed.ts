import { type Board, max, rate, times } from './dashboard.ts';

export const feed: Board = {
  name: 'feed',
  title: 'Feed',
  rows: {
    Reading: [
      { title: 'Pages read', unit: 'reqps', lines: { pages: rate('feed_read_seconds_count') } },
      { title: 'Reading a page', unit: 's', lines: times('feed_read_seconds') },
      {
        title: 'Ranked by less',
        unit: 'cps',
        description:
          'In time order since ranking took too long, or ranked without what neither Redis nor Postgres gave in time.',
        lines: {
          'in time order': rate('feed_ranking_fallbacks_total'),
          'without {{what}}': rate('feed_ranking_unavailable_total', 'what'),
        },
      },
    ],
    'Fan-out': [
      { title: 'A whole fan-out', unit: 's', lines: times('feed_fan_out_seconds') },
      {
        title: 'Followers reached',
        unit: 'cps',
        lines: { '{{feed}} feeds': rate('feed_fan_out_followers_total', 'feed') },
      },
      {
        title: 'Jobs that wait',
        unit: 'short',
        lines: { '{{queue}}': max('queue_jobs{queue=~"feed[.].*",state="waiting"}', 'queue') },
      },
      {
        title: 'Projectors behind the log',
        unit: 'short',
        description: 'Events that each has not reached.',
        lines: { '{{projector}}': max('projector_lag_events{projector=~"feed-.*"}', 'projector') },
      },
    ],
    Engagement: [
      {
        title: 'Counts',
        unit: 'short',
        description: 'Reactions, comments and shares wait 30 s at most to be added to their posts.',
        lines: {
          'added a second': rate('feed_counts_written_back_total'),
          waiting: max('feed_counts_waiting'),
        },
      },
      {
        title: 'Notices about posts',
        unit: 'cps',
        lines: { '{{outcome}}': rate('feed_notices_total', 'outcome') },
      },
    ],
    Media: [
      {
        title: 'Uploads processed',
        unit: 'cps',
        lines: { '{{kind}} {{outcome}}': rate('feed_media_processed_total', 'kind', 'outcome') },
      },
      { title: 'Processing an upload', unit: 's', lines: times('feed_media_processing_seconds') },
    ],
  },
};
