import { expect } from 'vitest';
import type { DeliveryOptions } from '../../src/domains/notifications/index.js';
import { systemClock } from '../../src/platform/clock.js';
import {
  aRequest,
  aTemplate,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  until,
} from './notification-world.js';
import { type SandboxTrial, tryWithSandbox } from './with-sandbox.js';

/** The steps of intake. */
export const ACCEPTED = ['CREATED', 'VALIDATED', 'PREFERENCE_CHECKED', 'RENDERED', 'QUEUED'];

/** A notification world with a sandbox, and one push template of ORDER_SHIPPED. */
export async function openDeliveryTrial() {
  const [world, trial] = await Promise.all([openNotificationWorld(), tryWithSandbox()]);
  const templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED', { title: 'On its way' });
  return {
    ...pushesIn(world, trial, templateId),
    world,
    trial,
    templateId,
    close: () => closeAll(world, trial),
  };
}

export type DeliveryTrial = Awaited<ReturnType<typeof openDeliveryTrial>>;

async function closeAll(world: NotificationWorld, trial: SandboxTrial): Promise<void> {
  await world.close();
  await trial.close();
}

function pushesIn(world: NotificationWorld, trial: SandboxTrial, templateId: string) {
  let worker: { close(): Promise<void> } | undefined;
  const firstOf = async (notificationId: string) => (await deliveriesOf(world, notificationId))[0]!;

  return {
    /** A worker whose retries come at once, unless the test says otherwise. */
    startWorker(own: Partial<DeliveryOptions> = {}): void {
      worker = world.work({
        providers: trial.providers(undefined, undefined, systemClock),
        random: () => 0,
        ...own,
      });
    },
    async stopWorker(): Promise<void> {
      await worker?.close();
      worker = undefined;
    },

    /** Sends one push and answers its notification id. */
    async push(userId: string, own: { name?: string; priority?: 'high' | 'low'; expiresAt?: Date } = {}) {
      const { name, ...rest } = own;
      const recipients = [{ userId, channels: ['push' as const], ...(name && { variables: { name } }) }];
      const request = aRequest({ templateId, recipients, ...rest });
      const result = await world.notifications.send(shop, request);
      expect(result).toMatchObject({ ok: true });
      return request.notificationId;
    },

    firstOf,
    inStatus: (notificationId: string, status: string, timeoutMs?: number) =>
      until(async () => {
        const delivery = await firstOf(notificationId);
        return delivery.status === status && delivery;
      }, timeoutMs),
    textsTo: async (token: string) =>
      (await trial.received(`?channel=push&to=${token}`)).map(
        ({ body }) => /Hello ([\w-]*)/.exec(JSON.stringify(body))?.[1],
      ),
  };
}
