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
   * Looks, and lets `change` say what it has made of what is seen, with no look in between. The outcome comes in
   * force here, and the other processes are rung, also where nothing has changed: one may have missed the last ring.
   */
  change(change: (seen: Seen) => Promise<Seen>): Promise<void>;
  ring(): void;
  /** Ends watching and listening at once, whatever still runs; the rules stay as they are. */
  close(): void;
}

interface Deps {
  readonly source: string;
  readonly postgres: Pick<Postgres, 'pool'>;
  readonly redis: Redis;
  readonly ear: Redis;
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
  let told: string | null = null;
  let closed = false;

  // Listen first, then look: what changes in between is looked at once more.
  const source = openRuleSource(deps.source, {
    answerMs: deps.answerMs,
    onChange: lookLater,
    onBlind: (err) => logger.warn({ err }, 'the rules’ folder cannot be watched; looking now and then'),
  });
  const channel = openRuleChannel(deps, lookLater);
  const poll = setInterval(lookLater, deps.pollMs);
  poll.unref();
  const holder = await turns.take(begin).catch((error: unknown) => {
    close();
    throw error;
  });
  tell();

  async function begin(): Promise<Holder> {
    sight = await look({ ...deps, source }, sight);
    return holdRules(deps, sight.seen, sight.unreachable);
  }

  async function lookNow(): Promise<void> {
    if (closed) return;
    const found = await look({ ...deps, source }, sight);
    if (closed) return;
    await holder.follow(found.seen);
    // Not before: who waits for the last error to go waits for the rules to be in force.
    sight = found;
    tell();
  }

  function lookAgain(): Promise<void> {
    queued ??= turns.take(() => {
      queued = undefined;
      return lookNow();
    });
    return queued;
  }

  function lookLater(): void {
    if (!closed) lookAgain().catch((err: unknown) => logger.error({ err }, 'looking for rules failed'));
  }

  function trouble(): { fault: string | null; unreachable: string | null } {
    return { fault: holder.fault(), unreachable: sight.unreachable.join('; ') || null };
  }

  /** Once, when it changes: a place that stays away is not news every 30 s. */
  function tell(): void {
    const { fault, unreachable } = trouble();
    const why = fault ?? unreachable;
    metrics.stale(why !== null);
    if (why === told) return;
    told = why;
    const version = holder.inForce().rules.version;
    if (why === null) logger.info({ version }, 'rate limit rules are up to date again');
    else logger.warn({ fault, unreachable, version }, 'rate limit rules stay as they are');
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
        tell();
        channel.ring();
        // A change on another process may have come before this one, unseen.
        lookLater();
      }),
    ring: channel.ring,
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
