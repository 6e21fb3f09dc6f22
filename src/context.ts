import { collectDefaultMetrics, Registry } from 'prom-client';
import type { Config } from './config.js';
import { commerceEventTypes, createCommerce, upcasters } from './domains/commerce/index.js';
import { createFeed, feedEventTypes } from './domains/feed/index.js';
import { type Limits, openQuotas } from './domains/limits/index.js';
import { createNotificationLimits, createNotifications } from './domains/notifications/index.js';
import type { EdgeRequest } from './edge/index.js';
import { createOperations } from './operations.js';
import { keepCacheLease } from './platform/cache/cache-lease.js';
import { createMissedWrites } from './platform/cache/missed-writes.js';
import type { Clock } from './platform/clock.js';
import { watchClock } from './platform/clock-skew.js';
import { withinMs } from './platform/deadline.js';
import { openArchiveStore } from './platform/event-log/archive/store.js';
import { createEventLog } from './platform/event-log/index.js';
import { uuidV7Ids } from './platform/ids.js';
import { observeDroppedLines } from './platform/logging/log-output.js';
import { createLogSignal } from './platform/logging/log-signal.js';
import { createLogger } from './platform/logging/logger.js';
import { createOutbox } from './platform/outbox/index.js';
import { openPostgres, runOn } from './platform/postgres/postgres.js';
import { timeoutsOf } from './platform/postgres/postgres-timeouts.js';
import { openPrisma } from './platform/postgres/prisma.js';
import { openReplicas, withoutReplicas } from './platform/postgres/replicas/replicas.js';
import { assertMigrated } from './platform/postgres/schema-check.js';
import { checkServers } from './platform/postgres/servers-check.js';
import { surviveFaults } from './platform/process/process-faults.js';
import { StartError } from './platform/process/start-error.js';
import { waitForDependencies } from './platform/process/startup.js';
import { openQueues } from './platform/queues/queues.js';
import { openBlockingRedis, openRedis, openSubscribingRedis, type Redis } from './platform/redis/redis.js';
import { isSameRedis } from './platform/redis/redis-address.js';
import { observeDiscardedValues } from './platform/redis/redis-value.js';
import { followServer, type RedisAddress } from './platform/redis/server-watch.js';
import { countSpans, observeSpans } from './platform/tracing/metrics.js';
import { startTracing, tracer } from './platform/tracing/tracing.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  openSubscriptions,
  publishToAll,
  type WakeUpHub,
} from './platform/wake-ups/wake-ups.js';
import type { Loaders } from './resolvers/loaders.js';
import { feedMessagesThrough, sendThrough } from './send-messages.js';

/** Everything that one process is made of. Wired in `openApp` and nowhere else. */
export type App = ReturnType<typeof openApp>;

/** A notification may wait for its counters for longer than a request may for the gate's. */
const QUOTA_TIMEOUT_MS = 500;

/** Each look at what writes to Redis were missed: an older one has no value. */
const LOOK_TIMEOUT_MS = 2_000;

/** @param name which process this is: `api` or `worker` */
export function openApp(config: Config, name: 'api' | 'worker') {
  const logger = createLogger(name, config.logLevel);
  const metrics = new Registry();
  metrics.setDefaultLabels({ process: name });
  collectDefaultMetrics({ register: metrics });
  observeDiscardedValues(metrics, logger);
  observeDroppedLines(metrics);
  if (tracer()) observeSpans(metrics);

  const timeouts = timeoutsOf(name, config.databaseTimeouts);
  const byTransaction = config.databaseDirectUrl !== undefined;
  const pool = {
    max: config.databasePoolMax,
    applicationName: `tidings ${name}`,
    timeouts,
    byIndex: true,
    byTransaction,
  };
  const postgres = openPostgres(config.databaseUrl, {
    ...pool,
    onError: (error) => logger.error({ err: error }, 'an idle Postgres connection broke'),
  });
  const prisma = openPrisma(postgres);
  const onRedisError = (error: Error): void => logger.warn({ err: error }, 'Redis connection failed');
  const redis = openRedis(config.redisUrls, onRedisError);
  const hasFeedRedis = !isSameRedis(config.feedRedisUrls, config.redisUrls);
  const feedRedis = hasFeedRedis ? openRedis(config.feedRedisUrls, onRedisError) : redis;
  const watchedClock = watchClock({ postgres, redis, logger, metrics });
  const clock: Clock = watchedClock.clock;
  const ids = uuidV7Ids(clock);
  const following = openPostgres(config.databaseUrl, {
    ...pool,
    max: 1,
    applicationName: `tidings ${name} cache lease`,
    onError: (error) => logger.warn({ err: error }, 'the Postgres connection of the cache lease broke'),
  });
  const missedWrites = createMissedWrites({
    postgres,
    following: {
      query: (statement, values) => runOn(following.pool, statement, values, LOOK_TIMEOUT_MS),
    },
    metrics,
  });
  const cacheLease = keepCacheLease({
    redises: hasFeedRedis ? [redis, feedRedis] : [redis],
    missed: missedWrites,
    logger,
    metrics,
  });
  const replicating = { postgres, pool, redis, lease: cacheLease, missedWrites, logger, metrics };
  /** A worker reads for nobody who waits. */
  const hasReplicas = name === 'api' && config.databaseReplicas.urls.length > 0;
  const replicas = hasReplicas
    ? openReplicas(config.databaseReplicas, replicating)
    : withoutReplicas(postgres);
  /** What goes by the cache lease where it is on the same Redis. */
  const serverOf = (urls: readonly string[]) =>
    [config.redisUrls, config.feedRedisUrls].some((one) => isSameRedis(one, urls)) ? cacheLease : undefined;
  const queueRedis: RedisAddress = { urls: config.queueRedisUrls, server: serverOf(config.queueRedisUrls) };
  const queues = openQueues(queueRedis, logger, clock);
  const outbox = createOutbox({ postgres, queues, logger, metrics });
  const wakeUps = createWakeUpPublisher(redis, { missed: missedWrites, lease: cacheLease });
  const signal = createLogSignal(redis);
  /** Where archived events are; undefined: nowhere that this process knows of. */
  const eventArchive = config.eventArchive && openArchiveStore(config.eventArchive.target);
  const log = createEventLog({
    postgres,
    ids,
    upcasters,
    archive: eventArchive,
    onAppended: (position) => signal.appended(position),
  });

  const { redisUrls, timeoutMs } = config.limits;
  const countersServer = serverOf(redisUrls);
  const quotas = openQuotas({
    redisUrls,
    server: countersServer,
    timeoutMs: Math.max(timeoutMs, QUOTA_TIMEOUT_MS),
    logger,
    metrics,
  });

  const platform = {
    config,
    clock,
    ids,
    logger,
    metrics,
    postgres,
    replicas,
    hasReplicas,
    prisma,
    redis,
    queueRedis,
    log,
    eventArchive,
    queues,
    outbox,
    wakeUps,
    missedWrites,
    cacheLease,
    countersServer,
  };
  const shared = { ...platform, lease: cacheLease, quotas };
  const feed = createFeed({
    ...shared,
    redis: feedRedis,
    config: config.feed,
    media: config.media,
    cdnUrl: config.cdnUrl,
  });
  const notifications = createNotifications({
    ...shared,
    limits: createNotificationLimits({ quotas, metrics, config: config.notificationLimits }),
    config: config.notifications,
    trackUrl: config.trackUrl,
    webPushHosts: config.providers.webPush?.hosts ?? [],
    logEventTypes: [...commerceEventTypes, ...feedEventTypes],
  });
  const commerce = createCommerce(platform);
  const operations = createOperations({ ...platform, notifications });

  /** What the process depends on, by name, for `/readyz`. */
  const readiness = {
    postgres: async () => void (await postgres.query('SELECT 1')),
    redis: async () => void (await redis.ping()),
    ...(hasFeedRedis && { 'feed-redis': async () => void (await feedRedis.ping()) }),
    ...(!isSameRedis(config.queueRedisUrls, config.redisUrls) && { 'queue-redis': () => queues.ping() }),
  };
  /** Closes connections, last of all. */
  async function close(): Promise<void> {
    watchedClock.close();
    await queues.close();
    await withinMs(2_000, prisma.disconnect()).catch((error: unknown) =>
      logger.warn({ err: error }, 'Prisma did not disconnect in time'),
    );
    cacheLease.close();
    await Promise.all([postgres.close(), following.close(), replicas.close()]);
    await quotas.close();
    redis.disconnect();
    feedRedis.disconnect();
    await tracer()?.close();
  }
  return {
    ...platform,
    feed,
    notifications,
    commerce,
    operations,
    sendMessage: sendThrough(notifications),
    feedMessages: feedMessagesThrough(notifications),
    readiness,
    /**
     * Makes sure, before anything starts, that what the process stands on is there.
     *
     * @throws StartError naming what is not; connections are closed then
     */
    async assertUsable(): Promise<void> {
      try {
        for (const [name, check] of Object.entries(readiness)) await check().catch(unusable(name));
        await assertMigrated(postgres).catch(unusable('the schema (run `tidings migrate`)'));
        // Before anything is written: a host may have been started with a wrong clock.
        await watchedClock.check();
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

/**
 * Opens a process's parts once what they need is there, and makes sure that it can be used.
 *
 * @throws StartError
 */
export async function startApp(config: Config, name: 'api' | 'worker'): Promise<App> {
  const logger = createLogger(name, config.logLevel);
  // Before anything is composed: what is not traced is composed without it.
  if (config.tracing) await startTracing(config.tracing, name, { logger, count: countSpans });
  await waitForDependencies(config, logger);
  await checkServers(config, name);
  const app = openApp(config, name);
  surviveFaults(app.logger, app.metrics);
  await app.assertUsable();
  return app;
}

/** The process's reader of wake-ups. */
export function openHub(app: App): WakeUpHub {
  const reader = openBlockingRedis(app.config.redisUrls, logFailures(app, 'the wake-up connection'));
  const server = { lease: app.cacheLease, checkSource: app.readiness.postgres };
  const hub = createWakeUpHub(reader, openSubscriptions(app.redis), app.logger, app.missedWrites, server);
  void app.notifications.keepFresh(hub);
  void app.operations.contribute(hub);
  // A process before this one may have died between a commit and its wake-up.
  void publishToAll(app.wakeUps).catch(() => undefined);
  return hub;
}

/**
 * A connection of its own for what subscribes, on the server that the cache lease is held on.
 *
 * @param what fails, in the log, when it does
 */
export function openSubscriber(app: App, what: string): Redis {
  const redis = openSubscribingRedis(app.config.redisUrls, logFailures(app, what));
  followServer(redis, app.cacheLease);
  return redis;
}

const logFailures =
  ({ logger }: App, what: string) =>
  (error: Error): void =>
    logger.warn({ err: error }, `${what} failed`);

const unusable = (what: string) => (cause: Error) => {
  throw new StartError(`${what} cannot be used: ${cause.message}`, { cause });
};

/** What a resolver gets: who asks, and the parts that answer. Made anew for each operation. */
export interface RequestContext extends EdgeRequest {
  readonly app: App;
  readonly loaders: Loaders;
  /** Wakes subscriptions and readers that wait for their own writes. */
  readonly hub: WakeUpHub;
  readonly limits: Limits;
  /** The caller is past a soft limit: serve what is cheap. */
  readonly degraded: boolean;
}
