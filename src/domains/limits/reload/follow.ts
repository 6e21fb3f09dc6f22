import type { Clock } from '../../../platform/clock.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Postgres } from '../../../platform/postgres/postgres.js';
import type { Redis } from '../../../platform/redis/redis.js';
import type { ParsedRules } from '../rules/rules.js';
import { createTurns } from '../turns.js';
import type { Seen } from './choice.js';
import { holdRules } from './in-force.js';
import { look, NOTHING_SEEN } from './look.js';
import type { ReloadMetrics } from './reload-metrics.js';
import { openRuleChannel } from './rule-channel.js';
import { openRuleSource } from './rule-source.js';

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

/**
 * The rules in force, following every place that they may come from.
 *
 * @throws StartError when there is no good document to start with; nothing is left open then
 */
export async function followRules(deps: Deps) {
  const { logger, metrics } = deps;
  const inTurn = createTurns();
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
  const holder = await inTurn(begin).catch((error: unknown) => {
    close();
    throw error;
  });
  report();

  async function begin() {
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

  /** Resolves when a look that began after this call is through. Of many calls at once, the last ones share a look. */
  function lookAgain(): Promise<void> {
    queued ??= inTurn(() => {
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

  /** Why the newest document is not in force, or not known; each null where all is well. */
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

  /** Ends watching and listening at once, whatever still runs; the rules stay as they are. */
  function close(): void {
    closed = true;
    clearInterval(poll);
    source.close();
    channel.close();
  }

  return {
    inForce: holder.inForce,
    trouble,
    lookAgain,
    /**
     * Looks, and then runs `change` on what was seen, with no look in between. Its outcome comes in force here, and the other
     * processes are notified, also where nothing has changed: one may have missed the last notice.
     */
    change: (change: (seen: Seen) => Promise<Seen>): Promise<void> =>
      inTurn(async () => {
        await lookNow();
        sight = { ...sight, seen: await change(sight.seen) };
        await holder.follow(sight.seen);
        report();
        channel.notify();
        // A change on another process may have come before this one, unnoticed.
        lookLater();
      }),
    /** Has every process look for changed rules. */
    notify: channel.notify,
    close,
  };
}
