import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWebhookWorld, running, type WebhookWorld } from './webhook-world.js';
import { type ApiOnTest, openApi } from './with-api.js';

let world: WebhookWorld;
let api: ApiOnTest;
beforeAll(async () => {
  world = await openWebhookWorld();
  api = await openApi(world.notifications, world.clock);
});
afterAll(async () => {
  await api?.close();
  await world?.close();
});

it('a producer makes, reads, changes and deletes webhooks; nobody else sees them but admins', async () => {
  const { receiver } = await world.aWebhook();
  const create = `mutation ($url: URL!) { createWebhook(input: { url: $url, eventTypes: ["CREATED"] }) {
    webhook { id webhookId ownerId url eventTypes notificationTypes isActive disabledReason } secret userErrors { code path } } }`;
  const made = await api.graphql('shop', create, { url: receiver.url }, 'producer');
  const { webhook, secret } = made.data.createWebhook as { webhook: Record<string, string>; secret: string };
  expect(webhook).toMatchObject({
    ...{ ownerId: 'shop', url: receiver.url, eventTypes: ['CREATED'], notificationTypes: [] },
    ...{ isActive: true, disabledReason: null },
  });
  receiver.secret = secret;
  await world.notify();
  await world.relay.drain(webhook.webhookId!, running);

  const read = `query ($id: ID!) {
    webhook(webhookId: $id) { webhookId deliveries(first: 1) { nodes { deliveryId eventType status attempts lastStatusCode } } }
    node(id: $id) { ... on Webhook { webhookId } }
  }`;
  for (const [userId, role] of [
    ['shop', 'producer'],
    ['root', 'admin'],
  ] as const) {
    const seen = await api.graphql(userId, read, { id: webhook.id }, role);
    expect(seen.data).toMatchObject({
      webhook: {
        webhookId: webhook.webhookId,
        deliveries: {
          nodes: [{ eventType: 'CREATED', status: 'DELIVERED', attempts: 1, lastStatusCode: 204 }],
        },
      },
      node: { webhookId: webhook.webhookId },
    });
  }
  expect((await api.graphql('other', read, { id: webhook.id }, 'producer')).data).toEqual({
    webhook: null,
    node: null,
  });
  const { errors } = await api.graphql('alice', read, { id: webhook.id }, 'user');
  expect(errors?.[0]?.extensions.code).toBe('FORBIDDEN');

  const list = '{ webhooks(first: 1) { nodes { webhookId } pageInfo { hasNextPage } } }';
  expect((await api.graphql('shop', list, {}, 'producer')).data.webhooks).toEqual({
    nodes: [{ webhookId: webhook.webhookId }],
    pageInfo: { hasNextPage: true },
  });
  expect((await api.graphql('other', list, {}, 'producer')).data.webhooks).toMatchObject({ nodes: [] });

  world.clock.forward(10);
  const change = `mutation ($id: ID!) {
    updateWebhook(input: { webhookId: $id, isActive: false, notificationTypes: ["A"] }) { webhook { isActive notificationTypes eventTypes } userErrors { code } }
    rotateWebhookSecret(input: { webhookId: $id }) { webhook { webhookId } secret userErrors { code } }
    replayWebhook(input: { webhookId: $id, since: "2026-01-01T00:00:00Z" }) { queued nextSince userErrors { code } }
    deleteWebhook(input: { webhookId: $id }) { webhookId userErrors { code path } }
  }`;
  const nothing = { userErrors: [{ code: 'NOT_FOUND' }] };
  expect((await api.graphql('other', change, { id: webhook.id }, 'producer')).data).toMatchObject({
    updateWebhook: { webhook: null, ...nothing },
    rotateWebhookSecret: { webhook: null, secret: null, ...nothing },
    replayWebhook: { queued: 0, ...nothing },
    deleteWebhook: { webhookId: null, ...nothing },
  });
  const changed = (await api.graphql('shop', change, { id: webhook.id }, 'producer')).data;
  expect(changed).toMatchObject({
    updateWebhook: { webhook: { isActive: false, notificationTypes: ['A'], eventTypes: ['CREATED'] } },
    rotateWebhookSecret: { secret: expect.stringMatching(/^whsec_/) },
    replayWebhook: { queued: 1, nextSince: null },
    deleteWebhook: { webhookId: webhook.webhookId, userErrors: [] },
  });
  expect(changed.rotateWebhookSecret!.secret).not.toBe(secret);

  const ofLog = await api.graphql(
    'shop',
    create.replace('"CREATED"', '"OrderPlaced"'),
    { url: receiver.url },
    'admin',
  );
  const { id } = ofLog.data.createWebhook!.webhook as { id: string };
  expect((await api.graphql('shop', read, { id }, 'admin')).data).toMatchObject({
    webhook: { deliveries: { nodes: [] } },
  });
  expect((await api.graphql('shop', read, { id }, 'producer')).data).toEqual({ webhook: null, node: null });

  const wrong = await api.graphql(
    'shop',
    create.replace('"CREATED"', '"OrderPlaced"'),
    { url: 'https://ann:secret@example.com/' },
    'producer',
  );
  expect(wrong.data.createWebhook).toMatchObject({
    webhook: null,
    secret: null,
    userErrors: [
      { code: 'WEBHOOK_URL_REFUSED', path: ['input', 'url'] },
      { code: 'EVENT_TYPE_UNKNOWN', path: ['input', 'eventTypes', '0'] },
    ],
  });
});
