import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { Registry } from 'prom-client';
import twilio from 'twilio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordReports } from '../../src/domains/notifications/delivery/report.js';
import { createNotificationMetrics } from '../../src/domains/notifications/metrics.js';
import { openPostgres } from '../../src/platform/postgres.js';
import {
  aRequest,
  aTemplate,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  storyOf,
  unique,
} from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';
import { HeldClock } from './with-sandbox.js';

const clock = new HeldClock();
const authToken = 'the token of our account';
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const env = {
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
let world: NotificationWorld;
let api: ApiOnTest;

beforeAll(async () => {
  world = await openNotificationWorld(clock);
  api = await openApi(world.notifications, clock, env);
});
afterAll(async () => {
  await api.close();
  await world.close();
});

/** Deliveries that a provider was handed, and whose calls' ends nobody knows: they wait for their next attempt. */
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
/** What was told after intake. */
const toldOf = async (deliveryId: string) => {
  const story = await storyOf(world, deliveryId);
  return story.slice(story.indexOf('QUEUED') + 1);
};

describe("Twilio's callbacks, signed by its own package", () => {
  async function call(
    deliveryId: string,
    fields: Record<string, string>,
    own: { token?: string; at?: string } = {},
  ) {
    const url = `${api.url}/api/v1/callbacks/twilio?deliveryId=${own.at ?? deliveryId}`;
    const form = { AccountSid: 'AC1', MessageSid: 'SM1', To: '+15551234567', ...fields };
    const signed = `${api.url}/api/v1/callbacks/twilio?deliveryId=${deliveryId}`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'x-twilio-signature': twilio.getExpectedTwilioSignature(own.token ?? authToken, signed, form),
      },
      body: new URLSearchParams(form),
    });
    return answer.status;
  }

  it('lead along the chain, whatever order they come in', async () => {
    const { deliveryId } = (await inRetry('sms', 1)).deliveries[0]!;
    for (const [MessageStatus, status] of [
      ['queued', 'SENT'],
      ['sending', 'SENT'],
      ['delivered', 'DELIVERED'],
      ['sent', 'DELIVERED'],
      ['queued', 'DELIVERED'],
      ['undelivered', 'DELIVERED'],
      ['delivered', 'DELIVERED'],
    ] as const) {
      expect(await call(deliveryId, { MessageStatus })).toBe(204);
      expect(await statusOf(deliveryId)).toBe(status);
    }
    expect(await toldOf(deliveryId)).toEqual(['SENT', 'DELIVERED']);
  });

  it.each(['undelivered', 'failed'])('end at %s, and nothing comes after', async (MessageStatus) => {
    const { deliveries, notificationId } = await inRetry('sms', 1);
    const { deliveryId } = deliveries[0]!;
    expect(await call(deliveryId, { MessageStatus, ErrorCode: '30003' })).toBe(204);
    for (const later of ['sent', 'delivered', MessageStatus])
      await call(deliveryId, { MessageStatus: later });
    expect(await deliveriesOf(world, notificationId)).toMatchObject([
      { status: 'DEAD', lastError: `${MessageStatus}: 30003` },
    ]);
    expect(await toldOf(deliveryId)).toEqual(['FAILED', 'DLQ']);
  });

  it('are taken under their older names, and where a status is new nothing changes', async () => {
    const { deliveryId } = (await inRetry('sms', 1)).deliveries[0]!;
    expect(await call(deliveryId, { MessageStatus: 'partially_delivered', ErrorCode: '' })).toBe(204);
    expect(await statusOf(deliveryId)).toBe('RETRYING');
    expect(await call(deliveryId, { MessageSid: '', SmsSid: 'SM1', SmsStatus: 'sent' })).toBe(204);
    expect(await call(deliveryId, { MessageStatus: 'undelivered', ErrorCode: '' })).toBe(204);
    expect(await statusOf(deliveryId)).toBe('DEAD');
  });

  it('are refused with another token, and for another delivery', async () => {
    const { deliveries } = await inRetry('sms', 2);
    const [one, other] = deliveries.map(({ deliveryId }) => deliveryId) as [string, string];
    expect(await call(one, { MessageStatus: 'delivered' }, { token: 'another' })).toBe(403);
    expect(await call(one, { MessageStatus: 'delivered' }, { at: other })).toBe(403);
    expect([await statusOf(one), await statusOf(other)]).toEqual(['RETRYING', 'RETRYING']);
  });

  it('for nobody are taken, so that they are not repeated', async () => {
    expect(await call(randomUUID(), { MessageStatus: 'delivered' })).toBe(204);
    expect(await call('none', { MessageStatus: 'delivered' })).toBe(204);
  });
});

describe("SendGrid's events", () => {
  const seconds = () => Math.floor(clock.now() / 1000);
  const anEvent = (deliveryId: string, event: string, own: object = {}) => ({
    event,
    deliveryId,
    notificationId: 'n',
    email: 'ann@example.com',
    timestamp: seconds(),
    sg_event_id: randomUUID(),
    sg_message_id: 'm-1',
    ...own,
  });

  async function post(events: readonly object[], url = api.url): Promise<number> {
    const body = JSON.stringify(events);
    const timestamp = String(seconds());
    const answer = await fetch(`${url}/api/v1/callbacks/sendgrid`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-twilio-email-event-webhook-timestamp': timestamp,
        'x-twilio-email-event-webhook-signature': sign(
          'sha256',
          Buffer.from(timestamp + body),
          keys.privateKey,
        ).toString('base64'),
      },
      body,
    });
    return answer.status;
  }
  const aDelivery = async () => {
    const { deliveries, type } = await inRetry('email', 1);
    return { ...deliveries[0]!, type };
  };
  const isOn = async ({ userId, type }: { userId: string; type: string }) =>
    !(await world.notifications.preferences(userId)).some(
      ({ notificationType, channel, enabled }) =>
        notificationType === type && channel === 'email' && !enabled,
    );

  it('tell a whole story in one call, in any order', async () => {
    const { deliveryId } = await aDelivery();
    const events = ['processed', 'deferred', 'open', 'delivered', 'click'].map((event) =>
      anEvent(deliveryId, event, { url: 'https://a.example', useragent: 'Mozilla/5.0 (X11) Firefox/128.0' }),
    );
    expect(await post(events)).toBe(204);
    expect(await toldOf(deliveryId)).toEqual(['SENT', 'DELIVERED', 'OPENED', 'CLICKED']);
    expect(await post(events)).toBe(204);
    expect((await toldOf(deliveryId)).length).toBe(4);
  });

  const answered = 'w_u0jeK0S1q9gsc4j0lORA';
  it.each([
    ['bounce', `${answered}.filter0001.16648.5515E0B88.0`, { type: 'bounce' }],
    ['bounce', `${answered}.recvd-5f9ffdf494-9kc6l-1-673C6EB0-B.0`, { type: 'blocked', reason: null }],
    ['bounce', `${answered}.filterdrecv-p3las1-5bf99c48d-mg9g8-20-5E21CC15-54.14`, { type: 'expired' }],
    ['blocked', `${answered}.sandbox`, {}],
    ['dropped', answered, { email: undefined, notificationId: undefined, timestamp: undefined }],
    ['Dropped', ` ${answered}.filter1.2.3.0 `, { useragent: null, url: null, reason: 7 }],
    ['bounce', undefined, { 'smtp-id': `<${answered}@ismtpd-1>` }],
  ])('of a %s end the mail that was sent, under the id %s', async (event, sg_message_id, own) => {
    const { deliveryId } = await aDelivery();
    await world.notifications.report({ deliveryId, kind: 'sent', providerId: answered }, 'test');
    const other = anEvent(deliveryId, event, { ...own, sg_message_id: 'AnotherIdOfAnotherTry1.filter1.2.0' });
    expect(await post([other])).toBe(204);
    expect(await statusOf(deliveryId)).toBe('SENT');
    const deferred = anEvent(deliveryId, 'deferred', { sg_message_id, attempt: '1', response: '451 later' });
    const end = anEvent(deliveryId, event, { ...own, sg_message_id });
    expect(await post([deferred, anEvent(deliveryId, 'group_resubscribe'), end, end])).toBe(204);
    expect(await statusOf(deliveryId)).toBe('DEAD');
    expect(await toldOf(deliveryId)).toEqual(['SENT', 'FAILED', 'DLQ']);
  });

  it.each(['delivered', 'open', 'click', 'spamreport', 'unsubscribe', 'group_unsubscribe'])(
    'of a %s reach the mail that was sent, under the id with a suffix',
    async (event) => {
      const { deliveryId } = await aDelivery();
      await world.notifications.report({ deliveryId, kind: 'sent', providerId: answered }, 'test');
      const before = (await toldOf(deliveryId)).length;
      const sg_message_id = `${answered}.recvd-5f9ffdf494-9kc6l-1-673C6EB0-B.0`;
      const { deliveryId: _, ...rest } = anEvent(deliveryId, event, { sg_message_id });
      // Under the older API our ids come in `unique_args`.
      expect(await post([{ ...rest, unique_args: { deliveryId: deliveryId.toUpperCase() } }])).toBe(204);
      expect((await toldOf(deliveryId)).length).toBeGreaterThan(before);
    },
  );

  it.each(['bounce', 'dropped'])('of a %s end the delivery once', async (event) => {
    const { deliveryId } = await aDelivery();
    const end = anEvent(deliveryId, event, { reason: '550 no such user' });
    for (let i = 0; i < 2; i++) expect(await post([end, end, anEvent(deliveryId, 'delivered')])).toBe(204);
    expect(await toldOf(deliveryId)).toEqual(['FAILED', 'DLQ']);
  });

  it('mark what SendGrid or a name tells to be a machine', async () => {
    const { deliveryId } = await aDelivery();
    await post([
      anEvent(deliveryId, 'delivered'),
      anEvent(deliveryId, 'open', { sg_machine_open: true, useragent: 'Mozilla/5.0 (X11) Firefox/128.0' }),
      anEvent(deliveryId, 'click', { url: 'https://a.example', useragent: 'BarracudaCentral' }),
    ]);
    expect(await statusOf(deliveryId)).toBe('DELIVERED');
    const timeline = (await world.notifications.timelines([deliveryId])).get(deliveryId)!;
    expect(timeline.slice(-2)).toMatchObject([
      { event: 'OPENED', detail: { suspected_bot: true } },
      { event: 'CLICKED', detail: { suspected_bot: true, url: 'https://a.example' } },
    ]);
  });

  it.each(['unsubscribe', 'group_unsubscribe', 'spamreport'])(
    'of %s switch the preference off',
    async (event) => {
      const one = await aDelivery();
      expect(await isOn(one)).toBe(true);
      expect(await post([anEvent(one.deliveryId, event)])).toBe(204);
      expect(await isOn(one)).toBe(false);
      const timeline = (await world.notifications.timelines([one.deliveryId])).get(one.deliveryId)!;
      expect(timeline.at(-1)).toMatchObject({ event: 'UNSUBSCRIBED', detail: { via: event } });
    },
  );

  it('that are repeated do not undo what the user chose since', async () => {
    const one = await aDelivery();
    const event = anEvent(one.deliveryId, 'unsubscribe');
    await post([event]);
    clock.forward(30);
    await world.notifications.setPreferences(one.userId, [
      { notificationType: one.type, channel: 'email', enabled: true },
    ]);
    expect(await post([event])).toBe(204);
    expect(await isOn(one)).toBe(true);
    expect((await toldOf(one.deliveryId)).filter((told) => told === 'UNSUBSCRIBED').length).toBe(1);
  });

  it('come by the thousand: one transaction, each told once, with strangers and repeats among them', async () => {
    const { deliveries, requestId } = await inRetry('email', 300);
    const events = deliveries.flatMap(({ deliveryId }) => [
      anEvent(deliveryId, 'processed'),
      anEvent(deliveryId, 'delivered'),
      anEvent(deliveryId, 'delivered'),
    ]);
    const strangers = Array.from({ length: 100 }, () => anEvent(randomUUID(), 'delivered'));
    const commits = async () =>
      (
        await world.postgres.query<{ count: number }>(
          'SELECT count(DISTINCT xmin::text)::int AS count FROM deliveries WHERE request_id = $1',
          [requestId],
        )
      ).rows[0]!.count;
    expect(await post([...events, ...strangers].toReversed())).toBe(204);
    expect(await commits()).toBe(1);
    const timelines = await world.notifications.timelines(deliveries.map(({ deliveryId }) => deliveryId));
    for (const { deliveryId } of deliveries) {
      const told = timelines.get(deliveryId)!.map(({ event }) => event);
      expect(told.slice(told.indexOf('QUEUED') + 1)).toEqual(['SENT', 'DELIVERED']);
    }
  });

  it('of many calls at once that name the same deliveries in other orders are all recorded, each once', async () => {
    const { deliveries } = await inRetry('email', 40);
    const batch = (event: string) => deliveries.map(({ deliveryId }) => anEvent(deliveryId, event));
    const statuses = await Promise.all(
      ['delivered', 'open', 'processed', 'delivered', 'open', 'unsubscribe'].map((event, i) =>
        post(i % 2 ? batch(event) : batch(event).toReversed()),
      ),
    );
    expect(statuses).toEqual([204, 204, 204, 204, 204, 204]);
    for (const { deliveryId } of deliveries) {
      expect((await toldOf(deliveryId)).toSorted()).toEqual(['DELIVERED', 'OPENED', 'SENT', 'UNSUBSCRIBED']);
    }
  });

  it('are answered within a moment of being recorded, though Redis says nothing', async () => {
    const { deliveryId } = await aDelivery();
    const deaf = { publish: () => new Promise<never>(() => undefined) };
    const deps = {
      ...{ postgres: world.postgres, clock, queues: world.queues, wakeUps: deaf },
      metrics: createNotificationMetrics(new Registry(), world.postgres),
      freshness: { userChanged: async () => undefined },
      lifecycle: { publish: () => undefined },
    };
    expect(await recordReports(deps, [{ deliveryId, kind: 'delivered' }], 'test')).toEqual(['recorded']);
    expect(await statusOf(deliveryId)).toBe('DELIVERED');
  });

  it('answer 5xx while the database is away, upon which SendGrid repeats them', async () => {
    const { deliveryId } = await aDelivery();
    const postgres = openPostgres('postgres://postgres@127.0.0.1:1/none', {
      ...{ max: 1, applicationName: 'test', onError: () => undefined },
    });
    const deps = {
      ...{
        postgres,
        clock,
        queues: world.queues,
        metrics: createNotificationMetrics(new Registry(), postgres),
      },
      wakeUps: { publish: async () => undefined },
      lifecycle: { publish: () => undefined },
      freshness: { userChanged: async () => undefined },
    };
    const reportAll: typeof world.notifications.reportAll = (...given) => recordReports(deps, ...given);
    const away = await openApi({ ...world.notifications, reportAll }, clock, env);
    expect(await post([anEvent(deliveryId, 'delivered')], away.url)).toBe(503);
    await away.close();
    await postgres.close();
    expect(await post([anEvent(deliveryId, 'delivered')])).toBe(204);
    expect(await statusOf(deliveryId)).toBe('DELIVERED');
  });
});
