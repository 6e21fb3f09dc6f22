import {
  aRequest,
  aTemplate,
  deliveriesOf,
  openNotificationWorld,
  shop,
  until,
} from './notification-world.js';
import { HeldClock, tryWithSandbox } from './with-sandbox.js';

export const HOUR = 3_600_000;

/** Notifications with a sandbox and a clock that a test moves; one type waits for the end of quiet hours, and one passes them. */
export async function openScheduleWorld() {
  const clock = new HeldClock();
  const config = { quietHours: { NEW_MESSAGE: 'defer', COMMENT_REPLY: 'bypass' } } as const;
  const [world, trial] = await Promise.all([openNotificationWorld(clock, config), tryWithSandbox()]);
  const templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED', { title: 'On its way' });
  world.runSchedules();
  const only = async (notificationId: string) => (await deliveriesOf(world, notificationId))[0]!;
  return {
    ...{ world, trial, clock, templateId, only },
    startWorker: () => world.work({ providers: trial.providers(), random: () => 0 }),
    inStatus: (notificationId: string, status: string) =>
      until(async () => {
        const delivery = await only(notificationId);
        return delivery.status === status && delivery;
      }),
    /** A push to one user, an hour ahead unless the test says otherwise. */
    async schedule(userId: string, own: Partial<Parameters<typeof aRequest>[0]> = {}): Promise<string> {
      const recipients = [{ userId, channels: ['push' as const], variables: { name: 'Ann' } }];
      const request = aRequest({ templateId, recipients, scheduleAt: new Date(clock.now() + HOUR), ...own });
      const sent = await world.notifications.send(shop, request);
      if (!sent.ok || sent.value.notificationsQueued !== 1) throw new Error(JSON.stringify(sent));
      return request.notificationId;
    },
    async close() {
      await world.close();
      await trial.close();
    },
  };
}

export type ScheduleWorld = Awaited<ReturnType<typeof openScheduleWorld>>;
