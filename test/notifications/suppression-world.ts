import { randomUUID, sign } from 'node:crypto';
import type {
  Provider,
  ProviderMessage,
  ProviderOutcome,
} from '../../src/domains/notifications/providers/provider.js';
import type { SuppressionCause } from '../../src/domains/notifications/suppressions/cause.js';
import type { Channel } from '../../src/domains/notifications/types.js';
import { authToken, type CallbackWorld, keys, openCallbackWorld } from './callback-world.js';
import { aRequest, aTemplate, deliveriesOf, shop, unique, until } from './notification-world.js';
import { signAsTwilio } from './sign-as-twilio.js';

export const accepted: ProviderOutcome = { kind: 'accepted', providerId: 'm-1' };

/** A product whose mail and SMS go to providers that answer what a test says. */
export async function openSuppressionWorld() {
  const world = await openCallbackWorld();
  const answers: Partial<Record<Channel, (message: ProviderMessage) => Promise<ProviderOutcome>>> = {};
  const called: ProviderMessage[] = [];
  const provider = (channel: Channel): Provider => ({
    name: channel,
    async send(message) {
      called.push(message);
      return (await answers[channel]?.(message)) ?? accepted;
    },
    close: async () => undefined,
  });
  const providers = { email: provider('email'), sms: provider('sms'), close: async () => undefined };

  /** A user with addresses of their own. */
  async function aReader(email = `${unique('reader')}@example.com`) {
    const userId = unique('reader');
    const phone = `+1555${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
    await world.notifications.updateSettings(userId, { email, phone });
    return { userId, email, phone };
  }

  const types = new Map<string, Promise<string>>();
  function templateOf(type: string): Promise<string> {
    const known = types.get(type) ?? makeTemplates(type);
    types.set(type, known);
    return known;
  }
  async function makeTemplates(type: string): Promise<string> {
    await aTemplate(world, 'sms', type, { body: 'Hello' });
    return aTemplate(world, 'email', type, { subject: 'Hi', body: 'Hello' });
  }

  /** Sends, and answers the delivery on a channel once it has one of these statuses. */
  async function send(
    { userId }: { readonly userId: string },
    {
      channel = 'email' as Channel,
      type = 'ORDER_SHIPPED',
      fallbackChannels,
      scheduleAt,
    }: {
      readonly channel?: Channel;
      readonly type?: string;
      readonly fallbackChannels?: readonly Channel[];
      readonly scheduleAt?: Date;
    } = {},
  ) {
    const request = aRequest({
      type,
      templateId: await templateOf(type),
      recipients: [{ userId, channels: [channel] }],
      ...(fallbackChannels && { fallbackChannels }),
      ...(scheduleAt && { scheduleAt }),
    });
    const result = await world.notifications.send(shop, request);
    const find = async (of: Channel = channel) =>
      (await deliveriesOf(world, request.notificationId)).find((one) => one.channel === of);
    return {
      result,
      find,
      becomes: (status: string, of: Channel = channel) =>
        until(async () => {
          const one = await find(of);
          return one?.status === status && one;
        }),
    };
  }

  /** SendGrid's event about a delivery, signed. */
  async function sendGridSays(deliveryId: string, event: string, own: object = {}): Promise<void> {
    const timestamp = String(Math.floor(world.clock.now() / 1000));
    const about = { event, deliveryId, timestamp: Number(timestamp), sg_event_id: randomUUID() };
    const body = JSON.stringify([{ ...about, ...own }]);
    const answer = await fetch(`${world.api.url}/api/v1/callbacks/sendgrid`, {
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
    if (answer.status !== 204) throw new Error(`SendGrid's callback was answered ${answer.status}`);
  }

  /** Twilio's callback about a delivery, signed. */
  const twilioSays = (deliveryId: string, MessageStatus: string, own: Record<string, string> = {}) =>
    postToTwilio(`?deliveryId=${deliveryId}`, { MessageStatus, ...own });
  /** A message to our number. */
  const twilioReceives = (From: string, own: Record<string, string>) =>
    postToTwilio('', { SmsStatus: 'received', From, To: '+15550000000', ...own });

  async function postToTwilio(query: string, own: Record<string, string>): Promise<void> {
    const url = `${world.api.url}/api/v1/callbacks/twilio${query}`;
    const form = { AccountSid: 'AC1', MessageSid: 'm-1', ...own };
    const signature = signAsTwilio(authToken, url, form);
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'x-twilio-signature': signature },
      body: new URLSearchParams(form),
    });
    if (answer.status !== 204) throw new Error(`Twilio's callback was answered ${answer.status}`);
  }

  /** Why an address is on the list; undefined where it is not. */
  async function causeOf(address: string, channel: Channel = 'email'): Promise<SuppressionCause | undefined> {
    const page = { limit: 10, direction: 'forward', cursor: null } as const;
    const { edges } = await world.notifications.suppressions.page(page, { channel, address });
    return edges[0]?.node.cause;
  }

  return Object.assign(world satisfies CallbackWorld, {
    answers,
    called,
    startWorker: () => world.work({ providers, random: () => 0 }),
    ...{ aReader, send, sendGridSays, twilioSays, twilioReceives, causeOf },
  });
}

export type SuppressionWorld = Awaited<ReturnType<typeof openSuppressionWorld>>;
