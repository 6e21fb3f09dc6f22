import type { App } from '../context.js';
import type { Projector } from '../platform/projector/projector.js';
import { createCommerceProcesses, createCommerceReadModels } from './commerce/index.js';
import { createFeedProjectors } from './feed.js';
import { webhookEvents } from './notification-webhooks.js';
import { natsTarget } from './outgoing-nats.js';
import { redisTarget } from './outgoing-redis.js';
import { outgoingStream } from './outgoing-stream.js';

/** Everything that follows the log. A projector that is not in here is not run. */
export function openProjectors(app: App): {
  readonly projectors: readonly Projector[];
  /** Closes the connection of the outgoing stream, where it has one of its own. */
  close(): Promise<void>;
} {
  const { eventStreamLength: length, eventStreamNats } = app.config;
  const nats = eventStreamNats && natsTarget(eventStreamNats, length);
  const target = nats ?? redisTarget(app.redis, length);
  return {
    projectors: [
      ...createFeedProjectors(app),
      ...createCommerceReadModels(app),
      ...createCommerceProcesses(app),
      webhookEvents(app),
      ...(length > 0 ? [outgoingStream({ log: app.log, target, length })] : []),
    ],
    close: async () => nats?.close(),
  };
}
