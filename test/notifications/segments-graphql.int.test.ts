import { type GraphQLSchema, graphql } from 'graphql';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createSegments } from '../../src/domains/notifications/segments/index.js';
import type { Caller } from '../../src/platform/auth/caller.js';
import { systemClock } from '../../src/platform/clock.js';
import { openPostgres, type Postgres } from '../../src/platform/postgres/postgres.js';
import { createLoaders } from '../../src/resolvers/loaders.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { toGlobalId } from '../../src/schema/relay.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { admin, caller, shop } from './notification-world.js';

let database: TestDatabase;
let postgres: Postgres;
let schema: GraphQLSchema;
let segments: ReturnType<typeof createSegments>;

beforeAll(async () => {
  [database, schema] = await Promise.all([createTestDatabase(), buildApiSchema()]);
  postgres = openPostgres(database.url, { max: 5, applicationName: 'test', onError: () => undefined });
  segments = createSegments({ postgres, clock: systemClock });
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

async function ask(by: Caller | null, source: string, variableValues: Record<string, unknown> = {}) {
  const findUsers = async (userIds: readonly string[]) =>
    userIds.map((userId) => ({ userId, displayName: userId, avatarUrl: null }));
  const app = { notifications: { segments }, feed: { findUsers } };
  const viewer = by?.viewer ?? null;
  const contextValue = { app, viewer, correlationId: 'test', loaders: createLoaders(app as never, viewer) };
  const { data, errors } = await graphql({ schema, source, variableValues, contextValue });
  return { data: JSON.parse(JSON.stringify(data ?? null)), messages: errors?.map(({ message }) => message) };
}

const SET = `mutation ($users: [UserAttributesInput!]!) {
  setUserAttributes(input: { users: $users }) { changed userErrors { code path } } }`;
const ESTIMATE = `query ($filter: String!) {
  estimateSegment(filter: $filter) { count sample { userId } userErrors { code message path } } }`;

it('producers and admins set attributes and ask how many users a filter means', async () => {
  await postgres.query(`INSERT INTO users (user_id, display_name) VALUES ('ada', 'Ada'), ('bob', 'Bob')`);
  const users = [
    { userId: 'ada', attributes: { plan: 'pro', seats: 3 } },
    { userId: 'bob', attributes: { plan: 'free' } },
    { userId: 'without-account', attributes: { plan: 'pro' } },
  ];
  expect((await ask(shop, SET, { users })).data.setUserAttributes).toEqual({ changed: 3, userErrors: [] });
  expect((await ask(admin, ESTIMATE, { filter: 'plan = "pro"' })).data.estimateSegment).toEqual({
    count: 1,
    sample: [{ userId: 'ada' }],
    userErrors: [],
  });
  expect((await ask(shop, ESTIMATE, { filter: 'createdDays < 1' })).data.estimateSegment.count).toBe(2);
});

it('a refusal has a code and a path, and changes nothing', async () => {
  const users = [
    { userId: 'ada', attributes: { plan: 'team' } },
    { userId: 'bob', attributes: { seats: 'many' } },
  ];
  expect((await ask(shop, SET, { users })).data.setUserAttributes).toEqual({
    changed: 0,
    userErrors: [{ code: 'ATTRIBUTE_TYPE', path: ['input', 'users', '1', 'attributes', 'seats'] }],
  });
  expect(
    (await ask(shop, ESTIMATE, { filter: 'plam = "pro" and\n seats = "3"' })).data.estimateSegment,
  ).toEqual({
    count: 0,
    sample: [],
    userErrors: [
      {
        code: 'ATTRIBUTE_UNKNOWN',
        message: 'line 1, column 1: nobody has an attribute plam; did you mean plan?',
        path: ['filter'],
      },
      {
        code: 'ATTRIBUTE_TYPE',
        message: 'line 2, column 10: seats is a number and cannot be compared with a text',
        path: ['filter'],
      },
    ],
  });
});

it('many of them are read once by their global ids', async () => {
  const names = ['plan', 'userId', 'seats', 'nobody'];
  const ids = names.map((name) => toGlobalId('UserAttribute', name));
  const statements = vi.spyOn(postgres, 'query');
  const fields = 'id ... on UserAttribute { name isBuiltIn createdBy }';
  const asked = `query ($ids: [ID!]!) { nodes(ids: $ids) { ${fields} } again: nodes(ids: $ids) { ${fields} } }`;
  const { data } = await ask(shop, asked, { ids });
  expect(statements).toHaveBeenCalledTimes(1);
  statements.mockRestore();
  expect(data.again).toEqual(data.nodes);
  expect(data.nodes).toEqual([
    { id: ids[0], name: 'plan', isBuiltIn: false, createdBy: null },
    { id: ids[1], name: 'userId', isBuiltIn: true, createdBy: null },
    { id: ids[2], name: 'seats', isBuiltIn: false, createdBy: null },
    null,
  ]);
  expect((await ask(admin, asked, { ids })).data.nodes[0].createdBy).toBe(shop.viewer.userId);
  expect((await ask(caller('mallory'), asked, { ids })).data.nodes).toEqual([null, null, null, null]);
});

it('nobody else may', async () => {
  const fields = [
    'mutation { setUserAttributes(input: { users: [{ userId: "ada", attributes: { plan: "x" } }] }) { changed } }',
    '{ estimateSegment(filter: "plan exists") { count } }',
  ];
  for (const by of [caller('mallory'), null])
    for (const field of fields)
      expect((await ask(by, field)).messages).toEqual([
        expect.stringMatching(by ? /role producer/ : /token/),
      ]);
});
