import { type Job, Worker } from 'bullmq';
import { withinMs } from '../deadline.js';
import type { Logger } from '../logging/logger.js';
import { isOddValue } from '../odd-values.js';
import { openFailingRedis, type Redis } from '../redis/redis.js';
import { noteDiscarded } from '../redis/redis-value.js';
import { type Following, followServer, type RedisAddress, type ServerWatch } from '../redis/server-watch.js';
import { forEverybody } from '../wake-ups/reader.js';
import { PASS_EVERY_MS, passOverQueue, repairActive, repairFixed } from './queue-repair-pass.js';
import { shareByAddress } from './shared-by-address.js';

/** What causes no error is found by looking. */
const LOOK_EVERY_MS = 2_000;
const LOOK_MS = 5_000;
/** A caller that met an error tries again then at the latest: what is at fixed keys was repaired before. */
const AWAITED_MS = 1_000;
/** One process looks at active jobs for all. */
const ACTIVE_EVERY_MS = 1_500;

/** Keeps a queue in repair. */
export type QueueRepair = ReturnType<typeof createQueueRepair>;

const isOdd = (error: unknown): boolean => isOddValue(error) || error instanceof SyntaxError;

/**
 * Repairs a queue pass by pass, at most one a second in all processes together, until a pass finds nothing and nothing was
 * noticed since it began. The truth of every queue is in Postgres, and sweepers enqueue again what is lost with what is removed.
 *
 * @param prefix the beginning of all keys of the queue, without a colon at its end
 */
export function createQueueRepair(redis: Redis, prefix: string, logger: Logger) {
  let startedAt = Number.NEGATIVE_INFINITY;
  let running: Promise<void> | undefined;
  let later: NodeJS.Timeout | undefined;
  let watching: NodeJS.Timeout | undefined;
  let isLooking = false;
  let isClosed = false;

  async function pass(): Promise<void> {
    startedAt = performance.now();
    try {
      // Another process may die before it is done.
      if ((await passOverQueue(redis, prefix)) !== 'in repair') beginLater();
    } catch (error) {
      if (isClosed) return;
      logger.warn(
        { err: error, prefix },
        'a queue could not be repaired; it is tried again at its next error or look',
      );
      // Something became odd while it was looked at.
      if (isOdd(error)) beginLater();
    }
  }

  function begin(): Promise<void> {
    running ??= forEverybody(pass).finally(() => {
      running = undefined;
    });
    return running;
  }

  function beginLater(): void {
    if (isClosed) return;
    later ??= setTimeout(() => {
      later = undefined;
      void (running ?? Promise.resolve()).then(begin);
    }, PASS_EVERY_MS).unref();
  }

  async function beginSoon(): Promise<void> {
    const isSoon = performance.now() - startedAt < PASS_EVERY_MS;
    if (isSoon && !running) beginLater();
    else await begin();
  }

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const found = async (): Promise<boolean> => {
        const isDue = await repairFixed(redis, prefix, false);
        const isMine = await redis.set(`${prefix}:repair-looked`, '1', 'PX', ACTIVE_EVERY_MS, 'NX');
        return (isMine && (await repairActive(redis, prefix))) || isDue;
      };
      if (await withinMs(LOOK_MS, found())) void beginSoon();
    } catch {
      // Redis is away, or slow: the queue's users report it.
    } finally {
      isLooking = false;
    }
  }

  async function afterError(): Promise<void> {
    await repairFixed(redis, prefix, true);
    await withinMs(AWAITED_MS, beginSoon());
  }

  return {
    /** Repairs the queue where an error says that something in it is odd; resolves when that was tried, or after a second. */
    async afterError(error: unknown): Promise<void> {
      if (isOdd(error) && !isClosed) await afterError().catch(() => undefined);
    },
    /** Looks every 2 s for what causes no error, such as a lock that never expires, and repairs the queue where it finds any. */
    watch(): void {
      watching ??= setInterval(() => void look(), LOOK_EVERY_MS).unref();
    },
    close(): void {
      isClosed = true;
      clearTimeout(later);
      clearInterval(watching);
    },
  };
}

/** One connection serves the repairs of all queues that a process works. */
const shareConnection = shareByAddress(
  ({ urls, server }) => {
    const redis = openFailingRedis(urls, () => undefined);
    return { redis, following: server && followServer(redis, server) };
  },
  ({ redis, following }) => {
    following?.stop();
    redis.disconnect();
  },
);

/** Like `createQueueRepair`, watching, with a connection that is closed with the last of them. */
export function watchQueue(address: RedisAddress, prefix: string, logger: Logger): QueueRepair {
  const { one, release } = shareConnection(address);
  const repair = createQueueRepair(one.redis, prefix, logger);
  repair.watch();
  return {
    ...repair,
    close() {
      repair.close();
      release();
    },
  };
}

/** The name of a job that cannot be read: nobody has code for it, so that it fails. */
const UNREADABLE = 'unreadable';

/**
 * A worker that does not stumble over jobs whose data is no JSON or is missing: they fail like those that nobody has code for,
 * and an `error` event says what was found.
 */
export class SturdyWorker extends Worker {
  private readonly followings: Following[] = [];

  /**
   * Connections of its own go where the cache lease goes, as `followServer` says. Those to a Cluster go where the queue's slot goes, and
   * what is shared by all workers follows by itself.
   */
  follow(server: ServerWatch | undefined): void {
    if (!server) return;
    const { client, blockingClient } = this.getBackend();
    for (const opening of [client, blockingClient])
      opening?.then(
        (redis) => {
          if (!this.closing && !redis.isCluster)
            this.followings.push(followServer(redis as unknown as Redis, server));
        },
        () => undefined,
      );
  }

  override close(force?: boolean): Promise<void> {
    for (const following of this.followings.splice(0)) following.stop();
    return super.close(force);
  }

  protected override createJob(...made: Parameters<Worker['createJob']>): Job {
    const [json, jobId] = made;
    try {
      if (json.data === undefined) throw new SyntaxError(`the job ${jobId} has no data`);
      return super.createJob(json, jobId);
    } catch (error) {
      noteDiscarded('job', { err: error, queue: this.name, jobId });
      this.emit('error', error as Error);
      // Not kept: a deduplication key that names it would make every later one a duplicate.
      return super.createJob({ ...json, name: UNREADABLE, data: '{}', opts: { removeOnFail: true } }, jobId);
    }
  }
}
