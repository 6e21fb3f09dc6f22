import { type ExecutionResult, type GraphQLSchema, graphql, parse, subscribe } from 'graphql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../src/platform/auth/caller.js';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import { createWakeUpHub, openSubscriptions, type WakeUpHub } from '../../src/platform/wake-ups/wake-ups.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import {
  aRequest,
  aTemplate,
  caller,
  type NotificationWorld,
  openNotificationWorld,
  shop,
  unique,
  until,
} from './notification-world.js';
import { silent } from './with-sandbox.js';

let world: NotificationWorld;
let schema: GraphQLSchema;
let hub: WakeUpHub;
let templateId: string;

beforeAll(async () => {
  [world, schema] = await Promise.all([openNotificationWorld(), buildApiSchema()]);
  hub = createWakeUpHub(
    openBlockingRedis(world.redisUrl.split(','), () => undefined),
    openSubscriptions(world.redis),
    silent,
  );
  await hub.ready;
  templateId = await aTemplate(world, 'in_app', 'NEWS', { title: 'Hi', actionUrl: 'https://example.com/a' });
  world.work({ providers: { close: async () => undefined } });
});
afterAll(async () => {
  hub.close();
  await world.close();
});

function contextOf(by: Caller | null, signal?: AbortSignal) {
  const app = { notifications: world.notifications } as Parameters<typeof createLoaders>[0];
  const viewer = by?.viewer ?? null;
  return { app, viewer, hub, signal, loaders: createLoaders(app, viewer), correlationId: 'test' };
}

async function ask(by: Caller | null, source: string, variableValues: Record<string, unknown> = {}) {
  const result = await graphql({ schema, source, variableValues, contextValue: contextOf(by) });
  return JSON.parse(JSON.stringify(result)) as {
    data: Record<string, Record<string, unknown>> | null;
    errors?: { message: string; path: unknown[] }[];
  };
}

/** Sends to a user's inbox and waits until it is there. */
async function sendTo(by: Caller, times = 1): Promise<void> {
  const { userId } = by.viewer;
  const before = (await world.notifications.inbox.unread(userId)).unreadCount;
  for (let sent = 0; sent < times; sent++) {
    const recipients = [{ userId, channels: ['in_app' as const], variables: { name: 'Ann' } }];
    await world.notifications.send(shop, aRequest({ type: 'NEWS', templateId, recipients }));
  }
  await until(async () => (await world.notifications.inbox.unread(userId)).unreadCount === before + times);
}

const INBOX = `query ($filter: InboxFilter! = ALL, $first: Int, $after: String) {
  inbox(filter: $filter, first: $first, after: $after) {
    unreadCount unreadCountIsEstimate updatesAfter pageInfo { hasNextPage endCursor }
    edges { cursor node { id itemId notificationType title body actionUrl imageUrl createdAt readAt archivedAt } } } }`;
const MARK = `mutation ($input: MarkInboxInput!) {
  markInbox(input: $input) { changed unreadCount userErrors { code path } } }`;

type Page = { edges: { node: { id: string; itemId: string } }[]; updatesAfter: string };

describe('the inbox in the API', () => {
  it('is read page by page, marked, and counted', async () => {
    const ann = caller(unique('ann'));
    await sendTo(ann, 3);
    const first = await ask(ann, INBOX, { first: 2 });
    expect(first.errors).toBeUndefined();
    expect(first.data!.inbox).toMatchObject({
      unreadCount: 3,
      unreadCountIsEstimate: false,
      pageInfo: { hasNextPage: true },
      edges: [
        {
          node: {
            notificationType: 'NEWS',
            title: 'Hi',
            body: 'Hello Ann',
            actionUrl: 'https://example.com/a',
            imageUrl: null,
            readAt: null,
            archivedAt: null,
          },
        },
        {},
      ],
    });
    const [newest, second] = (first.data!.inbox as unknown as Page).edges.map(({ node }) => node.itemId);
    const marked = await ask(ann, MARK, { input: { action: 'READ', itemIds: [newest, 'unknown'] } });
    expect(marked.data!.markInbox).toEqual({ changed: 1, unreadCount: 2, userErrors: [] });
    await ask(ann, MARK, { input: { action: 'ARCHIVE', itemIds: [second] } });
    const archived = await ask(ann, INBOX, { filter: 'ARCHIVED' });
    expect(archived.data!.inbox).toMatchObject({ unreadCount: 1, edges: [{ node: { itemId: second } }] });
    const unread = await ask(ann, INBOX, { filter: 'UNREAD' });
    expect((unread.data!.inbox as unknown as Page).edges).toHaveLength(1);
    const all = await ask(ann, MARK, { input: { action: 'READ', itemIds: null } });
    expect(all.data!.markInbox).toEqual({ changed: 2, unreadCount: 0, userErrors: [] });
  });

  it('answers the items that were marked, as they are now', async () => {
    const ann = caller(unique('ann'));
    await sendTo(ann, 3);
    const mark = `mutation ($input: MarkInboxInput!) {
      markInbox(input: $input) { changed items { id itemId readAt } userErrors { code } } }`;
    const page = (await ask(ann, INBOX)).data!.inbox as unknown as Page;
    const [newest, second] = page.edges.map(({ node }) => node);
    const input = { action: 'READ', itemIds: [newest!.id, second!.itemId, 'unknown'] };
    const named = (await ask(ann, mark, { input })).data!.markInbox as {
      changed: number;
      items: { itemId: string }[];
    };
    expect(named.changed).toBe(2);
    expect(new Set(named.items.map(({ itemId }) => itemId))).toEqual(
      new Set([newest!.itemId, second!.itemId]),
    );
    expect(named.items).toEqual(named.items.map((item) => ({ ...item, readAt: expect.any(String) })));
    const again = (await ask(ann, mark, { input })).data!.markInbox as { changed: number; items: object[] };
    expect([again.changed, again.items.length]).toEqual([0, 2]);
    const all = (await ask(ann, mark, { input: { action: 'READ' } })).data!.markInbox as { items: object[] };
    expect(all).toMatchObject({ changed: 1, items: [{ itemId: page.edges[2]!.node.itemId }] });
    const itemIds = Array.from({ length: 1_001 }, (_, i) => String(i));
    expect((await ask(ann, mark, { input: { action: 'READ', itemIds } })).data!.markInbox).toMatchObject({
      items: [],
      userErrors: [{ code: 'TOO_MANY_INBOX_ITEMS' }],
    });
  });

  it('refuses too many ids by a code, with the count as it is', async () => {
    const ann = caller(unique('ann'));
    await sendTo(ann);
    const itemIds = Array.from({ length: 1_001 }, (_, i) => String(i));
    const { data } = await ask(ann, MARK, { input: { action: 'READ', itemIds } });
    expect(data!.markInbox).toEqual({
      changed: 0,
      unreadCount: 1,
      userErrors: [{ code: 'TOO_MANY_INBOX_ITEMS', path: ['input', 'itemIds'] }],
    });
  });

  it('has items that `nodes` finds, for their own user alone, all in one statement', async () => {
    const [ann, bob] = [caller(unique('ann')), caller(unique('bob'))];
    await Promise.all([sendTo(ann, 2), sendTo(bob)]);
    const idsOf = async (by: Caller) =>
      ((await ask(by, INBOX)).data!.inbox as unknown as Page).edges.map(({ node }) => node.id);
    const [hers, his] = [await idsOf(ann), await idsOf(bob)];
    const query = vi.spyOn(world.postgres, 'query');
    const found = await ask(
      ann,
      'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on InboxItem { title } } }',
      {
        ids: [...hers, ...his, Buffer.from('InboxItem:nonsense').toString('base64url')],
      },
    );
    const asked = query.mock.calls.filter(
      ([one]) => typeof one !== 'string' && one.name === 'item.itemsById',
    );
    query.mockRestore();
    expect(asked).toHaveLength(1);
    expect(found.data!.nodes).toEqual([...hers.map((id) => ({ id, title: 'Hi' })), null, null]);
  });

  it('asks for a token', async () => {
    for (const [source, variables] of [
      [INBOX, {}],
      [MARK, { input: { action: 'READ' } }],
    ] as const) {
      expect((await ask(null, source, variables)).errors?.[0]?.message).toMatch(/token/);
    }
    const item = Buffer.from('InboxItem:0190a5c0-0000-7000-8000-000000000000').toString('base64url');
    expect((await ask(null, `{ node(id: "${item}") { id } }`)).errors?.[0]?.message).toMatch(/token/);
  });

  it('is followed, from a page on, by its own user alone', async () => {
    const ann = caller(unique('ann'));
    const { updatesAfter } = (await ask(ann, INBOX)).data!.inbox as unknown as Page;
    const follow = (by: Caller | null, after: string, signal: AbortSignal) =>
      subscribe({
        schema,
        document: parse(
          'subscription ($after: String) { inboxUpdated(after: $after) { cursor unreadCount item { id title } } }',
        ),
        variableValues: { after },
        contextValue: contextOf(by, signal),
      }) as Promise<AsyncGenerator<ExecutionResult>>;
    const stop = new AbortController();
    const updates = await follow(ann, updatesAfter, stop.signal);
    const next = updates.next();
    await sendTo(ann);
    expect((await next).value).toMatchObject({
      data: { inboxUpdated: { cursor: expect.any(String), unreadCount: 1, item: { title: 'Hi' } } },
    });
    stop.abort();
    await updates.return(undefined);
    const his = await follow(caller(unique('bob')), updatesAfter, AbortSignal.timeout(5_000));
    await expect(his.next()).rejects.toMatchObject({ message: expect.stringMatching(/cursor/) });
    expect(await follow(null, updatesAfter, stop.signal)).toMatchObject({ errors: [{}] });
  });
});

describe('devices and settings in the API', () => {
  it('register, unregister, and choose a digest', async () => {
    const ann = caller(unique('ann'));
    const { data } = await ask(
      ann,
      `mutation {
         registerDevice(input: { deviceId: "phone", platform: IOS, deviceToken: "abc" }) { userErrors { code } }
         first: unregisterDevice(input: { deviceId: "phone" }) { device { deviceId platform } userErrors { code } }
         second: unregisterDevice(input: { deviceId: "phone" }) { device { deviceId } userErrors { code path } }
         updateNotificationSettings(input: { digestFrequency: DAILY }) {
           preferences { settings { digestFrequency timezone } } userErrors { code } } }`,
    );
    expect(data).toEqual({
      registerDevice: { userErrors: [] },
      first: { device: { deviceId: 'phone', platform: 'IOS' }, userErrors: [] },
      second: { device: null, userErrors: [{ code: 'DEVICE_NOT_FOUND', path: ['input', 'deviceId'] }] },
      updateNotificationSettings: {
        preferences: { settings: { digestFrequency: 'DAILY', timezone: 'UTC' } },
        userErrors: [],
      },
    });
  });

  it('are known to the very next notification, also that a device is idle by now', async () => {
    const { userId } = caller(unique('ann')).viewer;
    const push = await aTemplate(world, 'push', 'IMPORTANT');
    const isPushedTo = async (): Promise<boolean> => {
      const recipients = [{ userId, channels: ['push' as const] }];
      const sent = await world.notifications.send(
        shop,
        aRequest({ type: 'IMPORTANT', templateId: push, recipients }),
      );
      if (!sent.ok) expect(sent.errors).toMatchObject([{ code: 'NOTHING_TO_SEND' }]);
      return sent.ok;
    };
    const device = { deviceId: 'phone', platform: 'ios' as const, deviceToken: unique('token') };
    expect(await isPushedTo()).toBe(false);
    await world.notifications.registerDevice(userId, device);
    expect(await isPushedTo()).toBe(true);
    await world.notifications.unregisterDevice(userId, 'phone');
    expect(await isPushedTo()).toBe(false);
    await world.notifications.registerDevice(userId, device);
    await world.notifications.updateSettings(userId, { quietHoursStart: '00:00', quietHoursEnd: '23:59' });
    expect(await isPushedTo()).toBe(false);
    await world.notifications.updateSettings(userId, { quietHoursStart: null, quietHoursEnd: null });
    expect(await isPushedTo()).toBe(true);
    await world.postgres.query(
      `UPDATE user_devices SET last_seen_at = now() - interval '60 days 1 second' WHERE user_id = $1`,
      [userId],
    );
    const worker = world.work({ providers: { close: async () => undefined } });
    await worker.run('notifications.forget');
    await worker.close();
    await until(async () => !(await isPushedTo()));
    expect(await world.notifications.devices(userId)).toMatchObject([{ isActive: false }]);
    await world.notifications.registerDevice(userId, device);
    expect(await isPushedTo()).toBe(true);
  });
});
