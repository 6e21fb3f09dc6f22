import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLField, getNamedType, isObjectType, isRequiredArgument } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signToken } from '../../src/platform/auth/auth.js';
import { encodeCursor } from '../../src/platform/paging.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startApi, type TestProcess, testAuthSecret } from '../support/processes.js';
import { startTestRedis, type TestRedis } from '../support/redis.js';

const ID = '0190a0a0-0000-7000-8000-000000000001';
/** Whatever some list might take for its own: times, numbers and ids, of another list or of none. */
const foreign = [[Date.now(), ID], [Date.now(), 'an-id'], [ID], ['an-id'], [1]].flatMap((parts) => [
  encodeCursor('another list', ...parts),
  encodeCursor(...parts),
]);
/** Values for arguments that lists require. Lists of one thing, which would have to be there, are left out. */
const values: Readonly<Record<string, string>> = { query: '"ann"' };
/** It goes one way only. */
const FORWARD_ONLY = 'feed';

let database: TestDatabase;
let redis: TestRedis;
let api: TestProcess;
let authorization: string;
beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  api = await startApi({ databaseUrl: database.url, redisUrl: redis.url });
  const caller = { userId: 'root', roles: ['user', 'producer', 'admin'] as const, plan: 'pro' as const };
  authorization = `Bearer ${await signToken(testAuthSecret, { ...caller, expiresInSeconds: 3_600 })}`;
});
afterAll(async () => {
  await api.kill('SIGKILL');
  await Promise.all([database.drop(), redis.stop()]);
});

async function codesOf(list: List, argument: string, cursor: string): Promise<string[]> {
  const required = requiredOf(list)
    .map((name) => `, ${name}: ${values[name]}`)
    .join('');
  const query = `{ ${list.name}(${argument}: ${JSON.stringify(cursor)}${required}) { pageInfo { hasNextPage } } }`;
  const response = await fetch(`${api.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization },
    body: JSON.stringify({ query }),
  });
  const { errors = [] } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
  return errors.map(({ extensions }) => extensions.code);
}

type List = GraphQLField<unknown, unknown>;
const requiredOf = (list: List): string[] =>
  list.args.filter((one) => isRequiredArgument(one)).map(({ name }) => name);
const takes = (list: List, argument: string) => list.args.some(({ name }) => name === argument);
const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
const lists = Object.values(schema.getQueryType()!.getFields()).filter(
  (field) =>
    takes(field, 'after') &&
    isObjectType(getNamedType(field.type)) &&
    requiredOf(field).every((name) => name in values),
);

describe.each(lists)('the list $name', (list) => {
  it.each(list.name === FORWARD_ONLY ? ['after'] : ['after', 'before'])(
    'refuses what another list gave as %s',
    async (argument) => {
      for (const cursor of foreign)
        expect(await codesOf(list, argument, cursor), cursor).toEqual(['BAD_CURSOR']);
    },
  );
});
