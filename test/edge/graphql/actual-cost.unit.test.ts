import fc from 'fast-check';
import { buildSchema, execute, type GraphQLResolveInfo, getOperationAST, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { compileActualCost } from '../../../src/edge/graphql/actual-cost.js';
import { operationCost, type Variables } from '../../../src/edge/graphql/cost.js';
import { fragmentsOf } from '../../../src/edge/graphql/shape.js';

const schema = buildSchema(`
  scalar JSON
  interface Named { name: String friend: Named }
  union Any = User | Shop
  type Query { me: User named: Named any: Any items(first: Int): Items! users: [User] grid: [[User!]!] blob: JSON broken: User! }
  type User implements Named { name: String id: ID friend: Named friends(first: Int): [User!] tags: [String!] blob: JSON at: Any }
  type Shop implements Named { name: String friend: Named city: String blob: JSON at: User }
  type Items { edges: [Edge!]! totalCount: Int }
  type Edge { cursor: String node: User }
`);

function read(source: string) {
  const document = parse(source);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  return { document, input: { schema, operation, fragments: fragmentsOf(document) } };
}

const actual = (source: string, data: unknown, variables: Variables = {}) =>
  compileActualCost(read(source).input)(data, variables);

describe('what an answer cost', () => {
  it.each([
    ['{ me { id name } }', { me: { id: '1', name: null } }, 3],
    ['{ me { id name } }', { me: null }, 1],
    ['{ users { id name } }', { users: [{ id: 1, name: 2 }, null, { id: 3, name: 4 }] }, 6],
    ['{ users { id name } }', { users: Array(100).fill(null) }, 101],
    ['{ grid { id } }', { grid: [null, [{ id: 1 }]] }, 3],
    ['{ users { id } }', { users: [] }, 1],
    ['{ grid { id } }', { grid: [[{ id: 1 }, { id: 2 }], [{ id: 3 }]] }, 4],
    ['{ me { tags } }', { me: { tags: ['a', 'b', 'c'] } }, 2],
    ['{ blob me { blob } }', { blob: { a: { b: [1, 2] } }, me: { blob: [{ c: 1 }] } }, 3],
    ['{ __schema { types { name } } }', { __schema: { types: [{ name: 'a' }, { name: 'b' }] } }, 1],
    ['{ me { __typename a: name } }', { me: { __typename: 'User', a: 'x' } }, 3],
    ['{ me { name ...F } } fragment F on User { name id }', { me: { name: 'a', id: '1' } }, 3],
    ['{ any { ... on User { id name } ... on Shop { city } } }', { any: { city: 'x' } }, 2],
    [
      '{ named { ... on User { at { ... on User { id } } } ... on Shop { at { name } } } }',
      { named: { at: { name: 'x' } } },
      3,
    ],
    [
      '{ me { id ... on Named { name } friend { name ... on Shop { city } } } }',
      { me: { id: 1, name: 2, friend: { name: 3 } } },
      5,
    ],
    ['query ($no: Boolean = false) { me { id @include(if: $no) name } }', { me: { name: 'x' } }, 2],
    [
      '{ items(first: 3) { edges { cursor node { id } } } }',
      { items: { edges: [{ cursor: 'a', node: null }] } },
      4,
    ],
    [
      '{ items(first: 3) { edges { cursor constructor: cursor @skip(if: true) __proto__: node @skip(if: true) { id } } } }',
      { items: { edges: [{ cursor: 'a' }] } },
      3,
    ],
  ])('%s, answered %j, is %i', (source, data, cost) => {
    expect(actual(source, data)).toBe(cost);
  });

  it('is that of the page which was read, where nothing of it was asked for', () => {
    const source =
      'query ($n: Int, $no: Boolean = true) { items(first: $n) { totalCount edges @skip(if: $no) { cursor } } }';
    expect(actual(source, { items: { totalCount: 2 } }, { n: 30 })).toBe(1 + 30);
    expect(actual(source, { items: { totalCount: 2 } })).toBe(1 + 20);
    expect(actual(source, { items: { totalCount: 2, edges: [] } }, { n: 30 })).toBe(1 + 2);
    expect(actual('{ items(first: 7) { __typename } }', { items: { __typename: 'Items' } })).toBe(1 + 7);
    const twice =
      '{ items(first: 7) { __typename } ...F } fragment F on Query { items(first: 7) { totalCount } }';
    expect(actual(twice, { items: { __typename: 'Items', totalCount: 1 } })).toBe(1 + 7);
  });

  it('is the number of fields in the answer or the page that was read, and never more than was asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        operation,
        fc.infiniteStream(fc.nat(9)),
        fc.record({ yes: fc.boolean(), n: fc.integer({ min: 1, max: 4 }) }),
        async (source, random, variables) => {
          const { document, input } = read(source);
          fc.pre(validate(schema, document).length === 0);
          const { data } = await execute({
            schema,
            document,
            variableValues: variables,
            fieldResolver: anything(random),
            typeResolver: () => (random.next().value! % 2 ? 'User' : 'Shop'),
          });
          const cost = compileActualCost(input)(data, variables);
          const page = source.includes('items(first: 2)') ? 2 : variables.n;
          if (data) expect(cost).toBe(fieldsIn(data, page));
          expect(cost).toBeLessThanOrEqual(operationCost({ ...input, variables }));
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** Without JSON objects in it, every key of the data is a field; an item that is null was looked for. */
function fieldsIn(data: unknown, page: number): number {
  if (Array.isArray(data))
    return data.reduce<number>((sum, item) => sum + (item === null ? 1 : fieldsIn(item, page)), 0);
  if (typeof data !== 'object' || data === null) return 0;
  return Object.entries(data).reduce<number>((sum, [key, value]) => {
    const isUnseenPage = key === 'items' && value !== null && value.edges === undefined;
    return sum + 1 + Math.max(fieldsIn(value, page), isUnseenPage ? page : 0);
  }, 0);
}

/** Lists are as long as their page at most, or as 5 items where they have none. */
function anything(random: IterableIterator<number>) {
  const next = () => random.next().value!;
  return (
    parent: { page?: number } | undefined,
    args: { first?: number },
    _: unknown,
    info: GraphQLResolveInfo,
  ) => {
    const type = String(info.returnType);
    if (!type.endsWith('!') && next() === 0) return null;
    if (info.fieldName === 'broken') return next() < 3 ? null : {};
    if (info.fieldName === 'items') return { page: args.first };
    if (info.fieldName === 'tags') return Array.from({ length: next() }, String);
    if (!type.includes('[')) return type.startsWith('Int') ? 1 : /^(String|ID|JSON)/.test(type) ? 'x' : {};
    const mayBeNull = !type.includes('!]');
    const rows = Array.from({ length: Math.min(next(), args.first ?? parent?.page ?? 5) }, () =>
      mayBeNull && next() < 3 ? null : {},
    );
    return type.includes('[[') ? [rows] : rows;
  };
}

const leaf: Record<string, readonly string[]> = {
  Query: ['__typename', 'blob'],
  User: [
    '__typename',
    'name',
    'id',
    'x: id',
    'tags',
    'blob',
    'name @include(if: $yes)',
    'id @skip(if: $yes)',
  ],
  Shop: ['__typename', 'name', 'city', 'blob', 'city @skip(if: $yes)'],
  Named: ['__typename', 'name'],
  Any: ['__typename'],
  Items: ['totalCount', '__typename'],
  Edge: ['cursor', '__typename'],
};
const deep: Record<string, readonly (readonly [string, string])[]> = {
  Query: [
    ['me', 'User'],
    ['named', 'Named'],
    ['any', 'Any'],
    ['items(first: $n)', 'Items'],
    ['items(first: 2)', 'Items'],
    ['users', 'User'],
    ['users @include(if: $yes)', 'User'],
    ['grid', 'User'],
    ['broken', 'User'],
  ],
  User: [
    ['friend', 'Named'],
    ['friends(first: 2)', 'User'],
    ['friends(first: $n)', 'User'],
    ['at', 'Any'],
    ['... on Named', 'Named'],
    ['...', 'User'],
    ['... @skip(if: $yes)', 'User'],
  ],
  Shop: [
    ['friend', 'Named'],
    ['at', 'User'],
    ['... on Named', 'Named'],
  ],
  Named: [
    ['friend', 'Named'],
    ['... on User', 'User'],
    ['... on Shop', 'Shop'],
  ],
  Any: [
    ['... on User', 'User'],
    ['... on Shop', 'Shop'],
    ['... on Named', 'Named'],
  ],
  Items: [['edges', 'Edge']],
  Edge: [['node', 'User']],
};

function selection(type: string, depth: number): fc.Arbitrary<string> {
  const leaves = fc.constantFrom(...leaf[type]!);
  const fragment = type === 'User' ? [fc.constant('...F')] : [];
  if (depth === 0) return fc.oneof(leaves, ...fragment);
  const nested = fc.constantFrom(...deep[type]!).chain(([field, of]) => {
    return set(of, depth - 1).map((inner) => `${field} ${inner}`);
  });
  return fc.oneof(leaves, ...fragment, { arbitrary: nested, weight: 3 });
}

const set = (type: string, depth: number): fc.Arbitrary<string> =>
  fc.array(selection(type, depth), { minLength: 1, maxLength: 4 }).map((parts) => `{ ${parts.join(' ')} }`);

const operation = fc
  .tuple(set('Query', 4), fc.constantFrom('id', 'name blob', 'friend { name ... on Shop { city } }'))
  .map(([body, inner]) => {
    const used = body.includes('...F') ? ` fragment F on User { ${inner} }` : '';
    const variables = [body.includes('$yes') && '$yes: Boolean!', body.includes('$n') && '$n: Int'];
    const declared = variables.filter(Boolean).join(' ');
    return `query ${declared && `(${declared})`} ${body}${used}`;
  });
