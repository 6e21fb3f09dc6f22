import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authToken, type CallbackWorld, openCallbackWorld } from './callback-world.js';
import { deliveriesOf } from './notification-world.js';
import { signAsTwilio } from './sign-as-twilio.js';

let world: CallbackWorld;
beforeAll(async () => {
  world = await openCallbackWorld();
});
afterAll(() => world.close());

describe("Twilio's callbacks, signed by its own package", () => {
  async function call(
    deliveryId: string,
    fields: Record<string, string>,
    own: { token?: string; at?: string } = {},
  ) {
    const url = `${world.api.url}/api/v1/callbacks/twilio?deliveryId=${own.at ?? deliveryId}`;
    const form = { AccountSid: 'AC1', MessageSid: 'SM1', To: '+15551234567', ...fields };
    const signed = `${world.api.url}/api/v1/callbacks/twilio?deliveryId=${deliveryId}`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'x-twilio-signature': signAsTwilio(own.token ?? authToken, signed, form),
      },
      body: new URLSearchParams(form),
    });
    return answer.status;
  }

  it('lead along the chain, whatever order they come in', async () => {
    const { deliveryId } = (await world.inRetry('sms', 1)).deliveries[0]!;
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
      expect(await world.statusOf(deliveryId)).toBe(status);
    }
    expect(await world.afterIntake(deliveryId)).toEqual(['SENT', 'DELIVERED']);
  });

  it.each(['undelivered', 'failed'])('end at %s, and nothing comes after', async (MessageStatus) => {
    const { deliveries, notificationId } = await world.inRetry('sms', 1);
    const { deliveryId } = deliveries[0]!;
    expect(await call(deliveryId, { MessageStatus, ErrorCode: '30003' })).toBe(204);
    for (const later of ['sent', 'delivered', MessageStatus])
      await call(deliveryId, { MessageStatus: later });
    expect(await deliveriesOf(world, notificationId)).toMatchObject([
      { status: 'DEAD', lastError: `${MessageStatus}: 30003` },
    ]);
    expect(await world.afterIntake(deliveryId)).toEqual(['FAILED', 'DLQ']);
  });

  it('are taken under their older names, and where a status is new nothing changes', async () => {
    const { deliveryId } = (await world.inRetry('sms', 1)).deliveries[0]!;
    expect(await call(deliveryId, { MessageStatus: 'partially_delivered', ErrorCode: '' })).toBe(204);
    expect(await world.statusOf(deliveryId)).toBe('RETRYING');
    expect(await call(deliveryId, { MessageSid: '', SmsSid: 'SM1', SmsStatus: 'sent' })).toBe(204);
    expect(await call(deliveryId, { MessageStatus: 'undelivered', ErrorCode: '' })).toBe(204);
    expect(await world.statusOf(deliveryId)).toBe('DEAD');
  });

  it('are refused with another token, and for another delivery', async () => {
    const { deliveries } = await world.inRetry('sms', 2);
    const [one, other] = deliveries.map(({ deliveryId }) => deliveryId) as [string, string];
    expect(await call(one, { MessageStatus: 'delivered' }, { token: 'another' })).toBe(403);
    expect(await call(one, { MessageStatus: 'delivered' }, { at: other })).toBe(403);
    expect([await world.statusOf(one), await world.statusOf(other)]).toEqual(['RETRYING', 'RETRYING']);
  });

  it('for nobody are taken, so that they are not repeated', async () => {
    expect(await call(randomUUID(), { MessageStatus: 'delivered' })).toBe(204);
    expect(await call('none', { MessageStatus: 'delivered' })).toBe(204);
  });
});
