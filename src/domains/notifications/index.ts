import type { Registry } from 'prom-client';
import { bind } from '../../platform/bind.js';
import type { CacheLease } from '../../platform/cache/cache-lease.js';
import type { MissedWrites } from '../../platform/cache/missed-writes.js';
import type { Clock } from '../../platform/clock.js';
import type { Ids } from '../../platform/ids.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { Postgres, Queryable } from '../../platform/postgres/postgres.js';
import type { Prisma } from '../../platform/postgres/prisma.js';
import type { Queues } from '../../platform/queues/queues.js';
import type { Redis } from '../../platform/redis/redis.js';
import { createWakeUpPublisher, type WakeUpPublisher } from '../../platform/wake-ups/wake-ups.js';
import { createAlerts } from './alerts/index.js';
import { createAnalytics } from './analytics/index.js';
import { createBacklog } from './backlog/backlog.js';
import { createCampaigns } from './campaigns/index.js';
import type { NotificationsConfig } from './config.js';
import { createDeadLetters } from './dead-letters/index.js';
import { recordReports } from './delivery/report.js';
import { type DeliveryOptions, openDeliveryWorker } from './delivery/worker.js';
import { findDevices, unregisterDevice } from './devices/devices.js';
import { registerDevice } from './devices/register.js';
import { createDigestRule } from './digests/gather.js';
import { createFreshness, type FollowedHub } from './freshness.js';
import { affirmMember, withdrawMember } from './grouping/members.js';
import { createGroupingRules } from './grouping/rules.js';
import { createInAppProvider } from './inbox/in-app-provider.js';
import { createInbox } from './inbox/index.js';
import { createQuietHoursRules } from './intake/preferences.js';
import { createProfiles } from './intake/profiles.js';
import {
  findDeliveries,
  findRequest,
  findRequests,
  findTargets,
  findTimelines,
  pageOfRequest,
  pageOfUser,
} from './lifecycle/find.js';
import { followStatus } from './lifecycle/follow.js';
import { pageOfRequests } from './lifecycle/request-pages.js';
import { createLifecycleStream } from './lifecycle/stream.js';
import type { NotificationLimits } from './limits/limits.js';
import { createNotificationMetrics } from './metrics.js';
import { createPreferenceCentre } from './preference-centre/index.js';
import { effectiveChannels, findPreferences, setPreferences } from './preferences/channel-preferences.js';
import { findSettings, updateSettings } from './preferences/settings.js';
import { cancelNotification } from './schedule/cancel.js';
import {
  controlSchedule,
  createSchedule,
  findSchedule,
  findSchedules,
  pageOfSchedules,
} from './schedule/recurring/schedules.js';
import { searchDeliveries } from './search/search.js';
import { createSegments } from './segments/index.js';
import { createSend } from './send.js';
import { createSuppressions } from './suppressions/index.js';
import { createActiveTemplates } from './templates/active-templates.js';
import { findActiveTemplate, findTemplate } from './templates/find.js';
import { createTemplates } from './templates/index.js';
import { saveTemplate } from './templates/save.js';
import { createEngagementTracking } from './tracking/engagement.js';
import { createWebhooks } from './webhooks/index.js';

export { type Alert, alertSeverities, watchDeadLetters } from './alerts/index.js';
export type { LatencyQuantiles, QueueStats, Scope } from './analytics/index.js';
export { type BacklogEntry, type BacklogState, backlogStates } from './backlog/backlog.js';
export {
  type BatchDryRun,
  type BatchRequest,
  type BatchSample,
  type Campaign,
  type CampaignAction,
  type CampaignStatus,
  campaignActions,
  campaignStatuses,
} from './campaigns/index.js';
export type { DeadLetterSelection, FailedNotification, Settlement } from './dead-letters/index.js';
export {
  channelQueues,
  type DeadLetter,
  deadLetter,
  releaseDue,
  retryDelivery,
  usersOfWakeUp,
  wakeMailbox,
} from './delivery/tasks.js';
export type { DeliveryOptions, DeliveryWorker } from './delivery/worker.js';
export type { Device } from './devices/devices.js';
export { DIGEST as DIGEST_TYPE } from './digests/gather.js';
export {
  type InboxAction,
  type InboxFilter,
  type InboxItem,
  inboxActions,
  inboxFilters,
} from './inbox/index.js';
export type { Acceptance, SendRequest } from './intake/request.js';
export { MAX_RECIPIENTS } from './intake/validate.js';
export {
  contentFor,
  type Delivery,
  type DeliveryTarget,
  maySee,
  type TimelineEntry,
} from './lifecycle/delivery.js';
export {
  type NotificationRequest,
  type RequestName,
  type RequestStatus,
  requestStatuses,
} from './lifecycle/find.js';
export type { RequestFilter } from './lifecycle/request-pages.js';
export { createNotificationLimits } from './limits/limits.js';
export type { PreferenceChange, PreferencePage, TypeChoices } from './preference-centre/index.js';
export { type DigestFrequency, digestFrequencies } from './preferences/settings.js';
export { callbackPath } from './providers/declare.js';
export { providers } from './providers/list.js';
export type {
  NotificationSchedule,
  ScheduleAction,
  ScheduleStatus,
} from './schedule/recurring/schedules.js';
export type { DeliveryFilter } from './search/search.js';
export {
  type AttributeType,
  BUILT_INS,
  type SegmentEstimate,
  type UserAttributes,
} from './segments/index.js';
export {
  type AddressSuppression,
  type SuppressionCause,
  suppressionCauses,
} from './suppressions/index.js';
export type { TemplateDraft } from './templates/check.js';
export type { Preview, TemplateFilter } from './templates/index.js';
export type { TemplateSyntax } from './templates/render.js';
export type { Template } from './templates/template.js';
export { isName, isUuid } from './text.js';
export type { Engagement } from './tracking/engage.js';
export * from './types.js';
export {
  drainWebhookTask,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryStatus,
  type WebhookRelay,
} from './webhooks/index.js';

export interface NotificationsDeps {
  readonly postgres: Postgres;
  /** Where lists and history are read; the primary where absent. */
  readonly replicas?: Queryable;
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
  /** Every type of event of the log, which admins' webhooks may name. */
  readonly logEventTypes?: Iterable<string>;
}

/** Everything that notifications offer. */
export type Notifications = ReturnType<typeof createNotifications>;

/** What may be refused answers a Result. Who may ask is said at each group, unless the function checks it. */
export function createNotifications(given: NotificationsDeps) {
  const { postgres, prisma, replicas = postgres, metrics: registry } = given;
  const deps = { ...given, replicas };
  const metrics = createNotificationMetrics(registry, postgres);
  // What Redis does not take of these the cache lease notes.
  const freshness = createFreshness({ ...deps, wakeUps: createWakeUpPublisher(deps.redis) });
  const lifecycle = createLifecycleStream({ ...deps, metrics });
  const reporting = { ...deps, lifecycle, freshness, metrics };
  const profiles = createProfiles({ postgres, freshness });
  const activeTemplates = createActiveTemplates({ postgres, freshness });
  const quietHours = createQuietHoursRules(deps.config.quietHours);
  const digestRule = createDigestRule(deps.config.digestDailyAt);
  const segments = createSegments(deps);
  const grouping = createGroupingRules(deps.config.grouping);
  const deadLetters = createDeadLetters({ ...deps, profiles, quietHours, lifecycle, metrics });
  const alerts = createAlerts(deps);
  const analytics = createAnalytics(deps);
  const webhooks = createWebhooks({
    ...{ ...deps, alerts, config: deps.config.webhooks },
    logEventTypes: deps.logEventTypes ?? [],
  });
  const retryDead = deadLetters.resend;
  const webPushHosts = deps.webPushHosts ?? [];
  const intake = {
    ...{ ...deps, webPushHosts, lifecycle, freshness },
    ...{ profiles, activeTemplates, quietHours, digestRule, grouping, retryDead },
  };
  const tracking = createEngagementTracking({ ...reporting, trackSecret: deps.config.trackSecret });
  const send = createSend(intake);
  return {
    // Producers, of their own requests, and admins.
    send,
    ...bind(intake, { cancel: cancelNotification, affirmMember, withdrawMember }),
    campaigns: createCampaigns({ ...intake, segments }),
    schedules: {
      ...bind(intake, { create: createSchedule, control: controlSchedule }),
      ...bind(postgres, { find: findSchedule, byId: findSchedules }),
      ...bind(replicas, { page: pageOfSchedules }),
    },
    // Admins.
    ...bind(intake, { saveTemplate }),
    ...bind(replicas, { searchDeliveries }),
    backlog: createBacklog(postgres),
    ...bind(prisma, { findTemplate, findActiveTemplate }),
    templates: createTemplates({ ...intake, send }),
    // The user themself and admins.
    ...bind(intake, { registerDevice, unregisterDevice, setPreferences, effectiveChannels, updateSettings }),
    ...bind(postgres, { devices: findDevices, settings: findSettings }),
    ...bind(prisma, { preferences: findPreferences }),

    ...bind(postgres, {
      request: findRequest,
      requestsById: findRequests,
      deliveriesById: findDeliveries,
      deliveriesOfRequest: pageOfRequest,
      timelines: findTimelines,
      targets: findTargets,
      follow: followStatus,
    }),
    ...bind(replicas, { requests: pageOfRequests, deliveriesOfUser: pageOfUser }),
    /** Drops what this process keeps in memory of what other processes change; see `KeptFresh.follow`. */
    keepFresh: (hub: FollowedHub, signal?: AbortSignal) => freshness.follow(hub, signal),

    /** What providers called back. */
    ...bind(reporting, { reportAll: recordReports }),
    deadLetters,
    /** Admins. */
    suppressions: createSuppressions(intake),
    alerts,
    analytics,
    /** Producers and admins: attributes of users, and whom a filter means. */
    segments,
    webhooks,
    /** What mails' readers and the app's users do. */
    tracking,
    /** Anybody who holds a signed link out of a mail. */
    preferenceCentre: createPreferenceCentre({ ...intake, links: tracking.links }),
    inbox: createInbox({ ...deps, report: (reports) => recordReports(reporting, reports, 'inbox') }),
    /** The worker's side. */
    openDelivery(options: DeliveryOptions) {
      const providers = { in_app: createInAppProvider(deps), ...options.providers };
      return openDeliveryWorker(
        { ...intake, send, tracking, metrics, alerts, analytics },
        { ...options, providers },
      );
    },
  };
}
