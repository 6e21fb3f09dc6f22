import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import twilio from 'twilio';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type {
  Provider,
  ProviderMessage,
  ProviderOutcome,
} from '../../src/domains/notifications/providers/provider.js';
import { systemClock } from '../../src/platform/clock.js';
import {
  admin,
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  type TestWorker,
  timelineOf,
  unique,
  until,
} from './notification-world.js';
import { type ApiOnTest, openApi } from './with-api.js';

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

type Kind = 'sent' | 'delivered' | 'failed';

/** How each provider that calls back names a message when it answers, and when it calls back. */
const callers = {
  email: {
    kinds: { sent: 'processed', delivered: 'delivered', failed: 'bounce' },
    answered: () => randomUUID().replaceAll('-', '').slice(0, 22),
    reported: (id: string) => `${id}.recvd-5f9ffdf494-9kc6l-1-673C6EB0-B.0`,
    async call(deliveryId: string, event: string, id: string) {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const useragent = 'Mozilla/5.0 (X11) Firefox/128.0';
      const body = JSON.stringify([
        { event, deliveryId, sg_message_id: id, useragent, reason: '550 no such user' },
      ]);
      return fetch(`${api.url}/api/v1/callbacks/sendgrid`, {
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
    },
  },
  sms: {
    kinds: { sent: 'queued', delivered: 'delivered', failed: 'undelivered' },
    answered: () => `SM${randomUUID().replaceAll('-', '')}`,
    reported: (id: string) => id,
    async call(deliveryId: string, MessageStatus: string, MessageSid: string) {
      const url = `${api.url}/api/v1/callbacks/twilio?deliveryId=${deliveryId}`;
      const form = { AccountSid: 'AC1', MessageSid, MessageStatus, To: '+15551234567' };
      const signature = twilio.getExpectedTwilioSignature(authToken, url, form);
      return fetch(url, {
        method: 'POST',
        headers: { 'x-twilio-signature': signature },
        body: new URLSearchParams(form),
      });
    },
  },
};
type CallingChannel = keyof typeof callers;
const channels = ['email', 'sms'] as const;

const accepted = (providerId: string): ProviderOutcome => ({ kind: 'accepted', providerId });
const failure = { kind: 'failed', reason: 'as asked', removeToken: false } as const;
const down: ProviderOutcome = { ...failure, code: 'PROVIDER_DOWN', retryable: true, outcomeUnknown: false };
const unanswered: ProviderOutcome = {
  ...failure,
  code: 'PROVIDER_TIMEOUT',
  retryable: true,
  outcomeUnknown: true,
};

let world: NotificationWorld;
let api: ApiOnTest;
let worker: TestWorker;
/** What the provider does during each of its calls, in order; one more call than that refuses for good. */
let calls: ((message: ProviderMessage) => Promise<ProviderOutcome>)[];

beforeAll(async () => {
  world = await openNotificationWorld();
  api = await openApi(world.notifications, systemClock, env);
  world.runSchedules();
});
beforeEach(() => {
  const scripted = (name: string): Provider => ({
    name,
    async send(message) {
      const next = calls.shift();
      return next
        ? next(message)
        : {
            ...failure,
            code: 'REJECTED',
            reason: 'one call too many',
            retryable: false,
            outcomeUnknown: false,
          };
    },
    close: async () => undefined,
  });
  const ios: Provider = {
    ...scripted('apns'),
    send: async () => ({ kind: 'delivered', providerId: 'apns-1' }),
  };
  const providers = {
    email: scripted('sendgrid'),
    sms: scripted('twilio'),
    ios,
    close: async () => undefined,
  };
  worker = world.work({ providers, random: () => 0 });
});
afterEach(() => worker.close());
afterAll(async () => {
  await api.close();
  await world.close();
});

/** Posts a callback, signed as its provider does, under the provider's own form of the id. */
async function callBack(channel: CallingChannel, deliveryId: string, kind: Kind, id: string) {
  const { kinds, call, reported } = callers[channel];
  const answer = await call(deliveryId, kinds[kind], reported(id));
  expect(answer.status).toBe(204);
}

/** A call during which the provider calls back, before it answers. */
const callingBack =
  (channel: CallingChannel, outcome: ProviderOutcome, ...told: readonly (readonly [Kind, string])[]) =>
  async ({ deliveryId }: ProviderMessage) => {
    for (const [kind, id] of told) await callBack(channel, deliveryId, kind, id);
    return outcome;
  };

/** Sends one message, which falls back to push. */
async function send(channel: CallingChannel) {
  const type = unique('TYPE');
  const templateId = await aTemplate(world, channel, type, channel === 'email' ? { subject: 'Hi' } : {});
  await aTemplate(world, 'push', type, { title: 'Hi' });
  const { userId } = await aUser(world);
  const request = aRequest({
    type,
    templateId,
    recipients: [{ userId, channels: [channel] }],
    fallbackChannels: ['push'],
  });
  expect(await world.notifications.send(shop, request)).toMatchObject({ ok: true });
  const find = async (of: string) =>
    (await deliveriesOf(world, request.notificationId)).find((one) => one.channel === of);
  return {
    /** Waits until the message's answer is recorded and its delivery has the status. */
    recorded: (status: string) =>
      until(async () => {
        const one = await find(channel);
        return calls.length === 0 && one?.status === status && (await isRecorded(one.deliveryId)) && one;
      }),
    fellBack: () => until(async () => (await find('push'))?.status === 'DELIVERED'),
    find: () => find(channel),
  };
}

/** Nobody is at it, and its mailbox is empty. */
async function isRecorded(deliveryId: string): Promise<boolean> {
  const { rows } = await world.postgres.query<{ open: boolean }>(
    'SELECT lease_token IS NOT NULL AS open FROM deliveries WHERE delivery_id = $1',
    [deliveryId],
  );
  return !rows[0]!.open;
}
async function providerIdOf(deliveryId: string): Promise<string | null> {
  const { rows } = await world.postgres.query<{ id: string | null }>(
    'SELECT provider_id AS id FROM delivery_targets WHERE delivery_id = $1',
    [deliveryId],
  );
  expect(rows).toHaveLength(1);
  return rows[0]!.id;
}
async function since(deliveryId: string) {
  const timeline = await timelineOf(world, deliveryId);
  return timeline.slice(timeline.lastIndexOf('QUEUED') + 1);
}
async function attemptsOfLetter(deliveryId: string) {
  const { rows } = await world.postgres.query<{ attempts: number }>(
    'SELECT attempts FROM failed_notifications WHERE delivery_id = $1 AND settled_at IS NULL',
    [deliveryId],
  );
  return rows.map(({ attempts }) => attempts);
}

describe.each(channels)('a callback about an %s that comes before its provider has answered', (channel) => {
  const answered = callers[channel].answered;

  it('delivers it, and the id that the provider answers is kept', async () => {
    const id = answered();
    calls = [callingBack(channel, accepted(id), ['sent', id], ['delivered', id])];
    const { deliveryId } = await (await send(channel)).recorded('DELIVERED');
    expect(await since(deliveryId)).toEqual(['SENT', 'DELIVERED']);
    expect(await providerIdOf(deliveryId)).toBe(id);
  });

  it('may report a failure of the first call: dead letter, fallback, and the answered id', async () => {
    const id = answered();
    calls = [callingBack(channel, accepted(id), ['sent', id], ['failed', id])];
    const sent = await send(channel);
    const { deliveryId } = await sent.recorded('DEAD');
    expect(await since(deliveryId)).toEqual(['FAILED', 'DLQ']);
    expect(await attemptsOfLetter(deliveryId)).toEqual([1]);
    expect(await providerIdOf(deliveryId)).toBe(id);
    await sent.fellBack();
  });

  it('may report a failure of a retry: dead letter, fallback, and the answered id', async () => {
    const id = answered();
    calls = [async () => down, callingBack(channel, accepted(id), ['failed', id])];
    const sent = await send(channel);
    const { deliveryId } = await sent.recorded('DEAD');
    expect(await since(deliveryId)).toEqual(['FAILED', 'RETRY', 'SENT', 'FAILED', 'DLQ']);
    expect(await attemptsOfLetter(deliveryId)).toEqual([2]);
    expect(await providerIdOf(deliveryId)).toBe(id);
    await sent.fellBack();
  });

  it('may report a failure of what an admin retried', async () => {
    const [first, second] = [answered(), answered()];
    calls = [callingBack(channel, accepted(first), ['failed', first])];
    const { deliveryId } = await (await send(channel)).recorded('DEAD');
    // Twilio and SendGrid repeat what they said of the first message.
    calls = [callingBack(channel, accepted(second), ['failed', first], ['failed', second])];
    await world.notifications.deadLetters.retry(admin, { deliveryIds: [deliveryId] });
    await until(async () => (await attemptsOfLetter(deliveryId)).length === 1);
    expect(await since(deliveryId)).toEqual(['SENT', 'FAILED', 'DLQ']);
    expect(await providerIdOf(deliveryId)).toBe(second);
  });

  it('about an earlier message does not end the one that is being sent', async () => {
    const [first, second] = [answered(), answered()];
    calls = [async () => unanswered, callingBack(channel, accepted(second), ['failed', first])];
    const sent = await send(channel);
    const { deliveryId } = await sent.recorded('SENT');
    expect(await since(deliveryId)).toEqual(['FAILED', 'RETRY', 'SENT']);
    expect(await providerIdOf(deliveryId)).toBe(second);
    await callBack(channel, deliveryId, 'failed', first);
    expect((await sent.find())?.status).toBe('SENT');
    await callBack(channel, deliveryId, 'failed', second);
    expect((await sent.find())?.status).toBe('DEAD');
  });

  it('spares the retry where the provider has it and its answer is lost', async () => {
    const id = answered();
    calls = [callingBack(channel, unanswered, ['sent', id])];
    const sent = await send(channel);
    const { deliveryId } = await sent.recorded('SENT');
    expect((await since(deliveryId)).slice(-1)).toEqual(['SENT']);
    await callBack(channel, deliveryId, 'failed', answered());
    expect((await sent.find())?.status).toBe('SENT');
    await callBack(channel, deliveryId, 'failed', id);
    expect((await sent.find())?.status).toBe('DEAD');
  });

  it('may report a failure of a retry whose answer is lost', async () => {
    const id = answered();
    calls = [async () => down, callingBack(channel, unanswered, ['sent', id], ['failed', id])];
    const sent = await send(channel);
    const { deliveryId } = await sent.recorded('DEAD');
    expect((await since(deliveryId)).slice(-2)).toEqual(['FAILED', 'DLQ']);
    await sent.fellBack();
  });

  it.each([
    ['as it was answered', (id: string) => id],
    ['in the form of callbacks', callers[channel].reported],
  ])('leaves the id such that later ones are known, %s', async (_form, form) => {
    const id = answered();
    calls = [callingBack(channel, accepted(id), ['sent', id])];
    const sent = await send(channel);
    const { deliveryId } = await sent.recorded('SENT');
    expect(await providerIdOf(deliveryId)).toBe(id);
    const { call, kinds } = callers[channel];
    await call(deliveryId, kinds.failed, form(answered()));
    expect((await sent.find())?.status).toBe('SENT');
    await call(deliveryId, kinds.failed, form(id));
    expect((await sent.find())?.status).toBe('DEAD');
    expect(await providerIdOf(deliveryId)).toBe(id);
  });

  it.each<[Kind, string]>([
    ['delivered', 'DELIVERED'],
    ['failed', 'DEAD'],
  ])('is not lost where the database holds both up: %s', async (kind, status) => {
    const id = answered();
    let release = async () => {};
    let posted: Promise<void> | undefined;
    calls = [
      async ({ deliveryId }) => {
        release = await hold('SELECT FROM deliveries WHERE delivery_id = $1 FOR UPDATE', deliveryId);
        posted = callBack(channel, deliveryId, kind, id);
        await until(async () => (await waitingForLocks()) === 1);
        return accepted(id);
      },
    ];
    const sent = await send(channel);
    await until(async () => (await waitingForLocks()) === 2);
    await release();
    await posted;
    const { deliveryId } = await sent.recorded(status);
    expect(await providerIdOf(deliveryId)).toBe(id);
  });
});

describe.each(channels)('a callback about an %s that comes while its answer is being recorded', (channel) => {
  it.each<[Kind, string]>([
    ['delivered', 'DELIVERED'],
    ['failed', 'DEAD'],
  ])('waits for the record, and leaves the answered id: %s', async (kind, status) => {
    const id = callers[channel].answered();
    let release = async () => {};
    let deliveryId = '';
    calls = [
      async (message) => {
        deliveryId = message.deliveryId;
        // Recording an answer locks the delivery before the request.
        const request =
          'SELECT FROM notification_requests JOIN deliveries USING (request_id) WHERE delivery_id = $1';
        release = await hold(`${request} FOR UPDATE OF notification_requests`, deliveryId);
        return accepted(id);
      },
    ];
    const sent = await send(channel);
    await until(async () => (await waitingForLocks()) === 1);
    const posted = callBack(channel, deliveryId, kind, id);
    await until(async () => (await waitingForLocks()) === 2);
    await release();
    await posted;
    await sent.recorded(status);
    expect(await providerIdOf(deliveryId)).toBe(id);
  });
});

/** Locks rows, and answers what lets them go. */
async function hold(statement: string, deliveryId: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const free = Promise.withResolvers<void>();
  const done = world.postgres.transaction(async (tx) => {
    await tx.query(statement, [deliveryId]);
    held.resolve();
    await free.promise;
  });
  await Promise.race([held.promise, done]);
  return () => {
    free.resolve();
    return done;
  };
}

/** Statements of this world's database that wait for somebody's lock. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await world.postgres.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]!.count;
}

describe('an app that reports an open before its push has been recorded', () => {
  it('opens it, and what each device was answered is kept', async () => {
    const templateId = await aTemplate(world, 'push', unique('TYPE'), { title: 'Hi' });
    const { userId } = await aUser(world);
    const other = { deviceId: `${userId}-tablet`, platform: 'ios' as const, deviceToken: unique('token') };
    expect(await world.notifications.registerDevice(userId, other)).toMatchObject({ ok: true });
    await worker.close();
    const ios: Provider = {
      name: 'apns',
      send: async ({ deliveryId, address }) => {
        await world.notifications.reportAll([{ deliveryId, kind: 'opened' }], 'test');
        return { kind: 'delivered', providerId: `apns-${address}` };
      },
      close: async () => undefined,
    };
    worker = world.work({ providers: { ios, close: async () => undefined } });
    const request = aRequest({ templateId, recipients: [{ userId, channels: ['push'] }] });
    await world.notifications.send(shop, request);
    const [delivery] = await deliveriesOf(world, request.notificationId);
    const { deliveryId } = delivery!;
    await until(
      async () => (await timelineOf(world, deliveryId)).includes('OPENED') && isRecorded(deliveryId),
    );
    const { rows } = await world.postgres.query<{ id: string }>(
      'SELECT provider_id AS id FROM delivery_targets WHERE delivery_id = $1',
      [deliveryId],
    );
    expect(rows).toHaveLength(2);
    expect(rows.every(({ id }) => id.startsWith('apns-'))).toBe(true);
  });
});
