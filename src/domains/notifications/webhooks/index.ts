import type { Registry } from 'prom-client';
import { bind } from '../../../platform/bind.js';
import type { Clock } from '../../../platform/clock.js';
import type { Ids } from '../../../platform/ids.js';
import type { Logger } from '../../../platform/logging/logger.js';
import type { Postgres, Queryable } from '../../../platform/postgres/postgres.js';
import type { Queues } from '../../../platform/queues/queues.js';
import type { Alerts } from '../alerts/index.js';
import type { WebhooksConfig } from '../config.js';
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from './commands.js';
import { pageWebhookDeliveries } from './deliveries.js';
import { createDisable } from './disable.js';
import { eventTypesOf } from './event-types.js';
import { findWebhook, pageWebhooks } from './find.js';
import { forgetOfWebhooks } from './forget.js';
import { queueFromLog } from './from-log.js';
import { createWebhookMetrics } from './metrics.js';
import { createPost, type PostOptions } from './post.js';
import { drainWebhook, type RelayDeps } from './relay.js';
import { createRelayStore } from './relay-store.js';
import { replayWebhook } from './replay.js';
import { createSecretKeeper } from './secrets.js';
import { enqueueDueWebhooks } from './task.js';

export type { WebhookDelivery } from './deliveries.js';
export { drainWebhookTask } from './task.js';
export { type Webhook, type WebhookDeliveryStatus, webhookDeliveryStatuses } from './webhook.js';

export interface WebhooksDeps {
  readonly postgres: Postgres;
  readonly replicas: Queryable;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly alerts: Pick<Alerts, 'report'>;
  readonly config: WebhooksConfig;
  /** Every type of event that the log has. */
  readonly logEventTypes: Iterable<string>;
}

export interface WebhookRelayOptions extends Partial<Omit<PostOptions, 'allowPrivate'>> {
  /** Uniform in [0, 1); decides how long retries wait. */
  readonly random?: () => number;
}

/** Webhooks of producers, and of admins: events of their notifications, and of the log, as HTTP requests. */
export type Webhooks = ReturnType<typeof createWebhooks>;

export function createWebhooks(deps: WebhooksDeps) {
  const { postgres, config } = deps;
  const { key, allowPrivate } = config;
  const secrets = key === undefined ? null : createSecretKeeper(key);
  const metrics = createWebhookMetrics(deps.metrics);
  const writing = { ...deps, types: eventTypesOf(deps.logEventTypes), secrets, allowPrivate };
  return {
    // The caller's own, and for admins anybody's.
    ...bind(writing, { create: createWebhook, update: updateWebhook, remove: deleteWebhook }),
    ...bind(writing, { rotateSecret: rotateWebhookSecret, replay: replayWebhook }),
    ...bind(postgres, { find: findWebhook, page: pageWebhooks }),
    /** Of a webhook that the caller may see. */
    ...bind(deps.replicas, { deliveries: pageWebhookDeliveries }),
    /** The worker's side: sends what is due, and forgets what is old. */
    openRelay: (options: WebhookRelayOptions = {}) => openRelay({ ...deps, metrics, secrets }, options),
    /** Queues events of the log in the transaction of a projector. */
    queueFromLog: (tx: Queryable, events: Parameters<typeof queueFromLog>[1]) => queueFromLog(tx, events),
  };
}

export type WebhookRelay = ReturnType<typeof openRelay>;

function openRelay(
  deps: Omit<WebhooksDeps, 'metrics'> & Pick<RelayDeps, 'metrics' | 'secrets'>,
  { random = Math.random, ...options }: WebhookRelayOptions,
) {
  const { config } = deps;
  const store = createRelayStore(deps.postgres);
  const { post, close } = createPost({ ...options, allowPrivate: config.allowPrivate });
  const sending = {
    ...deps,
    ...{ store, post, random },
    disable: createDisable(deps),
  };
  return {
    ...bind(sending, { drain: drainWebhook }),
    ...bind({ store, queues: deps.queues }, { enqueueDue: enqueueDueWebhooks }),
    forgets: forgetOfWebhooks({ ...deps, days: config.retentionDays }),
    close,
  };
}
