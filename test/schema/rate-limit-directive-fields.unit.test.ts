import { readFile } from 'node:fs/promises';
import {
  type GraphQLField,
  type GraphQLSchema,
  getOperationAST,
  isInterfaceType,
  isObjectType,
  parse,
  printSchema,
} from 'graphql';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { FieldLimiter } from '../../src/domains/limits/index.js';
import { createRunner } from '../../src/edge/graphql/runner.js';
import { RateLimitExceeded } from '../../src/platform/errors.js';
import { buildApiSchema } from '../../src/schema/build.js';
import { limitFields } from '../../src/schema/rate-limit-directive.js';

/** A minute's worth for one caller. */
const LIMITED = {
  'Query.account': 600,
  'Query.order': 600,
  'Query.customer': 600,
  'Query.product': 600,
  'Query.events': 600,
  'Query.rateLimitPreview': 600,
  'Mutation.rebuildProjector': 60,
  'Mutation.putRateLimitRules': 120,
  'Mutation.reloadRateLimitRules': 120,
  'Mutation.retryDeadLetters': 120,
  'Mutation.discardDeadLetters': 120,
  'Mutation.addSuppression': 120,
  'Mutation.removeSuppression': 120,
  'Mutation.replayWebhook': 12,
  'Mutation.sendTestNotification': 120,
  'Query.previewTemplate': 600,
  'Mutation.setUserAttributes': 600,
  'Query.searchDeliveries': 600,
  'Query.notificationBacklog': 120,
  'Query.estimateSegment': 120,
  'Mutation.sendBatch': 120,
  'Mutation.createNotificationSchedule': 120,
  'Mutation.createApiKey': 60,
  'Mutation.revokeApiKey': 120,
  'Mutation.forgetProjector': 60,
  'Mutation.deleteUserAttribute': 60,
};

const consume = vi.fn<FieldLimiter['consume']>();
let plain: GraphQLSchema;
let limited: GraphQLSchema;
beforeAll(async () => {
  [plain, limited] = await Promise.all([buildApiSchema(), buildApiSchema({ fields: { consume } })]);
});

const admin = {
  viewer: { userId: 'ada', roles: new Set(['user', 'admin'] as const), plan: 'free' },
  ip: '192.0.2.1',
};

/** Runs an operation as the api does, with parts that only say that they were reached. */
function run(source: string) {
  const document = parse(source);
  const reached = () => Promise.resolve(null);
  const app = { commerce: { account: reached, accountAsOf: reached } };
  const context = { ...admin, correlationId: 'c', app, hub: {}, signal: new AbortController().signal };
  return createRunner(
    limited,
    getOperationAST(document)!,
    new Map(),
    1_000_000,
  )(undefined, context, {
    raw: {},
    coerced: {},
  });
}

it('the guide to limits names every field that has a limit of its own, with how many a minute', async () => {
  const guide = await readFile(new URL('../../docs/limits.md', import.meta.url), 'utf8');
  const paragraph = guide.split('\n').find((line) => line.includes('`@rateLimit` in the code')) ?? '';
  for (const [field, limit] of Object.entries(LIMITED))
    expect(paragraph).toMatch(new RegExp(`\`${field.split('.')[1]}\`[^;]*\\(${limit}\\)`));
});

describe('the API', () => {
  it.each([
    ['{ account(accountId: "a", asOf: "2026-01-01T00:00:00Z") { balance } }', 'Query.account'],
    ['{ order(orderId: "a", asOf: "2026-01-01T00:00:00Z") { status } }', 'Query.order'],
    ['{ customer(customerId: "a", asOf: "2026-01-01T00:00:00Z") { email } }', 'Query.customer'],
    ['{ product(productId: "a", asOf: "2026-01-01T00:00:00Z") { name } }', 'Query.product'],
    ['{ events { edges { cursor } } }', 'Query.events'],
    ['{ rateLimitPreview(descriptors: []) { allowed } }', 'Query.rateLimitPreview'],
    [
      'mutation { rebuildProjector(input: { name: "p" }) { userErrors { code } } }',
      'Mutation.rebuildProjector',
    ],
    [
      'mutation { putRateLimitRules(input: { document: "" }) { userErrors { code } } }',
      'Mutation.putRateLimitRules',
    ],
    ['mutation { reloadRateLimitRules { userErrors { code } } }', 'Mutation.reloadRateLimitRules'],
    [
      'mutation { retryDeadLetters(input: { channel: SMS }) { userErrors { code } } }',
      'Mutation.retryDeadLetters',
    ],
    [
      'mutation { discardDeadLetters(input: { channel: SMS }) { userErrors { code } } }',
      'Mutation.discardDeadLetters',
    ],
    [
      'mutation { addSuppression(input: { channel: SMS, address: "+15551234567" }) { userErrors { code } } }',
      'Mutation.addSuppression',
    ],
    [
      'mutation { removeSuppression(input: { channel: SMS, address: "+15551234567", note: "n" }) { removed } }',
      'Mutation.removeSuppression',
    ],
    [
      `mutation {
        sendTestNotification(input: { templateId: "t", userId: "u", channel: SMS }) { userErrors { code } }
      }`,
      'Mutation.sendTestNotification',
    ],
    ['mutation { setUserAttributes(input: { users: [] }) { changed } }', 'Mutation.setUserAttributes'],
    [
      `mutation {
        createNotificationSchedule(
          input: { scheduleId: "s", rrule: "", startsAt: "2027-01-01T09:00:00Z", type: "t", templateId: "t", recipients: [] }
        ) { userErrors { code } }
      }`,
      'Mutation.createNotificationSchedule',
    ],
    ['mutation { createApiKey(input: { userId: "u" }) { key } }', 'Mutation.createApiKey'],
    ['mutation { revokeApiKey(input: { apiKeyId: "k" }) { userErrors { code } } }', 'Mutation.revokeApiKey'],
    ['mutation { forgetProjector(input: { name: "p" }) { deletedId } }', 'Mutation.forgetProjector'],
    ['mutation { deleteUserAttribute(input: { name: "n" }) { deletedId } }', 'Mutation.deleteUserAttribute'],
    ['{ searchDeliveries(query: "a") { nodes { status } } }', 'Query.searchDeliveries'],
    ['{ notificationBacklog { count } }', 'Query.notificationBacklog'],
    ['{ estimateSegment(filter: "plan exists") { count } }', 'Query.estimateSegment'],
    [
      'mutation { sendBatch(input: { batchId: "b", templateId: "t", segment: { filter: "plan exists" } }) { userErrors { code } } }',
      'Mutation.sendBatch',
    ],
    [
      '{ previewTemplate(input: { templateId: "t", variables: {} }) { userErrors { code } } }',
      'Query.previewTemplate',
    ],
  ] as const)('limits how often one may ask %s', async (source, field) => {
    consume.mockReset().mockResolvedValue(4_000);
    const { errors } = await run(source);
    expect(consume.mock.calls).toEqual([
      [{ field, owner: 'u:ada', limit: LIMITED[field], windowSeconds: 60, charge: 1 }],
    ]);
    expect(errors?.[0]?.originalError).toBeInstanceOf(RateLimitExceeded);
    expect(errors?.[0]?.originalError).toMatchObject({ retryAfterSeconds: 4 });
  });

  it('limits looking at an account only in the past', async () => {
    consume.mockReset();
    expect(await run('{ account(accountId: "a") { balance } }')).toEqual({ data: { account: null } });
    expect(consume).not.toHaveBeenCalled();
  });

  it('answers every other field by the very same function as without limits', () => {
    const before = fieldsOf(plain);
    const changed = [...fieldsOf(limitFields(plain, { consume }))].filter(
      ([name, { resolve, subscribe }]) => {
        const field = before.get(name);
        return resolve !== field?.resolve || subscribe !== field?.subscribe;
      },
    );
    expect(changed.map(([name]) => name).sort()).toEqual(Object.keys(LIMITED).sort());
  });

  it('reads the same with limits and without', () => {
    expect(printSchema(limited)).toBe(printSchema(plain));
  });

  it('finds types behind interfaces at once, without a promise for each', () => {
    for (const type of Object.values(limited.getTypeMap())) {
      if (isInterfaceType(type))
        expect(type.resolveType?.({ __typename: 'Post' }, {}, {} as never, type)).toBe('Post');
    }
  });
});

function fieldsOf(schema: GraphQLSchema): Map<string, GraphQLField<unknown, unknown>> {
  const objects = Object.values(schema.getTypeMap()).filter(isObjectType);
  return new Map(
    objects.flatMap((type) =>
      Object.values(type.getFields()).map((field) => [`${type.name}.${field.name}`, field] as const),
    ),
  );
}
