import type { Clock } from '../../../platform/clock.js';
import type { Forget } from '../../../platform/forget.js';
import type { Ids } from '../../../platform/ids.js';
import type { Logger } from '../../../platform/logger.js';
import type { Postgres } from '../../../platform/postgres.js';
import type { Queues } from '../../../platform/queues.js';
import type { WakeUpPublisher } from '../../../platform/wake-ups.js';
import type { Alerts, AlertWatch } from '../alerts/index.js';
import { type Analytics, forgetMinutes, type RollupKeeper } from '../analytics/index.js';
import type { NotificationsConfig } from '../config.js';
import { restIdleDevices } from '../devices/idle.js';
import type { Freshness } from '../freshness.js';
import { createForgetIds } from '../intake/forget.js';
import type { LifecycleStream } from '../lifecycle/stream.js';
import { publishMoved } from '../lifecycle/topic.js';
import type { NotificationLimits } from '../limits/limits.js';
import type { NotificationMetrics } from '../metrics.js';
import type { Providers } from '../providers/index.js';
import { createRetention } from '../retention/index.js';
import { createRelease, type ReleaseDeps } from '../schedule/release.js';
import type { Tracking } from '../tracking/tracking.js';
import type { Channel } from '../types.js';
import { type DrainRun, drainMailbox } from './drain.js';
import { createMailboxes } from './mailbox.js';
import { OUTAGE_MS } from './outcome.js';
import { recordOvertaken } from './overtaken.js';
import { channelPauseMs } from './pauses.js';
import { requeueDelivery } from './retry.js';
import { createSweeper } from './sweep.js';
import type { Mailbox } from './tasks.js';
import type { Transition } from './transition.js';

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
}

/** What a worker does. */
export interface DeliveryWorker {
  drain(mailbox: Mailbox, run: DrainRun): Promise<void>;
  requeue(deliveryId: string, correlationId: string): Promise<void>;
  /** See `createRelease`. */
  release(): Promise<{ readonly taken: number; readonly isLast: boolean }>;
  sweep(correlationId: string): Promise<number>;
  /** Milliseconds for which every provider of a channel wants to be left alone. */
  pauseMs(channel: Channel): number;
  readonly alerts: AlertWatch;
  readonly analytics: RollupKeeper;
  /** Each takes up what is too old in a table: notification ids, idle devices, what `createRetention` lets go, and minutes of analytics. */
  readonly forgets: readonly Forget[];
}

export interface DeliveryWorkerDeps extends ReleaseDeps {
  readonly postgres: Postgres;
  readonly queues: Queues;
  readonly wakeUps: WakeUpPublisher;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly limits: NotificationLimits;
  readonly tracking: Tracking;
  readonly freshness: Freshness;
  readonly metrics: NotificationMetrics;
  readonly lifecycle: LifecycleStream;
  readonly alerts: Alerts;
  readonly analytics: Analytics;
  readonly config: Pick<NotificationsConfig, 'retention'>;
}

export function openDeliveryWorker(deps: DeliveryWorkerDeps, options: DeliveryOptions): DeliveryWorker {
  const { postgres, clock, logger, wakeUps } = deps;
  const { providers, random = Math.random, deadlineMs = 5_000, leaseMs = deadlineMs + 2_000 } = options;
  const { outageMs = options.random ? 0 : OUTAGE_MS } = options;
  const mailboxes = createMailboxes(postgres, deps.ids, leaseMs, (applied) => {
    deps.lifecycle.publish(applied.flatMap(({ steps }) => steps));
    const moved = new Set(applied.map(({ requestId }) => requestId));
    publishMoved(wakeUps, [...moved]).catch((error: unknown) =>
      logger.warn({ err: error }, 'subscribers of notifications could not be woken'),
    );
  });
  const drainDeps = {
    ...{ ...deps, mailboxes, providers, random, outageMs, deadlineMs, leaseMs },
    recordOvertaken: (transition: Transition, correlationId: string) =>
      recordOvertaken(deps, transition, correlationId),
  };
  const sweeper = createSweeper(deps);
  return {
    drain: (mailbox, run) => drainMailbox(drainDeps, mailbox, run),
    requeue: (deliveryId, correlationId) => requeueDelivery(deps, deliveryId, correlationId),
    release: createRelease(deps),
    sweep: (correlationId) => sweeper.sweep(correlationId),
    pauseMs: (channel) => channelPauseMs(providers, channel, clock.now()),
    alerts: deps.alerts.watch,
    analytics: deps.analytics.keeper,
    forgets: [
      createForgetIds({ postgres, clock }),
      restIdleDevices(deps),
      ...createRetention({ ...deps, ...deps.config }),
      forgetMinutes(deps),
    ],
  };
}
