import type { SettingsChange } from '../../src/domains/notifications/preferences/settings.js';
import {
  admin,
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
  openNotificationWorld,
  shop,
  until,
} from './notification-world.js';
import { HeldClock, tryWithSandbox } from './with-sandbox.js';

export const HOUR = 3_600;

type Own = Partial<Parameters<typeof aRequest>[0]> & { readonly channel?: 'push' | 'sms' | 'email' };
interface Apns {
  readonly aps: { readonly alert: { readonly title: string; readonly body: string } };
}

/** Notifications with a sandbox, a clock that a test moves, and somebody who recommends what has low priority. */
export async function openDigestWorld() {
  const clock = new HeldClock();
  const [world, trial] = await Promise.all([openNotificationWorld(clock), tryWithSandbox()]);
  const text = { title: 'For you', body: '{{name}}', actionUrl: 'https://example.com/{{name}}' };
  const { title: _, ...noTitle } = text;
  const templates = {
    push: await aTemplate(world, 'push', 'RECOMMENDATION', text),
    sms: await aTemplate(world, 'sms', 'RECOMMENDATION', noTitle),
    email: await aTemplate(world, 'email', 'RECOMMENDATION', { ...noTitle, subject: 'For you' }),
  };

  /** The deliveries of a digest. */
  async function digest(digestId: string) {
    const request = await world.notifications.request(admin, digestId, 'notifications');
    if (!request) return [];
    const page = { limit: 10, direction: 'forward', cursor: null } as const;
    const { edges } = await world.notifications.deliveriesOfRequest(request.requestId, page);
    return edges.map(({ node }) => node);
  }

  return {
    ...{ world, trial, clock, digest },
    startWorker: () => world.work({ providers: trial.providers(), random: () => 0 }),

    /** Somebody who wants digests, each hour unless the test says otherwise. */
    async aReader(change: SettingsChange = {}) {
      const user = await aUser(world);
      await world.notifications.updateSettings(user.userId, { digestFrequency: 'hourly', ...change });
      return user;
    },

    /** Sends somebody what has low priority. */
    async recommend(userId: string, name: string, { channel = 'push', ...own }: Own = {}) {
      const recipients = [{ userId, channels: [channel], variables: { name } }];
      const request = aRequest({
        templateId: templates[channel],
        type: 'RECOMMENDATION',
        recipients,
        ...own,
      });
      const result = await world.notifications.send(shop, request);
      if (!result.ok) throw new Error(JSON.stringify(result.errors));
      const [delivery] = await deliveriesOf(world, request.notificationId);
      return {
        ...result.value,
        request,
        delivery: delivery!,
        digestId: result.value.suppressed[0]?.detail ?? '',
      };
    },

    statusOf: async (notificationId: string) => (await deliveriesOf(world, notificationId))[0]!,
    requestStatus: async (notificationId: string) =>
      (await world.notifications.request(shop, notificationId, null))?.status,
    pushesTo: async (token: string) =>
      (await trial.received(`?channel=push&to=${token}`)).map(({ body }) => (body as Apns).aps.alert),
    arrived: (digestId: string) =>
      until(async () => {
        const [delivery] = await digest(digestId);
        return delivery?.status === 'DELIVERED' && delivery;
      }),
    waitingIn: async (digestId: string) =>
      (
        await world.postgres.query<{ dueAt: Date }>(
          'SELECT due_at AS "dueAt" FROM digest_items WHERE digest_id = $1',
          [digestId],
        )
      ).rows,
    async close() {
      await world.close();
      await trial.close();
    },
  };
}

export type DigestWorld = Awaited<ReturnType<typeof openDigestWorld>>;
