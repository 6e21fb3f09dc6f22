import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RecordedEvent } from '../../src/platform/event-log/index.js';
import { admin, caller, shop } from './notification-world.js';
import { accepted, codesOf, openWebhookWorld, type WebhookWorld } from './webhook-world.js';

const FIRST = { limit: 100, direction: 'forward', cursor: null } as const;

let world: WebhookWorld;
beforeAll(async () => {
  world = await openWebhookWorld();
});
afterEach(() => world.switchOff());
afterAll(() => world?.close());

describe('a webhook', () => {
  it('is its owner’s and admins’ alone, and its owner has twenty at most', async () => {
    const { webhooks } = world.notifications;
    const owner = caller('many', 'producer');
    const input = { url: 'https://example.com/', eventTypes: ['SENT'], notificationTypes: [] };
    const made: Awaited<ReturnType<typeof webhooks.create>>[] = [];
    for (let batch = 0; batch < 5; batch += 1) {
      await world.switchOff();
      made.push(...(await Promise.all(Array.from({ length: 5 }, () => webhooks.create(owner, input)))));
    }
    const refusals = made.filter((one) => !one.ok);
    expect(refusals.map(codesOf)).toEqual(Array(5).fill(['TOO_MANY_WEBHOOKS']));
    const { webhookId } = made.flatMap((one) => (one.ok ? [one.value.webhook] : []))[0]!;
    expect((await webhooks.page(owner, { ...FIRST, limit: 15 })).pageInfo.hasNextPage).toBe(true);
    expect((await webhooks.page(owner, FIRST)).edges).toHaveLength(20);
    expect(await webhooks.find(admin, webhookId)).toMatchObject({ ownerId: 'many' });
    expect(await webhooks.find(shop, webhookId)).toBeNull();
    expect(codesOf(await webhooks.update(shop, { webhookId, isActive: false }))).toEqual(['NOT_FOUND']);
    expect(codesOf(await webhooks.remove(shop, webhookId))).toEqual(['NOT_FOUND']);
    expect(codesOf(await webhooks.rotateSecret(shop, webhookId))).toEqual(['NOT_FOUND']);
    expect(codesOf(await webhooks.replay(shop, { webhookId, since: new Date() }))).toEqual(['NOT_FOUND']);
    expect(codesOf(await webhooks.update(owner, { webhookId: 'nonsense' }))).toEqual(['NOT_FOUND']);
    const changed = await webhooks.update(owner, { webhookId, eventTypes: ['SENT', 'SENT', 'Nonsense'] });
    expect(codesOf(changed)).toEqual(['EVENT_TYPE_UNKNOWN']);
    expect(await webhooks.find(owner, webhookId)).toMatchObject({ eventTypes: ['SENT'] });
  });

  it('that is active and follows lifecycle events is one of five of its owner’s', async () => {
    const { webhooks } = world.notifications;
    const owner = caller('following', 'producer', 'admin');
    const input = { url: 'https://example.com/', eventTypes: ['SENT'], notificationTypes: [] };
    const following = await Promise.all(Array.from({ length: 6 }, () => webhooks.create(owner, input)));
    expect(following.flatMap(codesOf)).toEqual(['TOO_MANY_WEBHOOKS']);
    const [first, second] = following.flatMap((one) => (one.ok ? [one.value.webhook.webhookId] : []));
    const ofLog = accepted(await webhooks.create(owner, { ...input, eventTypes: ['OrderPlaced'] }));
    const update = async (webhookId: string, change: { isActive?: boolean; eventTypes?: string[] }) =>
      codesOf(await webhooks.update(owner, { webhookId, ...change }));
    expect(await update(ofLog.webhook.webhookId, { eventTypes: ['SENT'] })).toEqual(['TOO_MANY_WEBHOOKS']);
    expect(await update(first!, { eventTypes: ['FAILED'], isActive: true })).toEqual([]);
    expect(await update(first!, { isActive: false })).toEqual([]);
    accepted(await webhooks.create(owner, input));
    expect(await update(first!, { isActive: true })).toEqual(['TOO_MANY_WEBHOOKS']);
    expect(await update(first!, { eventTypes: ['SENT'] })).toEqual([]);
    accepted(await webhooks.remove(owner, second!));
    const both = [
      update(first!, { isActive: true }),
      update(ofLog.webhook.webhookId, { eventTypes: ['SENT'] }),
    ];
    expect((await Promise.all(both)).flat()).toEqual(['TOO_MANY_WEBHOOKS']);
  });

  it('that follows the log, or has followed it, is not there for its owner without the role of an admin', async () => {
    const { webhooks } = world.notifications;
    const [ada, demoted] = [caller('ada', 'producer', 'admin'), caller('ada', 'producer')];
    const [plain, ofLog, formerly] = [
      await world.aWebhook({ caller: ada }),
      await world.aWebhook({ caller: ada, eventTypes: ['SENT', 'OrderPlaced'] }),
      await world.aWebhook({ caller: ada, eventTypes: ['OrderPlaced'] }),
    ];
    accepted(await webhooks.update(ada, { webhookId: formerly.webhookId, eventTypes: ['SENT'] }));
    for (const { webhookId, receiver } of [ofLog, formerly]) {
      const url = 'https://elsewhere.example/';
      expect(codesOf(await webhooks.update(demoted, { webhookId, url }))).toEqual(['NOT_FOUND']);
      expect(codesOf(await webhooks.update(demoted, { webhookId, eventTypes: ['SENT'] }))).toEqual([
        'NOT_FOUND',
      ]);
      expect(codesOf(await webhooks.rotateSecret(demoted, webhookId))).toEqual(['NOT_FOUND']);
      expect(codesOf(await webhooks.replay(demoted, { webhookId, since: new Date(0) }))).toEqual([
        'NOT_FOUND',
      ]);
      expect(await webhooks.find(demoted, webhookId)).toBeNull();
      expect(await webhooks.find(ada, webhookId)).toMatchObject({ url: receiver.url });
    }
    const idsOf = async (page: ReturnType<typeof webhooks.page>) =>
      (await page).edges.map(({ node }) => node.webhookId);
    for (const direction of ['forward', 'backward'] as const)
      expect(await idsOf(webhooks.page(demoted, { ...FIRST, direction }))).toEqual([plain.webhookId]);
    expect(await idsOf(webhooks.page(ada, FIRST))).toEqual(
      expect.arrayContaining([plain, ofLog, formerly].map(({ webhookId }) => webhookId)),
    );
    accepted(await webhooks.update(demoted, { webhookId: plain.webhookId, eventTypes: ['FAILED'] }));
    accepted(await webhooks.remove(demoted, ofLog.webhookId));
    expect(await webhooks.find(ada, ofLog.webhookId)).toBeNull();
  });

  it('cannot be made where there is no key to keep its secret by', async () => {
    const { webhooks } = world.another({
      config: {
        ...{ quietHours: {}, retention: { days: 90, inboxDays: 365 } },
        webhooks: { allowPrivate: false, retentionDays: 30 },
      },
    });
    const input = { url: 'https://example.com/', eventTypes: ['SENT'], notificationTypes: [] };
    expect(codesOf(await webhooks.create(shop, input))).toEqual(['WEBHOOK_KEY_MISSING']);
  });

  it('of an admin gets events of the log, each stream’s in order', async () => {
    const followed = ['OrderPlaced', 'OrderShipped'];
    const { webhookId, receiver } = await world.aWebhook({ caller: admin, eventTypes: followed });
    const event = (globalPosition: number, streamId: string, type: string) =>
      ({
        ...{ globalPosition, streamId, streamPosition: globalPosition, type, data: { at: globalPosition } },
        ...{ metadata: { correlationId: 'c', causationId: 'x' }, createdAt: new Date() },
      }) as unknown as RecordedEvent;
    await world.postgres.transaction((tx) =>
      world.notifications.webhooks.queueFromLog(tx, [
        event(1, 'Order-1', 'OrderPlaced'),
        event(2, 'Order-2', 'OrderPlaced'),
        event(3, 'Order-1', 'OrderShipped'),
        event(4, 'Account-1', 'MoneyDeposited'),
      ]),
    );
    await world.drain(webhookId);
    const positions = (streamId: string) =>
      receiver.got.filter(({ data }) => data.stream_id === streamId).map(({ data }) => data.position);
    expect([positions('Order-1'), positions('Order-2'), positions('Account-1')]).toEqual([[1, 3], [2], []]);
    expect(receiver.got[0]).toMatchObject({ data: { correlation_id: 'c', data: { at: 1 } } });
  });
});
