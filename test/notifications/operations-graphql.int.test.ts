import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  graphql,
  parse,
  subscribe,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { recordChanges } from '../../src/domains/notifications/alerts/record.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import { systemClock } from '../../src/platform/clock.js';
import { uuidV7Ids } from '../../src/platform/ids.js';
import { openBlockingRedis } from '../../src/platform/redis/redis.js';
import {
  createWakeUpHub,
  createWakeUpPublisher,
  openSubscriptions,
  type WakeUpHub,
} from '../../src/platform/wake-ups/wake-ups.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { giveUp, sendPushes } from './dead-letter-world.js';
import {
  admin,
  aTemplate,
  caller,
  type NotificationWorld,
  openNotificationWorld,
  shop,
} from './notification-world.js';
import { silent } from './with-sandbox.js';

let world: NotificationWorld;
let schema: GraphQLSchema;
let hub: WakeUpHub;
const leaving = new AbortController();

beforeAll(async () => {
  [world, schema] = await Promise.all([openNotificationWorld(), buildApiSchema()]);
  hub = createWakeUpHub(
    openBlockingRedis(world.redisUrl.split(','), () => undefined),
    openSubscriptions(world.redis),
    silent,
  );
});
afterAll(async () => {
  leaving.abort();
  hub.close();
  await world.close();
});

function contextOf(by: Caller | null) {
  const app = {
    notifications: world.notifications,
    postgres: world.postgres,
    get feed(): never {
      throw new Error('notifications ask nothing of the feed');
    },
  };
  const viewer = by?.viewer ?? null;
  return {
    app,
    viewer,
    hub,
    signal: leaving.signal,
    loaders: createLoaders(app, viewer),
    correlationId: 'test',
  };
}
async function ask(by: Caller | null, source: string, variableValues: Record<string, unknown> = {}) {
  const result = await graphql({ schema, source, variableValues, contextValue: contextOf(by) });
  return JSON.parse(JSON.stringify(result)) as {
    data: Record<string, Record<string, unknown> & unknown[]> | null;
    errors?: { message: string; extensions?: { code?: string } }[];
  };
}
const follow = (by: Caller | null, source: string, variableValues: Record<string, unknown> = {}) =>
  subscribe({
    schema,
    document: parse(source) as DocumentNode,
    variableValues,
    contextValue: contextOf(by),
  });
const raise = (scope: string) =>
  recordChanges(
    {
      ...world,
      wakeUps: createWakeUpPublisher(world.redis),
      clock: systemClock,
      ids: uuidV7Ids(systemClock),
      logger: silent,
    },
    {
      raise: [{ name: 'made_up', scope, severity: 'CRITICAL', message: 'Made up', value: 2.5, threshold: 1 }],
      resolve: [],
    },
  );

describe('dead letters, for admins', () => {
  it('are listed with their number, looked at, retried and discarded', async () => {
    const templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED');
    const ids = await giveUp(world, await sendPushes(world, templateId, 3));
    const list = `query ($channel: Channel) { deadLetters(first: 2, channel: $channel) { totalCount
      edges { cursor node { id deliveryId notificationId userId channel error attempts createdAt failedAt settledAt } }
      pageInfo { hasNextPage } } }`;
    const { data } = await ask(admin, list);
    const { edges, totalCount, pageInfo } = data!.deadLetters as never as {
      edges: { node: { id: string; deliveryId: string } }[];
      totalCount: number;
      pageInfo: object;
    };
    expect([totalCount, edges.length, pageInfo]).toEqual([3, 2, { hasNextPage: true }]);
    expect(edges[0]!.node).toMatchObject({
      channel: 'PUSH',
      error: 'PROVIDER_DOWN: tried often enough',
      attempts: 6,
      settledAt: null,
    });
    expect((await ask(admin, list, { channel: 'SMS' })).data!.deadLetters).toMatchObject({
      totalCount: 0,
      edges: [],
    });

    const settled = await ask(
      admin,
      `mutation ($retry: [ID!], $discard: [ID!]) {
         retryDeadLetters(input: { deliveryIds: $retry }) { affected skipped hasMore deadLetters { deliveryId settledAt } userErrors { code } }
         discardDeadLetters(input: { deliveryIds: $discard, channel: PUSH }) { affected skipped hasMore deadLetters { deliveryId settledAt } userErrors { code } } }`,
      { retry: [ids[0]], discard: [ids[0], ids[1]] },
    );
    const settledLetter = (deliveryId: string | undefined) => ({
      deliveryId,
      settledAt: expect.stringContaining('T'),
    });
    expect(settled.data).toEqual({
      retryDeadLetters: {
        affected: 1,
        skipped: [],
        hasMore: false,
        deadLetters: [settledLetter(ids[0])],
        userErrors: [],
      },
      discardDeadLetters: {
        affected: 1,
        skipped: [ids[0]],
        hasMore: false,
        deadLetters: [settledLetter(ids[1])],
        userErrors: [],
      },
    });
    const refused = await ask(
      admin,
      'mutation { retryDeadLetters(input: {}) { affected userErrors { code path } } }',
    );
    expect(refused.data!.retryDeadLetters).toEqual({
      affected: 0,
      userErrors: [{ code: 'NO_DEAD_LETTERS', path: ['input'] }],
    });
  });

  it('are found by `nodes` in one query, open or not, and by admins alone', async () => {
    const templateId = await aTemplate(world, 'push', 'ORDER_SHIPPED', {
      templateId: 'again',
      language: 'de',
    });
    await giveUp(world, await sendPushes(world, templateId, 2));
    const page = await ask(admin, '{ deadLetters { edges { node { id deliveryId } } } }');
    const { edges } = page.data!.deadLetters as never as {
      edges: { node: { id: string; deliveryId: string } }[];
    };
    await world.notifications.deadLetters.discard(admin, { deliveryIds: [edges[0]!.node.deliveryId] });
    const nodes = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on DeadLetter { deliveryId } } }';
    const query = vi.spyOn(world.postgres, 'query');
    const found = await ask(admin, nodes, { ids: edges.map(({ node }) => node.id) });
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
    expect(found.data!.nodes).toEqual(edges.map(({ node }) => node));
    const hidden = await ask(shop, nodes, { ids: edges.map(({ node }) => node.id) });
    expect(hidden.data!.nodes).toEqual(edges.map(() => null));
  });
});

describe('alerts, for admins', () => {
  it('are listed: the active ones, or those that are over', async () => {
    await raise('listed');
    const alerts = `query ($active: Boolean! = true) { alerts(active: $active) {
      id name scope severity message value threshold raisedAt resolvedAt } }`;
    const { data } = await ask(admin, alerts);
    expect(data!.alerts).toEqual([
      expect.objectContaining({
        name: 'made_up',
        scope: 'listed',
        severity: 'CRITICAL',
        message: 'Made up',
        value: 2.5,
        threshold: 1,
        resolvedAt: null,
      }),
    ]);
    expect((await ask(admin, alerts, { active: false })).data!.alerts).toEqual([]);
    const { id } = (data!.alerts as never as { id: string }[])[0]!;
    const node = 'query ($id: ID!) { node(id: $id) { id ... on Alert { scope } } }';
    expect((await ask(admin, node, { id })).data!.node).toEqual({ id, scope: 'listed' });
    expect((await ask(shop, node, { id })).data!.node).toBeNull();
  });

  it('are followed, and gone on with from a cursor', async () => {
    const source = 'subscription ($after: String) { alertRaised(after: $after) { cursor alert { scope } } }';
    type Update = { alertRaised: { cursor: string; alert: { scope: string } } };
    const next = async (updates: Awaited<ReturnType<typeof follow>>) => {
      const { value } = await (updates as AsyncGenerator<ExecutionResult<Update>>).next();
      return value.data.alertRaised as Update['alertRaised'];
    };
    const zero = Buffer.from('[0]').toString('base64url');
    await raise('first');
    await raise('second');
    const all = await follow(admin, source, { after: zero });
    const seen = [await next(all)];
    while (seen.at(-1)!.alert.scope !== 'second') seen.push(await next(all));
    const before = seen.at(-2)!;
    expect(await next(await follow(admin, source, { after: before.cursor }))).toEqual(seen.at(-1));
    const live = next(all);
    await raise('third');
    expect((await live).alert.scope).toBe('third');
  });
});

describe('a user who is no admin', () => {
  it('sees and does none of it', async () => {
    const fields = [
      '{ deadLetters { totalCount } }',
      '{ alerts { name } }',
      'mutation { retryDeadLetters(input: { channel: PUSH }) { affected } }',
      'mutation { discardDeadLetters(input: { channel: PUSH }) { affected } }',
    ];
    for (const by of [caller('mallory'), shop, null]) {
      for (const field of fields) {
        const { errors } = await ask(by, field);
        expect(errors?.[0]?.message).toMatch(by ? /role admin/ : /token/);
      }
      const refused = await follow(by, 'subscription { alertRaised { cursor } }');
      expect(refused).toMatchObject({
        errors: [{ message: expect.stringMatching(by ? /role admin/ : /token/) }],
      });
    }
  });
});
