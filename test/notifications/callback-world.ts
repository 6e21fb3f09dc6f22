import { generateKeyPairSync } from 'node:crypto';
import {
  aRequest,
  aTemplate,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  timelineOf,
  unique,
} from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';
import { HeldClock } from './with-sandbox.js';

export const authToken = 'the token of our account';
export const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const env = {
  TWILIO_URL: 'https://twilio.example.com',
  TWILIO_ACCOUNT_SID: 'AC1',
  TWILIO_AUTH_TOKEN: authToken,
  TWILIO_FROM: '+15550000000',
  SENDGRID_URL: 'https://sendgrid.example.com',
  SENDGRID_API_KEY: 'key',
  SENDGRID_FROM: 'shop@example.com',
  SENDGRID_TEMPLATE_ID: 'd-1',
  SENDGRID_WEBHOOK_PUBLIC_KEY: keys.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
};

/** A product whose providers call back. */
export interface CallbackWorld extends NotificationWorld {
  readonly api: ApiOnTest;
  readonly clock: HeldClock;
  /** Deliveries that a provider was handed, and whose calls' ends nobody knows: they wait for their next attempt. */
  inRetry(
    channel: 'email' | 'sms',
    count: number,
    type?: string,
  ): Promise<{
    readonly type: string;
    readonly requestId: string;
    readonly deliveries: readonly { readonly deliveryId: string; readonly userId: string }[];
    readonly notificationId: string;
  }>;
  statusOf(deliveryId: string): Promise<string>;
  /** The timeline after intake. */
  afterIntake(deliveryId: string): Promise<readonly string[]>;
}

export async function openCallbackWorld(): Promise<CallbackWorld> {
  const clock = new HeldClock();
  const world = await openNotificationWorld(clock);
  const api = await openApi(world.notifications, clock, env);

  async function inRetry(channel: 'email' | 'sms', count: number, type = unique('TYPE')) {
    const templateId = await aTemplate(world, channel, type, channel === 'email' ? { subject: 'Hi' } : {});
    const userIds = Array.from({ length: count }, () => unique('user'));
    for (const userId of userIds) {
      await world.notifications.updateSettings(userId, {
        email: `${userId}@example.com`,
        phone: '+15551234567',
      });
    }
    const request = aRequest({
      type,
      templateId,
      recipients: userIds.map((userId) => ({ userId, channels: [channel] })),
    });
    const sent = await world.notifications.send(shop, request);
    if (!sent.ok) throw new Error(JSON.stringify(sent.errors));
    const { requestId } = sent.value;
    await world.postgres.query(
      `UPDATE deliveries SET status = 'RETRYING', next_retry_at = now() + interval '1 hour' WHERE request_id = $1`,
      [requestId],
    );
    const { rows } = await world.postgres.query<{ deliveryId: string; userId: string }>(
      'SELECT delivery_id AS "deliveryId", user_id AS "userId" FROM deliveries WHERE request_id = $1 ORDER BY sequence',
      [requestId],
    );
    return { type, requestId, deliveries: rows, notificationId: request.notificationId };
  }
  const statusOf = async (deliveryId: string) =>
    (await world.notifications.deliveriesById([deliveryId]))[0]!.status;
  const afterIntake = async (deliveryId: string) => {
    const timeline = await timelineOf(world, deliveryId);
    return timeline.slice(timeline.indexOf('QUEUED') + 1);
  };
  return {
    ...world,
    api,
    clock,
    inRetry,
    statusOf,
    afterIntake,
    async close() {
      await api.close();
      await world.close();
    },
  };
}
