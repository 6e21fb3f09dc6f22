import { Counter, type Registry } from 'prom-client';
import type { NoticeType } from './notices.js';

/**
 * - sent: notifications took it, or had taken it before
 * - unwanted: nobody whom it concerns wants it or can be reached
 * - refused: notifications would not take it; most likely no template of the type is active
 * - failed: it is tried again
 */
export type NoticeOutcome = 'sent' | 'unwanted' | 'refused' | 'failed';

export interface NoticeMetrics {
  told(type: NoticeType, outcome: NoticeOutcome): void;
  /** Whether a refusal of the type was not noted before: one line in the log is enough. */
  isFirstRefusal(type: NoticeType): boolean;
}

export function createNoticeMetrics(registry: Registry): NoticeMetrics {
  const notices = new Counter({
    name: 'feed_notices_total',
    help: 'What the feed had to tell people, by what became of it',
    labelNames: ['type', 'outcome'],
    registers: [registry],
  });
  const refused = new Set<NoticeType>();
  return {
    told: (type, outcome) => notices.inc({ type, outcome }),
    isFirstRefusal(type) {
      const isFirst = !refused.has(type);
      refused.add(type);
      return isFirst;
    },
  };
}
