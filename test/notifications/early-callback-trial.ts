import { randomUUID, sign } from 'node:crypto';
import { expect } from 'vitest';
import type { DeliveryOptions } from '../../src/domains/notifications/index.js';
import type {
  Provider,
  ProviderMessage,
  ProviderOutcome,
} from '../../src/domains/notifications/providers/provider.js';
import { systemClock } from '../../src/platform/clock.js';
import { authToken, env, keys } from './callback-world.js';
import {
  aRequest,
  aTemplate,
  aUser,
  deliveriesOf,
  openNotificationWorld,
  shop,
  type TestWorker,
  timelineOf,
  unique,
  until,
} from './notification-world.js';
import { signAsTwilio } from './sign-as-twilio.js';
import { openApi } from './with-api.js';

export type Kind = 'sent' | 'delivered' | 'failed';
export const channels = ['email', 'sms'] as const;
type CallingChannel = (typeof channels)[number];

/** How each provider that calls back names a message when it answers, and when it calls back. */
export const callers = {
  email: {
    kinds: { sent: 'processed', delivered: 'delivered', failed: 'bounce' },
    answered: () => randomUUID().replaceAll('-', '').slice(0, 22),
    reported: (id: string) => `${id}.recvd-5f9ffdf494-9kc6l-1-673C6EB0-B.0`,
    async call(apiUrl: string, deliveryId: string, event: string, id: string) {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const useragent = 'Mozilla/5.0 (X11) Firefox/128.0';
      const body = JSON.stringify([
        { event, deliveryId, sg_message_id: id, useragent, reason: '550 no such user' },
      ]);
      return fetch(`${apiUrl}/api/v1/callbacks/sendgrid`, {
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
    async call(apiUrl: string, deliveryId: string, MessageStatus: string, MessageSid: string) {
      const url = `${apiUrl}/api/v1/callbacks/twilio?deliveryId=${deliveryId}`;
      const form = { AccountSid: 'AC1', MessageSid, MessageStatus, To: '+15551234567' };
      const signature = signAsTwilio(authToken, url, form);
      return fetch(url, {
        method: 'POST',
        headers: { 'x-twilio-signature': signature },
        body: new URLSearchParams(form),
      });
    },
  },
};

export const accepted = (providerId: string): ProviderOutcome => ({ kind: 'accepted', providerId });
const failure = { kind: 'failed', reason: 'as asked', removeToken: false } as const;
export const down: ProviderOutcome = {
  ...failure,
  code: 'PROVIDER_DOWN',
  retryable: true,
  outcomeUnknown: false,
};
export const unanswered: ProviderOutcome = {
  ...failure,
  code: 'PROVIDER_TIMEOUT',
  retryable: true,
  outcomeUnknown: true,
};

const tooMany: ProviderOutcome = {
  ...failure,
  code: 'REJECTED',
  reason: 'one call too many',
  retryable: false,
  outcomeUnknown: false,
};

interface Script {
  /** What the provider does during each of its calls, in order; one more call than that refuses for good. */
  calls: ((message: ProviderMessage) => Promise<ProviderOutcome>)[];
}

/**
 * A product whose providers do during each of their calls what a test says, and call back meanwhile. `work` begins with the mailboxes
 * and `rest` stops.
 */
export async function openEarlyCallbackTrial() {
  const world = await openNotificationWorld();
  const api = await openApi(world.notifications, systemClock, env);
  let worker: TestWorker | undefined;
  const script: Script = { calls: [] };

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
          return (
            script.calls.length === 0 && one?.status === status && (await isRecorded(one.deliveryId)) && one
          );
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

  /** Posts a callback, signed as its provider does, under an id as it stands. */
  const post = (channel: CallingChannel, deliveryId: string, kind: Kind, id: string) =>
    callers[channel].call(api.url, deliveryId, callers[channel].kinds[kind], id);

  /** The same under the provider's own form of the id. */
  async function callBack(channel: CallingChannel, deliveryId: string, kind: Kind, id: string) {
    const answer = await post(channel, deliveryId, kind, callers[channel].reported(id));
    expect(answer.status).toBe(204);
  }

  /** A call during which the provider calls back, before it answers. */
  const callingBack =
    (channel: CallingChannel, outcome: ProviderOutcome, ...reports: readonly (readonly [Kind, string])[]) =>
    async ({ deliveryId }: ProviderMessage) => {
      for (const [kind, id] of reports) await callBack(channel, deliveryId, kind, id);
      return outcome;
    };

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

  const scripted = (name: string): Provider => ({
    name,
    async send(message) {
      const next = script.calls.shift();
      return next ? next(message) : tooMany;
    },
    close: async () => undefined,
  });
  const scriptedProviders: DeliveryOptions['providers'] = {
    email: scripted('sendgrid'),
    sms: scripted('twilio'),
    ios: { ...scripted('apns'), send: async () => ({ kind: 'delivered', providerId: 'apns-1' }) },
    close: async () => undefined,
  };

  return Object.assign(script, {
    world,
    work(providers = scriptedProviders) {
      worker = world.work({ providers, random: () => 0 });
    },
    rest: () => worker?.close(),
    ...{ send, isRecorded, providerIdOf, since, attemptsOfLetter },
    ...{ post, callBack, callingBack, hold, waitingForLocks },
    async close() {
      await api.close();
      await world.close();
    },
  });
}

export type EarlyCallbackTrial = Awaited<ReturnType<typeof openEarlyCallbackTrial>>;
