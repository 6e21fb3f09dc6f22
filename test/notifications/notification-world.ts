import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Registry } from 'prom-client';
import type { NotificationsConfig } from '../../src/domains/notifications/config.js';
import {
  createNotificationLimits,
  createNotifications,
  type DeliveryOptions,
  type Notifications,
  type NotificationsDeps,
} from '../../src/domains/notifications/index.js';
import type { SendRequest } from '../../src/domains/notifications/intake/request.js';
import type { Delivery } from '../../src/domains/notifications/lifecycle/delivery.js';
import type { TemplateDraft } from '../../src/domains/notifications/templates/check.js';
import type { Channel } from '../../src/domains/notifications/types.js';
import { notificationJobs } from '../../src/jobs/notifications.js';
import type { Role } from '../../src/platform/auth/auth.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import { type Clock, systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { openPrisma } from '../../src/platform/postgres/prisma.js';
import { scheduledOf, workJobs } from '../../src/platform/queues/jobs.js';
import { openQueues, type Queues } from '../../src/platform/queues/queues.js';
import { runSchedules } from '../../src/platform/queues/schedules.js';
import { openRedis, type Redis } from '../../src/platform/redis/redis.js';
import { createWakeUpPublisher } from '../../src/platform/wake-ups/wake-ups.js';
import { createTestDatabase } from '../support/database.js';
import { heldLease } from '../support/held-lease.js';
import { startTestRedis } from '../support/redis.js';
import { openTestQuotas } from './with-quotas.js';
import { silent } from './with-sandbox.js';

export interface TestWorker {
  /** Runs a scheduled task once. */
  run(task: string): Promise<void>;
  close(): Promise<void>;
}

/** The notification domain on a database and a Redis of its own. */
export interface NotificationWorld {
  readonly notifications: Notifications;
  readonly postgres: Postgres;
  readonly queues: Queues;
  readonly redis: Redis;
  readonly redisUrl: string;
  readonly metrics: Registry;
  /** The same domain as another process has it. */
  another(
    own?: Partial<Pick<NotificationsDeps, 'lease' | 'missedWrites' | 'wakeUps' | 'postgres' | 'config'>>,
  ): Notifications;
  /** Works every queue, as one worker process does. */
  work(options: DeliveryOptions): TestWorker;
  /** From now on workers also run what recurs, those that work already included. */
  runSchedules(): void;
  close(): Promise<void>;
}

export async function openNotificationWorld(
  clock: Clock = systemClock,
  config: Partial<NotificationsConfig> = {},
  trackUrl = 'https://track.example.com/t',
): Promise<NotificationWorld> {
  const [database, server] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const postgres = openPostgres(database.url, {
    max: 10,
    applicationName: 'test',
    onError: () => undefined,
  });
  const prisma = openPrisma(postgres);
  const redis = openRedis(server.url.split(','), () => undefined);
  const queues = openQueues({ urls: server.url.split(',') }, silent);
  const metrics = new Registry();
  const quotas = await openTestQuotas(server.url.split(','), metrics);
  const deps = {
    postgres,
    prisma,
    queues,
    redis,
    wakeUps: createWakeUpPublisher(redis),
    lease: heldLease(redis),
    missedWrites: { recordTopics: async () => undefined, onTopics: () => () => undefined },
    clock,
    ids: uuidV7Ids(clock),
    logger: silent,
    metrics,
    limits: createNotificationLimits({ quotas, metrics }),
    config: {
      quietHours: {},
      retention: { days: 90, inboxDays: 365 },
      webhooks: { allowPrivate: true, retentionDays: 30, key: 'a key of webhooks for tests alone' },
      ...config,
    },
    trackUrl,
    logEventTypes: ['OrderPlaced', 'OrderShipped', 'MoneyDeposited'],
  };
  const notifications = createNotifications(deps);
  const working = new Set<TestWorker & { schedule(): void }>();
  let isScheduling = false;
  return {
    notifications,
    postgres,
    queues,
    redis,
    redisUrl: server.url,
    metrics,
    another: (own) => createNotifications({ ...deps, ...own, metrics: new Registry() }),
    work(options) {
      const deliveryWorker = notifications.openDelivery(options);
      const jobs = notificationJobs({ worker: deliveryWorker });
      const work = workJobs({ urls: server.url.split(',') }, jobs, silent);
      const tasks = scheduledOf(jobs);
      let schedules: { close(): Promise<void> } | undefined;
      const worker = {
        schedule: () => {
          schedules ??= runSchedules(tasks, { postgres, logger: silent, metrics: new Registry() });
        },
        run: async (name: string) => {
          const signal = new AbortController().signal;
          const task = tasks.find((one) => one.name === name);
          if (!task) throw new Error(`there is no scheduled task ${name}`);
          await task.run({ correlationId: 'test', logger: silent, signal });
        },
        close: async () => {
          working.delete(worker);
          await Promise.all([work.close(), schedules?.close()]);
        },
      };
      working.add(worker);
      if (isScheduling) worker.schedule();
      return worker;
    },
    runSchedules() {
      isScheduling = true;
      for (const worker of working) worker.schedule();
    },
    async close() {
      await Promise.all([...working].map((worker) => worker.close()));
      await queues.close();
      await quotas.close();
      redis.disconnect();
      await prisma.disconnect();
      await postgres.close();
      await Promise.all([database.drop(), server.stop()]);
    },
  };
}

/** Somebody who calls, by name. */
export const caller = (userId: string, ...roles: Role[]): Caller => ({
  viewer: { userId, roles: new Set<Role>(['user', ...roles]), plan: 'free' },
  correlationId: `test-${userId}`,
});

export const shop = caller('shop', 'producer');
export const admin = caller('root', 'admin');

let made = 0;
/** A name that nothing else in the run has. */
export const unique = (name: string): string => `${name}-${++made}-${randomUUID().slice(0, 8)}`;

/** Saves an active template and answers its id. */
export async function aTemplate(
  world: NotificationWorld,
  channel: Channel,
  type: string,
  own: Partial<TemplateDraft> = {},
): Promise<string> {
  const saved = await world.notifications.saveTemplate(admin, {
    notificationType: type,
    channel,
    language: 'en',
    body: 'Hello {{name}}',
    activate: true,
    ...own,
  });
  if (!saved.ok) throw new Error(JSON.stringify(saved.errors));
  return saved.value.templateId;
}

/** A user with one ios phone, a mail address and a number. */
export async function aUser(world: NotificationWorld, name = 'user') {
  const userId = unique(name);
  const token = randomUUID().replaceAll('-', '');
  const registered = await world.notifications.registerDevice(userId, {
    deviceId: `${userId}-phone`,
    platform: 'ios',
    deviceToken: token,
  });
  const settled = await world.notifications.updateSettings(userId, {
    email: `${userId}@example.com`,
    phone: '+15551234567',
  });
  if (!registered.ok || !settled.ok) throw new Error('the user could not be set up');
  return { userId, token };
}

/** A request with an id of its own. */
export const aRequest = (
  own: Partial<SendRequest> & Pick<SendRequest, 'templateId' | 'recipients'>,
): SendRequest => ({
  notificationId: unique('notification'),
  type: 'ORDER_SHIPPED',
  ...own,
});

/** The deliveries of a request of `shop`, in order. */
export async function deliveriesOf(
  world: NotificationWorld,
  notificationId: string,
): Promise<readonly Delivery[]> {
  const request = await world.notifications.request(shop, notificationId, null);
  if (!request) return [];
  const page = await world.notifications.deliveriesOfRequest(request.requestId, {
    limit: 100,
    direction: 'forward',
    cursor: null,
  });
  return page.edges.map((edge) => edge.node);
}

/** The events of one delivery, in order. */
export async function timelineOf(world: NotificationWorld, deliveryId: string): Promise<string[]> {
  const timelines = await world.notifications.timelines([deliveryId]);
  return (timelines.get(deliveryId) ?? []).map((entry) => entry.event);
}

/** Waits until something holds, looking again every few milliseconds. */
export async function until<T>(
  look: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  timeoutMs = 15_000,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) throw new Error('what was waited for did not happen');
    await pause(20);
  }
}
