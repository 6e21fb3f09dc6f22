import { Counter, type Registry } from 'prom-client';
import type { NoticeType } from './notices.js';

/**
 * - sent: notifications accepted it, now or before
 * - unwanted: no recipient wants it or can be reached
 * - refused: notifications refused it; most likely no template of the type is active
 * - failed: it is tried again
 */
export type NoticeOutcome = 'sent' | 'unwanted' | 'refused' | 'failed';

export interface NoticeMetrics {
  count(type: NoticeType, outcome: NoticeOutcome): void;
  /** Whether this is the first refusal of the type: one line in the log is enough. */
  isFirstRefusal(type: NoticeType): boolean;
}

export function createNoticeMetrics(registry: Registry): NoticeMetrics {
  const notices = new Counter({
    name: 'feed_notices_total',
    help: 'Notices of the feed, by outcome',
    labelNames: ['type', 'outcome'],
    registers: [registry],
  });
  const refused = new Set<NoticeType>();
  return {
    count: (type, outcome) => notices.inc({ type, outcome }),
    isFirstRefusal(type) {
      const isFirst = !refused.has(type);
      refused.add(type);
      return isFirst;
    },
  };
}
