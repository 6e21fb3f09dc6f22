import type { Registry } from 'prom-client';
import type { Caller } from '../../platform/caller.js';
import type { Clock } from '../../platform/clock.js';
import type { Result } from '../../platform/errors.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logger.js';
import type { Connection, PageRequest } from '../../platform/paging.js';
import type { Postgres } from '../../platform/postgres.js';
import type { PrismaClient } from '../../platform/prisma.js';
import type { Queues } from '../../platform/queues.js';
import type { WakeUpHub, WakeUpPublisher } from '../../platform/wake-ups.js';
import { type DrainDeps, type DrainRun, drainMailbox } from './delivery/drain.js';
import { createMailboxes } from './delivery/mailbox.js';
import { type ProviderReport, recordReport } from './delivery/report.js';
import { requeueDelivery } from './delivery/retry.js';
import { createSweeper } from './delivery/sweep.js';
import type { Mailbox } from './delivery/tasks.js';
import { type Device, type DeviceRegistration, findDevices, registerDevice } from './devices/devices.js';
import { forgetIds } from './intake/forget.js';
import type { Acceptance, SendRequest } from './intake/request.js';
import type { Delivery, TimelineEntry } from './lifecycle/delivery.js';
import {
  findDeliveries,
  findRequest,
  findRequests,
  findTimelines,
  type NotificationRequest,
  pageOfRequest,
  pageOfUser,
} from './lifecycle/find.js';
import { followStatus, type StatusUpdate } from './lifecycle/follow.js';
import { createNotificationMetrics } from './metrics.js';
import {
  type ChannelPreference,
  effectiveChannels,
  findPreferences,
  type StoredPreference,
  setPreferences,
} from './preferences/channel-preferences.js';
import { findSettings, type Settings, type SettingsChange, updateSettings } from './preferences/settings.js';
import type { Providers } from './providers/index.js';
import { sendNotification } from './send.js';
import type { TemplateDraft } from './templates/check.js';
import { findActiveTemplate, findTemplate } from './templates/find.js';
import { saveTemplate } from './templates/save.js';
import type { Template } from './templates/template.js';
import type { Channel } from './types.js';

export {
  channelQueues,
  type DeadLetter,
  deadLetter,
  forgetExpired,
  retryDelivery,
  ringMailbox,
  sweepMailboxes,
} from './delivery/tasks.js';
export { assertMaySee } from './lifecycle/delivery.js';
export { requestStatuses } from './lifecycle/find.js';
export type { Providers } from './providers/index.js';
export { type MailEvent, readSendGridCallback } from './providers/sendgrid-callback.js';
export { readTwilioCallback, type TwilioStatus } from './providers/twilio-callback.js';
export { isName, isUuid } from './text.js';
export * from './types.js';
export type {
  Acceptance,
  Delivery,
  Device,
  NotificationRequest,
  ProviderReport,
  SendRequest,
  Template,
  TemplateDraft,
  TimelineEntry,
};

/** Everything that notifications offer. What may be refused answers a Result; who may ask is said at each. */
export interface Notifications {
  /** Producers and admins. See `sendNotification`. */
  send(caller: Caller, request: SendRequest): Promise<Result<Acceptance>>;
  /** Admins. */
  saveTemplate(caller: Caller, draft: TemplateDraft): Promise<Result<Template>>;
  findTemplate(templateId: string): Promise<Template | null>;
  /** See `findActiveTemplate`. */
  findActiveTemplate(type: string): Promise<string | null>;

  /** For the user himself and admins, as are the next six. */
  registerDevice(userId: string, registration: DeviceRegistration): Promise<Result<Device>>;
  devices(userId: string): Promise<readonly Device[]>;
  setPreferences(userId: string, preferences: readonly ChannelPreference[]): Promise<Result<null>>;
  preferences(userId: string): Promise<readonly StoredPreference[]>;
  effectiveChannels(userId: string, type: string): Promise<readonly Channel[]>;
  updateSettings(userId: string, change: SettingsChange): Promise<Result<Settings>>;
  settings(userId: string): Promise<Settings>;

  /** See `findRequest`, which checks the caller. */
  request(
    caller: Caller,
    notificationId: string,
    producer: string | null,
  ): Promise<NotificationRequest | null>;
  requestsById(requestIds: readonly string[]): Promise<readonly NotificationRequest[]>;
  deliveriesById(deliveryIds: readonly string[]): Promise<readonly Delivery[]>;
  deliveriesOfUser(userId: string, page: PageRequest): Promise<Connection<Delivery>>;
  deliveriesOfRequest(requestId: string, page: PageRequest): Promise<Connection<Delivery>>;
  timelines(deliveryIds: readonly string[]): Promise<ReadonlyMap<string, readonly TimelineEntry[]>>;
  /** See `followStatus`, which checks the caller. */
  follow(
    hub: Pick<WakeUpHub, 'listen'>,
    caller: Caller,
    notificationId: string,
    after: string | null,
    signal: AbortSignal,
  ): AsyncGenerator<StatusUpdate>;

  /** What a provider called back; see `recordReport`. */
  report(report: ProviderReport, correlationId: string): Promise<boolean>;
  /** The worker's side. */
  openDelivery(options: DeliveryOptions): DeliveryRoom;
}

export interface DeliveryOptions {
  readonly providers: Providers;
  /** Uniform in [0, 1); decides how long retries wait. */
  readonly random?: () => number;
  /** Milliseconds that a provider call may take; 5,000 unless set. */
  readonly deadlineMs?: number;
  /** Milliseconds that a claimed delivery stays with a worker that died; `deadlineMs` and 2,000 more unless set. */
  readonly leaseMs?: number;
}

/** What a worker does. */
export interface DeliveryRoom {
  drain(mailbox: Mailbox, run: DrainRun): Promise<void>;
  requeue(deliveryId: string, correlationId: string): Promise<void>;
  sweep(correlationId: string): Promise<number>;
  /** Deletes notification ids whose deduplication window is over, `limit` at most. Answers how many. */
  forget(limit: number): Promise<number>;
}

export interface NotificationsDeps {
  readonly postgres: Postgres;
  readonly prisma: PrismaClient;
  readonly queues: Queues;
  readonly wakeUps: WakeUpPublisher;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Registry;
}

export function createNotifications(deps: NotificationsDeps): Notifications {
  const { postgres, prisma, metrics: registry } = deps;
  const metrics = createNotificationMetrics(registry, postgres);
  return {
    send: (caller, request) => sendNotification(deps, caller, request),
    saveTemplate: (caller, draft) => saveTemplate(deps, caller, draft),
    findTemplate: (templateId) => findTemplate(prisma, templateId),
    findActiveTemplate: (type) => findActiveTemplate(prisma, type),

    registerDevice: (userId, registration) => registerDevice(deps, userId, registration),
    devices: (userId) => findDevices(postgres, userId),
    setPreferences: (userId, preferences) => setPreferences(deps, userId, preferences),
    preferences: (userId) => findPreferences(prisma, userId),
    effectiveChannels: (userId, type) => effectiveChannels(deps, userId, type),
    updateSettings: (userId, change) => updateSettings(deps, userId, change),
    settings: (userId) => findSettings(postgres, userId),

    request: (caller, notificationId, producer) => findRequest(postgres, caller, notificationId, producer),
    requestsById: (requestIds) => findRequests(postgres, requestIds),
    deliveriesById: (deliveryIds) => findDeliveries(postgres, deliveryIds),
    deliveriesOfUser: (userId, page) => pageOfUser(postgres, userId, page),
    deliveriesOfRequest: (requestId, page) => pageOfRequest(postgres, requestId, page),
    timelines: (deliveryIds) => findTimelines(postgres, deliveryIds),
    follow: (hub, ...args) => followStatus({ postgres, hub }, ...args),

    report: (report, correlationId) => recordReport({ ...deps, metrics }, report, correlationId),
    openDelivery({ providers, random = Math.random, deadlineMs = 5_000, leaseMs = deadlineMs + 2_000 }) {
      const mailboxes = createMailboxes(postgres, deps.ids, leaseMs);
      const drainDeps: DrainDeps = { ...deps, mailboxes, providers, metrics, random, deadlineMs };
      const sweeper = createSweeper(deps);
      return {
        drain: (mailbox, run) => drainMailbox(drainDeps, mailbox, run),
        requeue: (deliveryId, correlationId) => requeueDelivery(deps, deliveryId, correlationId),
        sweep: (correlationId) => sweeper.sweep(correlationId),
        forget: (limit) => forgetIds(postgres, deps.clock.now(), limit),
      };
    },
  };
}
