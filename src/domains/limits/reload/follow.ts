import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logger.js';
import type { Postgres } from '../../../platform/postgres.js';
import type { Redis } from '../../../platform/redis.js';
import type { ParsedRules } from '../rules/rules.js';
import type { Seen } from './choice.js';
import { type Holder, holdRules, type InForce } from './in-force.js';
import { look, NOTHING_SEEN } from './look.js';
import type { ReloadMetrics } from './reload-metrics.js';
import { openRuleChannel } from './rule-channel.js';
import { openRuleSource } from './rule-source.js';

/** The rules in force, following every place that they may come from. */
export interface Follower {
  inForce(): InForce;
  /** Why the newest document is not in force, or not known; each null where all is well. */
  trouble(): { readonly fault: string | null; readonly unreachable: string | null };
  /** Resolves when a look that began after this call is through. Of many calls at once, the last ones share a look. */
  lookAgain(): Promise<void>;
  /**
   * Looks, and then runs `change` on what was seen, with no look in between. Its outcome comes in force here, and the other
   * processes are notified, also where nothing has changed: one may have missed the last notice.
   */
  change(change: (seen: Seen) => Promise<Seen>): Promise<void>;
  /** Has every process look for changed rules. */
  notify(): void;
  /** Ends watching and listening at once, whatever still runs; the rules stay as they are. */
  close(): void;
}

interface Deps {
  readonly source: string;
  readonly postgres: Pick<Postgres, 'pool'>;
  readonly redis: Redis;
  readonly subscriber: Redis;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: ReloadMetrics;
  readonly read: (document: string) => Promise<ParsedRules>;
  readonly pollMs: number;
  readonly answerMs: number;
}

/** @throws StartError when there is no good document to start with; nothing is left open then */
export async function followRules(deps: Deps): Promise<Follower> {
  const { logger, metrics } = deps;
  const turns = createTurns();
  let sight = NOTHING_SEEN;
  let queued: Promise<void> | undefined;
  let reported: string | null = null;
  let closed = false;

  // Subscribe first, then look: what changes in between is looked at once more.
  const source = openRuleSource(deps.source, {
    answerMs: deps.answerMs,
    onChange: lookLater,
    onBlind: (err) => logger.warn({ err }, 'the folder of the rate limit rules cannot be watched; polling'),
  });
  const channel = openRuleChannel(deps, lookLater);
  const poll = setInterval(lookLater, deps.pollMs);
  poll.unref();
  const holder = await turns.take(begin).catch((error: unknown) => {
    close();
    throw error;
  });
  report();

  async function begin(): Promise<Holder> {
    sight = await look({ ...deps, source }, sight);
    return holdRules(deps, sight.seen, sight.unreachable);
  }

  async function lookNow(): Promise<void> {
    if (closed) return;
    const found = await look({ ...deps, source }, sight);
    if (closed) return;
    await holder.follow(found.seen);
    // Not before: once the last error is gone, the rules must be in force.
    sight = found;
    report();
  }

  function lookAgain(): Promise<void> {
    queued ??= turns.take(() => {
      queued = undefined;
      return lookNow();
    });
    return queued;
  }

  function lookLater(): void {
    if (!closed)
      lookAgain().catch((err: unknown) =>
        logger.error({ err }, 'the rate limit rules could not be looked at'),
      );
  }

  function trouble(): { fault: string | null; unreachable: string | null } {
    return { fault: holder.fault(), unreachable: sight.unreachable.join('; ') || null };
  }

  /** Logs a change of trouble once: a source that stays unreachable is not logged every 30 s. */
  function report(): void {
    const { fault, unreachable } = trouble();
    const why = fault ?? unreachable;
    metrics.stale(why !== null);
    if (why === reported) return;
    reported = why;
    const version = holder.inForce().rules.version;
    if (why === null) logger.info({ version }, 'rate limit rules are up to date again');
    else
      logger.warn(
        { fault, unreachable, version },
        'the newest rate limit rules are not in force; the former ones stay',
      );
  }

  function close(): void {
    closed = true;
    clearInterval(poll);
    source.close();
    channel.close();
  }

  return {
    inForce: () => holder.inForce(),
    trouble,
    lookAgain,
    change: (change) =>
      turns.take(async () => {
        await lookNow();
        sight = { ...sight, seen: await change(sight.seen) };
        await holder.follow(sight.seen);
        report();
        channel.notify();
        // A change on another process may have come before this one, unnoticed.
        lookLater();
      }),
    notify: channel.notify,
    close,
  };
}

/** One piece of work at a time, in the order in which they were asked for. */
function createTurns(): { take<T>(work: () => Promise<T>): Promise<T> } {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const done = last.then(work);
      last = done.catch(() => undefined);
      return done;
    },
  };
}
