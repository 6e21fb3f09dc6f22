import { bind } from '../../../platform/bind.js';
import type { Ids } from '../../../platform/ids.js';
import type { Alerts } from '../alerts/index.js';
import { type Analytics, forgetMinutes } from '../analytics/index.js';
import { createExpander } from '../campaigns/expander.js';
import { forgetCampaigns } from '../campaigns/forget.js';
import type { NotificationsConfig } from '../config.js';
import { restIdleDevices } from '../devices/idle.js';
import { createSendDigests } from '../digests/send-due.js';
import type { Freshness } from '../freshness.js';
import { createForgetGroups } from '../grouping/forget.js';
import { createForgetIds } from '../intake/dedup.js';
import type { Profiles } from '../intake/profiles.js';
import { publishSteps } from '../lifecycle/topic.js';
import type { NotificationLimits } from '../limits/limits.js';
import type { NotificationMetrics } from '../metrics.js';
import type { Providers } from '../providers/index.js';
import { createRetention } from '../retention/index.js';
import { createForgetSchedules } from '../schedule/recurring/forget.js';
import { createSendRecurring } from '../schedule/recurring/run.js';
import { createRelease, type ReleaseDeps } from '../schedule/release.js';
import { createDeliveryIndexer } from '../search/index-deliveries.js';
import type { Send } from '../send.js';
import { forgetSuppressions } from '../suppressions/forget.js';
import type { Tracking } from '../tracking/tracking.js';
import { type Channel, kindsOf } from '../types.js';
import { drainMailbox } from './drain.js';
import { createOwnDrains } from './drains.js';
import { createMailboxes } from './mailbox.js';
import { OUTAGE_MS } from './outcome.js';
import type { ReportDeps } from './report.js';
import { createSweeper, requeueDelivery } from './sweep.js';

export interface DeliveryOptions {
  readonly providers: Providers;
  /** Uniform in [0, 1); decides how long retries wait. */
  readonly random?: () => number;
  /**
   * Milliseconds for which a provider that fails every call costs no message its last attempt: `OUTAGE_MS` unless set, and 0
   * where `random` is given. A caller who makes retries come at once decides about this wait, too.
   */
  readonly outageMs?: number;
  /** Milliseconds that a provider call may take; 5,000 unless set. */
  readonly deadlineMs?: number;
  /** Milliseconds that a claimed delivery stays with a worker that died; `deadlineMs` and 2,000 more unless set. */
  readonly leaseMs?: number;
  /** Milliseconds of sending that campaigns may be ahead of; 60,000 unless set. */
  readonly aheadMs?: number;
}

/** What a worker does. */
export type DeliveryWorker = ReturnType<typeof openDeliveryWorker>;

export interface DeliveryWorkerDeps extends ReleaseDeps, ReportDeps {
  readonly ids: Ids;
  readonly profiles: Profiles;
  readonly send: Send;
  readonly limits: NotificationLimits;
  readonly tracking: Tracking;
  readonly freshness: Freshness;
  readonly metrics: NotificationMetrics;
  readonly alerts: Alerts;
  readonly analytics: Analytics;
  readonly config: Pick<NotificationsConfig, 'retention'>;
}

export function openDeliveryWorker(deps: DeliveryWorkerDeps, options: DeliveryOptions) {
  const { postgres, clock, logger } = deps;
  const { providers, random = Math.random, deadlineMs = 5_000, leaseMs = deadlineMs + 2_000 } = options;
  const { outageMs = options.random ? 0 : OUTAGE_MS, aheadMs = 60_000 } = options;
  const mailboxes = createMailboxes(postgres, deps.ids, leaseMs, (applied) => {
    publishSteps(deps, applied).catch((error: unknown) =>
      logger.warn({ err: error }, 'subscribers of notifications could not be woken'),
    );
  });
  return {
    ...bind(
      { ...deps, mailboxes, drains: createOwnDrains(), providers, random, outageMs, deadlineMs, leaseMs },
      { drain: drainMailbox },
    ),
    ...bind(deps, { requeue: requeueDelivery }),
    release: createRelease(deps),
    sendDigests: createSendDigests(deps),
    sendRecurring: createSendRecurring(deps),
    sweep: createSweeper(deps),
    indexDeliveries: createDeliveryIndexer(deps),
    expandCampaigns: createExpander({ ...deps, aheadMs }),
    pauseMs: (channel: Channel) => channelPauseMs(providers, channel, clock.now()),
    alerts: deps.alerts.watch,
    analytics: deps.analytics.keeper,
    /**
     * Each takes up what is too old in a table: notification ids, groups, idle devices, what `createRetention` lets go, minutes of
     * analytics, campaigns, schedules, and what the suppression list was kept by.
     */
    forgets: [
      createForgetIds({ postgres, clock }),
      ...createForgetGroups({ postgres, clock }),
      restIdleDevices(deps),
      ...createRetention({ ...deps, ...deps.config }),
      forgetMinutes(deps),
      ...forgetCampaigns({ postgres, clock, days: deps.config.retention.days }),
      createForgetSchedules({ postgres, clock, days: deps.config.retention.days }),
      ...forgetSuppressions(deps),
    ],
  };
}

/**
 * Milliseconds for which a channel has no provider to send by: until the first of its providers may be called again. What
 * waits stays in its mailbox, in order. 0 where one may be called now.
 */
function channelPauseMs(providers: Providers, channel: Channel, now: number): number {
  const ends = kindsOf(channel).flatMap((kind) => {
    const provider = providers[kind];
    return provider ? [provider.pausedUntil?.() ?? null] : [];
  });
  if (ends.length === 0 || ends.includes(null)) return 0;
  return Math.max(0, Math.min(...ends.map(Number)) - now);
}
