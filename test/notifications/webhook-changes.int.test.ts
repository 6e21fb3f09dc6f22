import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { shop, until } from './notification-world.js';
import { startReceiver, type TestReceiver } from './receivers.js';
import { accepted, openWebhookWorld, running, type WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
let other: TestReceiver;
beforeAll(async () => {
  world = await openWebhookWorld();
  other = await startReceiver();
});
afterEach(() => world.switchOff());
afterAll(async () => {
  await other?.close();
  await world?.close();
});

/** A webhook whose receiver has the first event of two notifications, and answers once `change` is answered; others wait. */
async function whileEventsAreSent(change: (webhookId: string, receiver: TestReceiver) => Promise<unknown>) {
  const { webhookId, receiver } = await world.aWebhook();
  const requestIds = [await world.notify(), await world.notify()];
  const { promise: changed, resolve: goOn } = Promise.withResolvers<void>();
  receiver.answer = async (response) => {
    await changed;
    response.writeHead(204).end();
  };
  const drained = world.drain(webhookId);
  await until(() => receiver.got.length === 2);
  await change(webhookId, receiver);
  goOn();
  await drained;
  return { webhookId, receiver, requestIds };
}

describe('while the events of a webhook are sent', () => {
  it('none begins to be sent to the former URL once another one was answered; the rest goes there', async () => {
    const { webhookId, receiver, requestIds } = await whileEventsAreSent(async (id) =>
      accepted(await world.notifications.webhooks.update(shop, { webhookId: id, url: other.url })),
    );
    expect(receiver.got).toHaveLength(2);
    await world.drain(webhookId);
    for (const requestId of requestIds) expect(world.numbersOf(other, requestId)).toHaveLength(1);
    expect(await world.waiting(webhookId)).toBe(0);
  });

  it('none begins to be sent once it was answered that it is switched off; the rest waits', async () => {
    const { webhooks } = world.notifications;
    const { webhookId, receiver } = await whileEventsAreSent(async (id) =>
      accepted(await webhooks.update(shop, { webhookId: id, isActive: false })),
    );
    expect(receiver.got).toHaveLength(2);
    expect(await world.waiting(webhookId)).toBe(2);
    const statuses = (await world.deliveriesOf(webhookId)).map(({ status }) => status);
    expect(statuses.sort()).toEqual(['DELIVERED', 'DELIVERED', 'PENDING', 'PENDING']);
    accepted(await webhooks.update(shop, { webhookId, isActive: true }));
    await world.drain(webhookId);
    expect(receiver.got).toHaveLength(4);
  });

  it('none begins to be sent once it was answered that it is deleted', async () => {
    const { receiver } = await whileEventsAreSent(async (id) =>
      accepted(await world.notifications.webhooks.remove(shop, id)),
    );
    expect(receiver.got).toHaveLength(2);
  });

  it('all that begin to be sent once a new secret was answered are signed by it', async () => {
    const { webhookId, receiver } = await whileEventsAreSent(async (id, changed) => {
      changed.secret = accepted(await world.notifications.webhooks.rotateSecret(shop, id)).secret;
    });
    expect(receiver.got).toHaveLength(4);
    expect((await world.deliveriesOf(webhookId)).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1]);
  });
});

describe.each([
  ['a minute', 60_000],
  ['four days', 4 * 86_400_000],
])('a receiver that takes an event after %s of failures', (_, agoMs) => {
  const pausedOne = async () => {
    const { webhookId, receiver } = await world.aWebhook();
    await world.postgres.query(
      `UPDATE webhooks SET pauses = 7, paused_until = now() - interval '1 second', failing_since = $2 WHERE webhook_id = $1`,
      [webhookId, new Date(world.clock.now() - agoMs)],
    );
    return { webhookId, receiver };
  };
  const expectAfresh = async (webhookId: string) => {
    const { rows } = await world.postgres.query(
      'SELECT is_active, pauses, paused_until, failing_since FROM webhooks WHERE webhook_id = $1',
      [webhookId],
    );
    expect(rows).toEqual([{ is_active: true, pauses: 0, paused_until: null, failing_since: null }]);
  };

  it('begins anew: one failure neither pauses nor disables it', async () => {
    const { webhookId, receiver } = await pausedOne();
    const late = world.notifications.webhooks.openRelay({ random: () => 0.999 });
    const requestId = await world.notify();
    const statuses = [204, 500];
    receiver.answer = (response) => response.writeHead(statuses.shift() ?? 204).end();
    await late.drain(webhookId, running);
    expect(world.numbersOf(receiver, requestId)).toHaveLength(2);
    await expectAfresh(webhookId);
    late.close();
  });

  it('begins anew, too, where another process sends it while an attempt of this one fails', async () => {
    const { webhookId, receiver } = await pausedOne();
    const [here, there] = [1, 2].map(() => world.notifications.webhooks.openRelay({ random: () => 0.999 }));
    await world.notify();
    receiver.answer = async (response) => {
      receiver.answer = (other) => other.writeHead(204).end();
      await world.notify();
      await there!.drain(webhookId, running);
      response.writeHead(500).end();
    };
    await here!.drain(webhookId, running);
    expect(receiver.got).toHaveLength(3);
    await expectAfresh(webhookId);
    for (const relay of [here!, there!]) relay.close();
  });
});
