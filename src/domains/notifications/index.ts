import type { Registry } from 'prom-client';
import type { CacheLease } from '../../platform/cache-lease.js';
import type { Caller } from '../../platform/caller.js';
import type { Clock } from '../../platform/clock.js';
import type { NotificationsConfig } from '../../platform/config.js';
import type { Result } from '../../platform/errors.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logger.js';
import type { MissedWrites } from '../../platform/missed-writes.js';
import type { Connection, PageRequest } from '../../platform/paging.js';
import type { Postgres } from '../../platform/postgres.js';
import type { Prisma } from '../../platform/prisma.js';
import type { Queues } from '../../platform/queues.js';
import type { Redis } from '../../platform/redis.js';
import { createWakeUpPublisher, type WakeUpHub, type WakeUpPublisher } from '../../platform/wake-ups.js';
import { type Alerts, createAlerts } from './alerts/index.js';
import { type Analytics, createAnalytics } from './analytics/index.js';
import { createDeadLetters, type DeadLetters } from './dead-letters/index.js';
import { type DeliveryReport, type ReportOutcome, recordReport, recordReports } from './delivery/report.js';
import { type DeliveryOptions, type DeliveryRoom, openDeliveryRoom } from './delivery/room.js';
import type { Device } from './devices/device.js';
import { findDevices, unregisterDevice } from './devices/devices.js';
import { type DeviceRegistration, registerDevice } from './devices/register.js';
import { createFreshness, type FollowedHub } from './freshness.js';
import { createInAppProvider } from './inbox/in-app-provider.js';
import { createInbox, type Inbox } from './inbox/index.js';
import { createQuietHoursRules } from './intake/preferences.js';
import { createProfiles } from './intake/profiles.js';
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
import { pageOfRequests, type RequestFilter } from './lifecycle/request-pages.js';
import { createLifecycleStream } from './lifecycle/stream.js';
import type { NotificationLimits } from './limits/limits.js';
import { createNotificationMetrics } from './metrics.js';
import {
  type ChannelPreference,
  effectiveChannels,
  findPreferences,
  type StoredPreference,
  setPreferences,
} from './preferences/channel-preferences.js';
import { findSettings, type Settings, type SettingsChange, updateSettings } from './preferences/settings.js';
import { cancelNotification } from './schedule/cancel.js';
import { createSend, type Send } from './send.js';
import { createActiveTemplates } from './templates/active-templates.js';
import type { TemplateDraft } from './templates/check.js';
import { findActiveTemplate, findTemplate } from './templates/find.js';
import { createTemplates, type Templates } from './templates/index.js';
import { saveTemplate } from './templates/save.js';
import type { Template } from './templates/template.js';
import { createTrackingRoom, type TrackingRoom } from './tracking/room.js';
import type { Channel } from './types.js';

export { type Alert, alertSeverities, watchDeadLetters } from './alerts/index.js';
export {
  type AnalyticsPoint,
  type LatencyQuantiles,
  notificationQueues,
  type QueueStats,
  type Scope,
} from './analytics/index.js';
export type { DeadLetterSelection, FailedNotification, Settlement } from './dead-letters/index.js';
export {
  type ChannelQueue,
  channelQueues,
  type DeadLetter,
  deadLetter,
  releaseDue,
  retryDelivery,
  ringMailbox,
} from './delivery/tasks.js';
export {
  type InboxAction,
  type InboxFilter,
  type InboxItem,
  inboxActions,
  inboxFilters,
} from './inbox/index.js';
export { contentFor, maySee } from './lifecycle/delivery.js';
export { type RequestStatus, requestStatuses } from './lifecycle/find.js';
export { createNotificationLimits, type NotificationLimits } from './limits/limits.js';
export type { DigestFrequency } from './preferences/settings.js';
export type { Providers } from './providers/index.js';
export { type MailEvent, readSendGridCallback } from './providers/sendgrid-callback.js';
export { readTwilioCallback, type TwilioStatus } from './providers/twilio-callback.js';
export type { Preview, TemplateFilter, Trial, VersionKey } from './templates/index.js';
export { isName, isUuid } from './text.js';
export { isBotName } from './tracking/bots.js';
export type { Engagement } from './tracking/engage.js';
export * from './types.js';
export type {
  Acceptance,
  Delivery,
  DeliveryOptions,
  DeliveryReport,
  DeliveryRoom,
  Device,
  NotificationRequest,
  RequestFilter,
  SendRequest,
  Template,
  TemplateDraft,
  TimelineEntry,
};

/** Everything that notifications offer. What may be refused answers a Result; who may ask is said at each. */
export interface Notifications {
  /** Producers and admins. See `Send`. */
  send(...args: Parameters<Send>): ReturnType<Send>;
  /** Producers, of their own requests; see `cancelNotification`. */
  cancel(caller: Caller, notificationId: string): Promise<Result<number>>;
  /** Admins. */
  saveTemplate(caller: Caller, draft: TemplateDraft): Promise<Result<Template>>;
  findTemplate(templateId: string): Promise<Template | null>;
  /** See `findActiveTemplate`. */
  findActiveTemplate(type: string): Promise<string | null>;

  /** For the user himself and admins, as are the next seven. */
  registerDevice(userId: string, registration: DeviceRegistration): Promise<Result<Device>>;
  /** See `unregisterDevice`. */
  unregisterDevice(userId: string, deviceId: string): Promise<Result<Device>>;
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
  /** See `pageOfRequests`. */
  requests(
    caller: Caller,
    filter: RequestFilter,
    page: PageRequest,
  ): Promise<Connection<NotificationRequest>>;
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

  readonly templates: Templates;
  /** Hears what other processes changed of what this one keeps in memory; see `KeptFresh.follow`. */
  keepFresh(hub: FollowedHub, signal?: AbortSignal): Promise<void>;

  /** What a provider called back; see `recordReport`. */
  report(report: DeliveryReport, correlationId: string): Promise<boolean>;
  /** The same of many at once; see `recordReports`. */
  reportAll(reports: readonly DeliveryReport[], correlationId: string): Promise<readonly ReportOutcome[]>;
  readonly deadLetters: DeadLetters;
  readonly alerts: Alerts;
  readonly analytics: Analytics;
  /** What mails' readers and the app's users do. */
  readonly tracking: TrackingRoom;
  readonly inbox: Inbox;
  /** The worker's side. */
  openDelivery(options: DeliveryOptions): DeliveryRoom;
}

export interface NotificationsDeps {
  readonly postgres: Postgres;
  readonly prisma: Prisma;
  readonly queues: Queues;
  readonly redis: Redis;
  readonly wakeUps: WakeUpPublisher;
  readonly lease: CacheLease;
  readonly missedWrites: MissedWrites;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly limits: NotificationLimits;
  readonly config: NotificationsConfig;
  /** Where the links of mails lead. */
  readonly trackUrl: string;
  /** Hosts that take Web Push, besides the browsers' own services. */
  readonly webPushHosts?: readonly string[];
}

export function createNotifications(deps: NotificationsDeps): Notifications {
  const { postgres, prisma, metrics: registry } = deps;
  const metrics = createNotificationMetrics(registry, postgres);
  // What Redis does not take of these the cache lease notes.
  const freshness = createFreshness({ ...deps, wakeUps: createWakeUpPublisher(deps.redis) });
  const lifecycle = createLifecycleStream({ ...deps, metrics });
  const reporting = { ...deps, lifecycle, freshness, metrics };
  const profiles = createProfiles({ postgres, freshness });
  const activeTemplates = createActiveTemplates({ postgres, freshness });
  const quietHours = createQuietHoursRules(deps.config.quietHours);
  const deadLetters = createDeadLetters({ ...deps, profiles, quietHours, lifecycle, metrics });
  const alerts = createAlerts(deps);
  const analytics = createAnalytics(deps);
  const retryDead = deadLetters.resend;
  const intake = { ...deps, lifecycle, freshness, profiles, activeTemplates, quietHours, retryDead };
  const tracking = createTrackingRoom({ ...reporting, trackSecret: deps.config.trackSecret });
  const send = createSend(intake);
  return {
    send,
    cancel: (caller, notificationId) => cancelNotification(intake, caller, notificationId),
    saveTemplate: (caller, draft) => saveTemplate(intake, caller, draft),
    findTemplate: (templateId) => findTemplate(prisma, templateId),
    findActiveTemplate: (type) => findActiveTemplate(prisma, type),

    registerDevice: (userId, registration) =>
      registerDevice({ ...intake, webPushHosts: deps.webPushHosts ?? [] }, userId, registration),
    unregisterDevice: (userId, deviceId) => unregisterDevice(intake, userId, deviceId),
    devices: (userId) => findDevices(postgres, userId),
    setPreferences: (userId, preferences) => setPreferences(intake, userId, preferences),
    preferences: (userId) => findPreferences(prisma, userId),
    effectiveChannels: (userId, type) => effectiveChannels(intake, userId, type),
    updateSettings: (userId, change) => updateSettings(intake, userId, change),
    settings: (userId) => findSettings(postgres, userId),

    request: (caller, notificationId, producer) => findRequest(postgres, caller, notificationId, producer),
    requests: (caller, filter, page) => pageOfRequests(postgres, caller, filter, page),
    requestsById: (requestIds) => findRequests(postgres, requestIds),
    deliveriesById: (deliveryIds) => findDeliveries(postgres, deliveryIds),
    deliveriesOfUser: (userId, page) => pageOfUser(postgres, userId, page),
    deliveriesOfRequest: (requestId, page) => pageOfRequest(postgres, requestId, page),
    timelines: (deliveryIds) => findTimelines(postgres, deliveryIds),
    follow: (hub, ...args) => followStatus({ postgres, hub }, ...args),
    templates: createTemplates({ ...intake, send }),
    keepFresh: (hub, signal) => freshness.follow(hub, signal),

    report: (report, correlationId) => recordReport(reporting, report, correlationId),
    reportAll: (reports, correlationId) => recordReports(reporting, reports, correlationId),
    deadLetters,
    alerts,
    analytics,
    tracking,
    inbox: createInbox({ ...deps, report: (reports) => recordReports(reporting, reports, 'inbox') }),
    openDelivery(options) {
      const providers = { in_app: createInAppProvider(deps), ...options.providers };
      return openDeliveryRoom({ ...intake, tracking, metrics, alerts, analytics }, { ...options, providers });
    },
  };
}
