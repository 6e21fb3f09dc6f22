import { randomUUID } from 'node:crypto';
import type { DeliveryReport } from '../../src/domains/notifications/delivery/report.js';
import { createInAppProvider } from '../../src/domains/notifications/inbox/in-app-provider.js';
import { createInbox, type Inbox, type InboxFilter } from '../../src/domains/notifications/inbox/index.js';
import type { Provider, ProviderMessage } from '../../src/domains/notifications/providers/provider.js';
import { systemClock } from '../../src/platform/clock.js';
import type { PageRequest } from '../../src/platform/paging.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { openBlockingRedis, openRedis } from '../../src/platform/redis/redis.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  openSubscriptions,
  type WakeUpHub,
} from '../../src/platform/wake-ups/wake-ups.js';
import { createTestDatabase } from '../support/database.js';
import { startTestRedis } from '../support/redis.js';
import { silent } from './with-sandbox.js';

/** Inboxes on a database and a Redis of their own; what is reported to deliveries is kept. */
export interface InboxWorld {
  readonly postgres: Postgres;
  readonly provider: Provider;
  readonly inbox: Inbox;
  readonly hub: WakeUpHub;
  /** What the inbox is made of. */
  readonly deps: Omit<Parameters<typeof createInbox>[0], 'report'>;
  readonly reports: DeliveryReport[];
  close(): Promise<void>;
}

export async function openInboxWorld(): Promise<InboxWorld> {
  const [database, server] = await Promise.all([createTestDatabase(), startTestRedis()]);
  const postgres = openPostgres(database.url, {
    max: 10,
    applicationName: 'test',
    onError: () => undefined,
  });
  const redis = openRedis(server.url.split(','), () => undefined);
  const hub = createWakeUpHub(
    openBlockingRedis(server.url.split(','), () => undefined),
    openSubscriptions(redis),
    silent,
  );
  await hub.ready;
  const reports: DeliveryReport[] = [];
  const deps = { postgres, wakeUps: createWakeUpPublisher(redis), clock: systemClock, logger: silent };
  return {
    postgres,
    provider: createInAppProvider(deps),
    inbox: createInbox({ ...deps, report: async (told) => void reports.push(...told) }),
    hub,
    deps,
    reports,
    async close() {
      hub.close();
      redis.disconnect();
      await postgres.close();
      await Promise.all([database.drop(), server.stop()]);
    },
  };
}

/** A notification for a user's inbox. */
export const aMessage = (
  userId: string,
  body = 'Hello',
  own: Partial<ProviderMessage> = {},
): ProviderMessage => ({
  deliveryId: randomUUID(),
  notificationId: 'n',
  userId,
  notificationType: 'NEW_MESSAGE',
  priority: 'medium',
  address: userId,
  content: { body },
  ...own,
});

/** Puts notifications into an inbox, one after the other, and answers their ids. */
export async function fill(world: InboxWorld, userId: string, ...bodies: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const body of bodies) {
    const message = aMessage(userId, body);
    const outcome = await world.provider.send(message, AbortSignal.timeout(5_000));
    if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
    ids.push(message.deliveryId);
  }
  return ids;
}

export const firstPage: PageRequest = { limit: 20, direction: 'forward', cursor: null };

/** The texts that a filter shows, newest first. */
export async function bodiesOf(
  world: InboxWorld,
  userId: string,
  filter: InboxFilter = 'ALL',
): Promise<string[]> {
  const page = await world.inbox.page(userId, { ...firstPage, limit: 100 }, filter);
  return page.edges.map(({ node }) => node.body);
}
