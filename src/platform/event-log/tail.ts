import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventLog } from './index.js';
import type { LogWindow } from './read.js';
import type { RecordedEvent } from './types.js';

/** So many of the newest events are kept for those who are a little behind. */
const KEPT = 5_000;
const PAGE = 1_000;

export type LogTail = ReturnType<typeof createLogTail>;

/**
 * The end of the log, read once for all who follow it in the process. A reader that is further behind than what is
 * kept reads by itself.
 */
export function createLogTail(log: Pick<EventLog, 'readAll' | 'head'>) {
  /** Without gaps: the first of them follows `before`. */
  let kept: RecordedEvent[] = [];
  let before: number | undefined;
  /** Whether the last read found the log's end. */
  let isWhole = false;
  let reading: Promise<void> | undefined;
  /** The read after that, which has not begun: it finds whatever those who ask by then have been woken for. */
  let next: Promise<void> | undefined;

  /** How often all that was read was forgotten. */
  let forgotten = 0;

  const end = (): number => before! + kept.length;

  async function readOn(): Promise<void> {
    const since = forgotten;
    const from = before ?? (await log.head());
    const { events, isLast } = await log.readAll(from + kept.length, PAGE);
    if (since !== forgotten) return;
    before = from;
    kept.push(...events);
    isWhole = isLast;
    if (kept.length <= 2 * KEPT) return;
    before += kept.length - KEPT;
    kept = kept.slice(-KEPT);
  }

  /** One read for all who ask before it begins, which it does once those who were woken together have asked. */
  function share(): Promise<void> {
    next ??= (async () => {
      await nextTurn();
      await reading?.catch(() => undefined);
      next = undefined;
      reading = readOn().finally(() => {
        reading = undefined;
      });
      await reading;
    })();
    return next;
  }

  return {
    /**
     * For those who have connected anew: the server may be another one, which lacks the newest events that were read, and has others in
     * their places.
     */
    forget(): void {
      forgotten += 1;
      kept = [];
      before = undefined;
      isWhole = false;
    },

    /** As `EventLog.readAll`. */
    async readAll(
      after: number,
      limit: number,
      { types }: { types?: readonly string[] | undefined },
    ): Promise<LogWindow> {
      // A read that is on its way may have begun before what the caller was woken for: then there is another.
      if (reading && (before === undefined || after >= end())) await reading;
      const isOlder = before !== undefined && after < end();
      if (!isOlder) await share();
      if (before === undefined || after < before) return log.readAll(after, limit, { types });
      const from = after - before;
      const through = Math.max(after, Math.min(after + limit, end()));
      const window = kept.slice(from, from + limit);
      return {
        events: types ? window.filter(({ type }) => types.includes(type)) : window,
        through,
        isLast: !isOlder && isWhole && through === end(),
      };
    },
  };
}
