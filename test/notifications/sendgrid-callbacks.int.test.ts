import { randomUUID, sign } from 'node:crypto';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordReports } from '../../src/domains/notifications/delivery/report.js';
import { createNotificationMetrics } from '../../src/domains/notifications/metrics.js';
import { openPostgres } from '../../src/platform/postgres/postgres.js';
import { type CallbackWorld, env, keys, openCallbackWorld } from './callback-world.js';
import { openApi } from './with-api.js';

let world: CallbackWorld;
beforeAll(async () => {
  world = await openCallbackWorld();
});
afterAll(() => world.close());

describe("SendGrid's events", () => {
  const seconds = () => Math.floor(world.clock.now() / 1000);
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

  async function post(events: readonly object[], url = world.api.url): Promise<number> {
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
    const { deliveries, type } = await world.inRetry('email', 1);
    return { ...deliveries[0]!, type };
  };
  const isOn = async ({ userId, type }: { userId: string; type: string }) =>
    !(await world.notifications.preferences(userId)).some(
      ({ notificationType, channel, enabled }) =>
        notificationType === type && channel === 'email' && !enabled,
    );

  it('report everything of a delivery in one call, in any order', async () => {
    const { deliveryId } = await aDelivery();
    const events = ['processed', 'deferred', 'open', 'delivered', 'click'].map((event) =>
      anEvent(deliveryId, event, { url: 'https://a.example', useragent: 'Mozilla/5.0 (X11) Firefox/128.0' }),
    );
    expect(await post(events)).toBe(204);
    expect(await world.afterIntake(deliveryId)).toEqual(['SENT', 'DELIVERED', 'OPENED', 'CLICKED']);
    expect(await post(events)).toBe(204);
    expect((await world.afterIntake(deliveryId)).length).toBe(4);
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
    await world.notifications.reportAll([{ deliveryId, kind: 'sent', providerId: answered }], 'test');
    const other = anEvent(deliveryId, event, { ...own, sg_message_id: 'AnotherIdOfAnotherTry1.filter1.2.0' });
    expect(await post([other])).toBe(204);
    expect(await world.statusOf(deliveryId)).toBe('SENT');
    const deferred = anEvent(deliveryId, 'deferred', { sg_message_id, attempt: '1', response: '451 later' });
    const end = anEvent(deliveryId, event, { ...own, sg_message_id });
    expect(await post([deferred, anEvent(deliveryId, 'group_resubscribe'), end, end])).toBe(204);
    expect(await world.statusOf(deliveryId)).toBe('DEAD');
    expect(await world.afterIntake(deliveryId)).toEqual(['SENT', 'FAILED', 'DLQ']);
  });

  it.each(['delivered', 'open', 'click', 'spamreport', 'unsubscribe', 'group_unsubscribe'])(
    'of a %s reach the mail that was sent, under the id with a suffix',
    async (event) => {
      const { deliveryId } = await aDelivery();
      await world.notifications.reportAll([{ deliveryId, kind: 'sent', providerId: answered }], 'test');
      const before = (await world.afterIntake(deliveryId)).length;
      const sg_message_id = `${answered}.recvd-5f9ffdf494-9kc6l-1-673C6EB0-B.0`;
      const { deliveryId: _, ...rest } = anEvent(deliveryId, event, { sg_message_id });
      // Under the older API our ids come in `unique_args`.
      expect(await post([{ ...rest, unique_args: { deliveryId: deliveryId.toUpperCase() } }])).toBe(204);
      expect((await world.afterIntake(deliveryId)).length).toBeGreaterThan(before);
    },
  );

  it.each(['bounce', 'dropped'])('of a %s end the delivery once', async (event) => {
    const { deliveryId } = await aDelivery();
    const end = anEvent(deliveryId, event, { reason: '550 no such user' });
    for (let i = 0; i < 2; i++) expect(await post([end, end, anEvent(deliveryId, 'delivered')])).toBe(204);
    expect(await world.afterIntake(deliveryId)).toEqual(['FAILED', 'DLQ']);
  });

  it('mark what is a machine by its name, or as SendGrid reports it', async () => {
    const { deliveryId } = await aDelivery();
    await post([
      anEvent(deliveryId, 'delivered'),
      anEvent(deliveryId, 'open', { sg_machine_open: true, useragent: 'Mozilla/5.0 (X11) Firefox/128.0' }),
      anEvent(deliveryId, 'click', { url: 'https://a.example', useragent: 'BarracudaCentral' }),
    ]);
    expect(await world.statusOf(deliveryId)).toBe('DELIVERED');
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
    world.clock.forward(30);
    await world.notifications.setPreferences(one.userId, [
      { notificationType: one.type, channel: 'email', enabled: true },
    ]);
    expect(await post([event])).toBe(204);
    expect(await isOn(one)).toBe(true);
    expect((await world.afterIntake(one.deliveryId)).filter((told) => told === 'UNSUBSCRIBED').length).toBe(
      1,
    );
  });

  it('come by the thousand: one transaction, each recorded once, with unknown deliveries and repeats among them', async () => {
    const { deliveries, requestId } = await world.inRetry('email', 300);
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
    const { deliveries } = await world.inRetry('email', 40);
    const batch = (event: string) => deliveries.map(({ deliveryId }) => anEvent(deliveryId, event));
    const statuses = await Promise.all(
      ['delivered', 'open', 'processed', 'delivered', 'open', 'unsubscribe'].map((event, i) =>
        post(i % 2 ? batch(event) : batch(event).toReversed()),
      ),
    );
    expect(statuses).toEqual([204, 204, 204, 204, 204, 204]);
    for (const { deliveryId } of deliveries) {
      expect((await world.afterIntake(deliveryId)).toSorted()).toEqual([
        'DELIVERED',
        'OPENED',
        'SENT',
        'UNSUBSCRIBED',
      ]);
    }
  });

  it('are answered within a moment of being recorded, though Redis says nothing', async () => {
    const { deliveryId } = await aDelivery();
    const deaf = { publish: () => new Promise<never>(() => undefined) };
    const deps = {
      ...{ postgres: world.postgres, clock: world.clock, queues: world.queues, wakeUps: deaf },
      metrics: createNotificationMetrics(new Registry(), world.postgres),
      freshness: { userChanged: async () => undefined },
      lifecycle: { publish: () => undefined },
    };
    expect(await recordReports(deps, [{ deliveryId, kind: 'delivered' }], 'test')).toEqual(['recorded']);
    expect(await world.statusOf(deliveryId)).toBe('DELIVERED');
  });

  it('answer 5xx while the database is away, upon which SendGrid repeats them', async () => {
    const { deliveryId } = await aDelivery();
    const postgres = openPostgres('postgres://postgres@127.0.0.1:1/none', {
      ...{ max: 1, applicationName: 'test', onError: () => undefined },
    });
    const deps = {
      ...{
        postgres,
        clock: world.clock,
        queues: world.queues,
        metrics: createNotificationMetrics(new Registry(), postgres),
      },
      wakeUps: { publish: async () => undefined },
      lifecycle: { publish: () => undefined },
      freshness: { userChanged: async () => undefined },
    };
    const reportAll: typeof world.notifications.reportAll = (...given) => recordReports(deps, ...given);
    const away = await openApi({ ...world.notifications, reportAll }, world.clock, env);
    expect(await post([anEvent(deliveryId, 'delivered')], away.url)).toBe(503);
    await away.close();
    await postgres.close();
    expect(await post([anEvent(deliveryId, 'delivered')])).toBe(204);
    expect(await world.statusOf(deliveryId)).toBe('DELIVERED');
  });
});
