import type { Webhook, WebhookDelivery } from '../../src/domains/notifications/index.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import type { Result } from '../../src/platform/errors.js';
import {
  admin,
  aRequest,
  aTemplate,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
} from './notification-world.js';
import { startReceiver, type TestReceiver } from './receivers.js';
import { HeldClock, silent } from './with-sandbox.js';

export const never = new AbortController().signal;
export const running = { signal: never, logger: silent };

/** Notifications with webhooks, a clock that is moved by hand, and a receiver for each webhook. */
export interface WebhookWorld extends NotificationWorld {
  readonly clock: HeldClock;
  /** Retries are due at once. */
  readonly relay: ReturnType<NotificationWorld['notifications']['webhooks']['openRelay']>;
  /** A webhook of a caller's at a receiver of its own, which checks signatures. */
  aWebhook(own?: {
    caller?: Caller;
    eventTypes?: readonly string[];
    notificationTypes?: readonly string[];
  }): Promise<{ webhookId: string; receiver: TestReceiver; secret: string }>;
  /** Switches all webhooks off: an owner has only so many active ones. */
  switchOff(): Promise<void>;
  /** Has a notification accepted for so many users; answers its request's id. */
  notify(own?: { caller?: Caller; type?: string; users?: number }): Promise<string>;
  /** The numbers of a request's events that a receiver got, in the order of their arrival. */
  numbersOf(receiver: TestReceiver, requestId: string): number[];
  /** How many subjects wait for a webhook. */
  waiting(webhookId: string): Promise<number>;
  /** Sends what is due for it. */
  drain(webhookId: string): Promise<void>;
  /** Its deliveries, newest first. */
  deliveriesOf(webhookId: string, failedOnly?: boolean): Promise<readonly WebhookDelivery[]>;
  /** As an admin sees it. */
  find(webhookId: string): Promise<Webhook | null>;
}

const FIRST = { limit: 100, direction: 'forward', cursor: null } as const;

export async function openWebhookWorld(): Promise<WebhookWorld> {
  const clock = new HeldClock();
  const world = await openNotificationWorld(clock);
  const { notifications, postgres } = world;
  const templateId = await aTemplate(world, 'in_app', 'ORDER_SHIPPED', { title: 'Title', body: 'Body' });
  const relay = notifications.webhooks.openRelay({ random: () => 0 });
  const receivers: TestReceiver[] = [];
  return {
    ...world,
    clock,
    relay,
    async aWebhook({ caller = shop, eventTypes = ['CREATED', 'QUEUED'], notificationTypes = [] } = {}) {
      const receiver = await startReceiver();
      receivers.push(receiver);
      const input = { url: receiver.url, eventTypes, notificationTypes };
      const { webhook, secret } = accepted(await notifications.webhooks.create(caller, input));
      receiver.secret = secret;
      return { webhookId: webhook.webhookId, receiver, secret };
    },
    async switchOff() {
      await postgres.query('UPDATE webhooks SET is_active = false WHERE is_active');
    },
    async notify({ caller = shop, type = 'ORDER_SHIPPED', users = 1 } = {}) {
      const recipients = Array.from({ length: users }, () => ({
        userId: unique('user'),
        channels: ['in_app' as const],
      }));
      return accepted(await notifications.send(caller, aRequest({ templateId, type, recipients }))).requestId;
    },
    numbersOf: (receiver, requestId) =>
      receiver.got.filter(({ data }) => data.request_id === requestId).map(({ data }) => Number(data.number)),
    async waiting(webhookId) {
      const { rows } = await postgres.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM webhook_backlogs WHERE webhook_id = $1',
        [webhookId],
      );
      return rows[0]!.count;
    },
    drain: (webhookId) => relay.drain(webhookId, running),
    async deliveriesOf(webhookId, failedOnly = false) {
      const page = await notifications.webhooks.deliveries(webhookId, { failedOnly, page: FIRST });
      return page.edges.map(({ node }) => node);
    },
    find: (webhookId) => notifications.webhooks.find(admin, webhookId),
    async close() {
      relay.close();
      await Promise.all(receivers.map((receiver) => receiver.close()));
      await world.close();
    },
  };
}

export function accepted<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.errors));
  return result.value;
}

export const codesOf = (result: Result<unknown>): string[] =>
  result.ok ? [] : result.errors.map(({ code }) => code);
