import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  parse,
  printSchema,
  subscribe,
} from 'graphql';
import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMasking } from '../../src/edge/errors.js';
import { createRunner } from '../../src/edge/graphql/runner.js';
import type { Viewer } from '../../src/platform/auth/auth.js';
import { type FieldCaller, limitFields } from '../../src/schema/rate-limit-directive.js';
import { book, buildLibrary, countingFields } from './limited-library.js';

let plain: GraphQLSchema;
let schema: GraphQLSchema;
let asked: ReturnType<typeof countingFields>['asked'];

beforeAll(async () => {
  plain = await buildLibrary();
});

beforeEach(() => {
  const counting = countingFields();
  asked = counting.asked;
  schema = limitFields(plain, counting.fields);
});

const user = (userId: string): FieldCaller => ({
  viewer: { userId, roles: new Set(['user'] as const), plan: 'free' } satisfies Viewer,
  ip: '192.0.2.1',
});
const anonymous = (ip: string): FieldCaller => ({ viewer: null, ip });
const alice = user('alice');

const masking = createMasking({ ids: { next: () => 'id' }, suggestions: false, onMasked: () => undefined });
const asker = { logger: pino({ level: 'silent' }) };

type Execute = (document: DocumentNode, context: FieldCaller) => Promise<ExecutionResult> | ExecutionResult;
const ways: [string, Execute][] = [
  ['by graphql-js', (document, contextValue) => execute({ schema, document, contextValue })],
  [
    'planned',
    (document, context) =>
      createRunner(
        schema,
        getOperationAST(document)!,
        new Map(),
        1_000_000,
      )(undefined, context, {
        raw: {},
        coerced: {},
      }),
  ],
];

describe.each(ways)('a limited field, %s,', (_, run) => {
  /** What clients are shown: data, and each error by its path, code and seconds. */
  async function ask(source: string, by: FieldCaller) {
    const { data, errors = [] } = await run(parse(source), by);
    const shown = errors.map((error) => masking.present(error, asker));
    return {
      data: data as unknown,
      errors: shown.map(({ path, message, extensions }) => ({ path, message, ...extensions })),
    };
  }
  const refusal = (path: string, field: string) => ({
    path: [path],
    message: `Too many requests for ${field}: try again in 13 s`,
    code: 'RATE_LIMIT_EXCEEDED',
    retryAfter: 13,
  });

  it('answers up to its limit, then says when to come back', async () => {
    for (let time = 0; time < 2; time += 1)
      expect(await ask('{ search }', alice)).toEqual({ data: { search: 'found' }, errors: [] });
    expect(await ask('{ search plain }', alice)).toEqual({
      data: { search: null, plain: 'plain' },
      errors: [refusal('search', 'Query.search')],
    });
  });

  it('counts each user by itself, wherever they are', async () => {
    await ask('{ a: search b: search }', alice);
    expect((await ask('{ search }', { ...alice, ip: '198.51.100.7' })).errors).toHaveLength(1);
    expect((await ask('{ search }', user('bob'))).errors).toEqual([]);
  });

  it('counts anonymous callers by their network: an IPv4 address, or an IPv6 /64', async () => {
    await ask('{ a: search b: search }', anonymous('2001:db8:1:2::a'));
    expect((await ask('{ search }', anonymous('2001:db8:1:2:ffff::b'))).errors).toHaveLength(1);
    expect((await ask('{ search }', anonymous('2001:db8:1:3::a'))).errors).toEqual([]);
    await ask('{ a: search b: search }', anonymous('192.0.2.1'));
    expect((await ask('{ search }', anonymous('192.0.2.1'))).errors).toHaveLength(1);
    expect((await ask('{ search }', anonymous('192.0.2.2'))).errors).toEqual([]);
  });

  it('does not take a user for a network of the same name', async () => {
    await ask('{ a: search b: search }', user('192.0.2.9'));
    expect((await ask('{ search }', anonymous('192.0.2.9'))).errors).toEqual([]);
  });

  it('counts by itself, whatever else was asked for', async () => {
    await ask('{ a: search b: search }', alice);
    expect(await ask('{ archive }', alice)).toEqual({ data: { archive: 'dust' }, errors: [] });
  });

  it('charges each mention under an alias', async () => {
    expect(await ask('{ a: search b: search c: search }', alice)).toEqual({
      data: { a: 'found', b: 'found', c: null },
      errors: [refusal('c', 'Query.search')],
    });
  });

  it('charges nothing, and asks nobody, where it reckons 0 points', async () => {
    expect((await ask('{ a: issue b: issue(old: false) c: issue }', alice)).errors).toEqual([]);
    expect(asked).toEqual([]);
    expect(
      await ask('{ a: issue(old: true) b: issue(old: true) c: issue(old: true) d: issue }', alice),
    ).toEqual({
      data: { a: 'of 1816', b: 'of 1816', c: null, d: 'of today' },
      errors: [refusal('c', 'Query.issue')],
    });
  });

  it('is limited below an interface too, with its own limit and window', async () => {
    const answer = await ask('{ lent { name ... on Book { text } } }', alice);
    expect(answer).toEqual({ data: { lent: { name: 'Emma', text: book.text } }, errors: [] });
    expect(asked).toEqual([{ field: 'Book.text', owner: 'u:alice', limit: 5, windowSeconds: 10, charge: 1 }]);
  });

  it('still asks for the token or role that it needs', async () => {
    expect((await ask('{ vault }', anonymous('192.0.2.1'))).errors).toMatchObject([
      { code: 'UNAUTHENTICATED' },
    ]);
    expect((await ask('{ vault }', alice)).errors).toEqual([]);
  });
});

describe('a schema with limits', () => {
  it('reads as it did without', () => {
    expect(printSchema(schema)).toBe(printSchema(plain));
    expect(schema.getDirective('rateLimit')).toBeDefined();
  });

  it('leaves every other field as it was: not one step slower', () => {
    const before = plain.getQueryType()!.getFields();
    const after = schema.getQueryType()!.getFields();
    expect(after.plain!.resolve).toBe(before.plain!.resolve);
    expect(after.lent!.resolve).toBe(before.lent!.resolve);
    expect(after.search!.resolve).not.toBe(before.search!.resolve);
    const named = schema.getType('Book');
    expect(named && 'getFields' in named && named.getFields().name).toMatchObject({ resolve: undefined });
  });

  it('goes on notifying its subscribers', async () => {
    const events = await subscribe({
      schema,
      document: parse('subscription { arrivals }'),
      contextValue: alice,
    });
    if (!(Symbol.asyncIterator in events)) throw new Error('no stream');
    const told: unknown[] = [];
    for await (const { data } of events) told.push(data?.arrivals);
    expect(told).toEqual(['one', 'two']);
  });

  it('leaves the schema that it was made of unlimited', async () => {
    const document = parse('{ a: search b: search c: search }');
    expect((await execute({ schema: plain, document, contextValue: alice })).errors).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
