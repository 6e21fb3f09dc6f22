import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema, getOperationAST, Kind, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { compileCost, operationCost, type Variables } from '../../../src/edge/graphql/cost.js';
import { defaultLimits } from '../../../src/edge/graphql/document-limits.js';
import {
  findViolation,
  findViolationInDocument,
  fragmentsOf,
  measureShape,
} from '../../../src/edge/graphql/shape.js';
import { buildApiSchema } from '../../../src/schema/build.js';
import { cpuTimeOf } from '../../support/cpu-time.js';

const schema = buildSchema(`
  type Query { me: User items(first: Int, last: Int): Items! page(first: Int = 50): Items! users: [User!]! nodes(ids: [ID!]!): [User]! some(of: [ID!] = ["a", "b"]): [User]! }
  type User { id: ID! friends(first: Int): [User!]! friend: User tags: [String!]! }
  type Items { edges: [Edge!]! totalCount: Int! }
  type Edge { cursor: String! node: User! }
`);

function read(source: string) {
  const document = parse(source);
  const operation = getOperationAST(document);
  if (!operation) throw new Error('no operation');
  return { operation, fragments: fragmentsOf(document) };
}

/** README and docs. */
function guides(): string[] {
  const root = new URL('../../../', import.meta.url);
  const docs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' });
  const files = ['README.md', ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
  return files.map((name) => readFileSync(new URL(name, root), 'utf8'));
}

const shapeOf = (source: string) => {
  const { operation, fragments } = read(source);
  return measureShape(operation, fragments);
};
const violationOf = (source: string) => {
  const { operation, fragments } = read(source);
  return findViolation(operation, fragments, defaultLimits)?.code;
};
const costOf = (source: string, variables: Variables = {}) =>
  operationCost({ schema, ...read(source), variables });

describe('the shape of an operation', () => {
  test('counts through fragments, inline and named', () => {
    expect(shapeOf('{ me { id } }')).toEqual({ depth: 2, aliases: 0, fields: 2, cyclic: false });
    expect(shapeOf('{ me { ... { a: id } ...F } } fragment F on User { friend { id } }')).toEqual({
      depth: 3,
      aliases: 1,
      fields: 4,
      cyclic: false,
    });
  });

  test('is finite for fragments that spread themselves or nothing', () => {
    expect(
      shapeOf('{ me { ...A } } fragment A on User { id ...B } fragment B on User { id ...A ...C }'),
    ).toEqual({
      depth: 2,
      aliases: 0,
      fields: 3,
      cyclic: true,
    });
  });

  test('sees a bomb of aliases behind nested fragments', () => {
    const bomb = bombOf(30, (below) => `x: friend { ...${below} } y: friend { ...${below} }`);
    expect(shapeOf(bomb).aliases).toBeGreaterThan(1_000_000_000);
    expect(violationOf(bomb)).toBe('QUERY_TOO_DEEP');
    const shallow = bombOf(9, (below) => `x: friend { ...${below} } y: friend { ...${below} }`);
    expect(violationOf(shallow)).toBe('TOO_MANY_ALIASES');
  });

  test('counts repeats of a field after fragments and equal fields are merged', () => {
    const spread = `{ me { ...A } me { ...B } } fragment A on User { ${'id '.repeat(26)} } fragment B on User { ${'id '.repeat(25)} }`;
    expect(violationOf(spread)).toBe('TOO_MANY_REPEATED_FIELDS');
    const sameTwice = `{ me { ...A ...A } } fragment A on User { ${'id '.repeat(50)} }`;
    expect(violationOf(sameTwice)).toBeUndefined();
  });

  test('counts the fields of every operation, and of all of them together', () => {
    const violationIn = (source: string) => {
      const document = parse(source);
      return findViolationInDocument(document, fragmentsOf(document), defaultLimits)?.code;
    };
    const operation = (name: string, aliases: number) =>
      `query ${name} { ${Array.from({ length: aliases }, (_, i) => `a${i}: me { ...F }`).join(' ')} }`;
    const fragment = `fragment F on User { ${'id tags '.repeat(24)} }`;
    expect(violationIn(`${operation('A', 20)} ${fragment}`)).toBeUndefined();
    expect(violationIn(`${operation('A', 20)} ${operation('B', 1)} ${fragment}`)).toBe('QUERY_TOO_COSTLY');
    expect(violationIn(`query A { me { id } } ${operation('B', 21)} ${fragment}`)).toBe('QUERY_TOO_COSTLY');
  });

  test('has names of at most 256 characters, wherever they stand', () => {
    const violationIn = (source: string) => {
      const document = parse(source);
      return findViolationInDocument(document, fragmentsOf(document), defaultLimits);
    };
    const [name, long] = ['n'.repeat(256), 'n'.repeat(257)];
    const places = [
      (n: string) => `{ ${n}: me { id } }`,
      (n: string) => `query ${n} { me { id } }`,
      (n: string) => `query ($${n}: Int) { items(first: $${n}) { totalCount } }`,
      (n: string) => `{ me { ...${n} } } fragment ${n} on User { id }`,
    ];
    for (const at of places) {
      expect(violationIn(at(name))).toBeUndefined();
      expect(violationIn(at(long))).toMatchObject({ code: 'NAME_TOO_LONG' });
    }
  });

  test('any document is measured and judged at once, however its fragments are tangled', () => {
    fc.assert(
      fc.property(tangledDocument, (source) => {
        const spent = cpuTimeOf(() => {
          violationOf(source);
          costOf(source, { n: 100 });
        });
        // An exponential walk would take years.
        expect(spent).toBeLessThan(1_000);
      }),
      { numRuns: 200 },
    );
  });
});

describe('the cost of an operation', () => {
  test.each([
    ['{ me { id friend { id } } }', 4],
    ['{ items(first: 10) { totalCount edges { cursor node { id } } } }', 1 + 1 + (1 + 10 * 3)],
    ['{ items { edges { cursor } } }', 1 + (1 + 20)],
    ['{ items(last: 3) { edges { cursor } } }', 1 + (1 + 3)],
    ['{ page { edges { cursor } } }', 1 + (1 + 50)],
    ['{ me { friends(first: 4) { id tags } } }', 1 + (1 + 4 * 2)],
    ['{ users { id } }', 1 + 5],
    ['{ items(first: -5) { edges { cursor } } }', 1 + (1 + 1)],
    ['{ __schema { types { name } } }', 1],
    ['{ nodes(ids: ["a", "b", "c", "d", "e", "f", "g"]) { id } }', 1 + 7],
    ['{ nodes(ids: "a") { id } }', 1 + 1],
    ['{ nodes(ids: []) { id } }', 1 + 1],
    ['{ some { id } }', 1 + 2],
    ['{ items(first: 2) { ...E } } fragment E on Items { edges { cursor } }', 1 + (1 + 2)],
    ['{ items { totalCount } }', 1 + 20],
    ['{ items(first: 100) { __typename } }', 1 + 100],
    ['{ a: items(first: 50) { totalCount } b: items(first: 50) { totalCount } }', 2 * (1 + 50)],
  ])('%s costs %i', (source, cost) => {
    expect(costOf(source)).toBe(cost);
  });

  test('of an order’s lines is that of a large list: typical questions pass, all that there is does not', async () => {
    const shop = await buildApiSchema();
    const cost = (source: string) => operationCost({ schema: shop, ...read(source), variables: {} });
    const { maxCost } = defaultLimits;
    const lines = 'items { productId productName quantity unitPrice lineTotal }';
    expect(cost(`{ order(id: "1") { orderId status totalAmount ${lines} } }`)).toBe(1 + 3 + (1 + 20 * 5));
    const page = (first: number) =>
      `{ orders(first: ${first}) { edges { cursor node { orderId ${lines} } } pageInfo { endCursor } } }`;
    expect(cost(page(20))).toBeLessThan(maxCost);
    expect(cost(page(100))).toBeGreaterThan(maxCost);
    const abstract = '{ node(id: "1") { ... on Order { items { quantity } } } }';
    expect(cost(abstract)).toBe(1 + (1 + 20));
    expect(cost('{ post(postId: "1") { edits { content } } }')).toBe(1 + (1 + 100 * 3));
  });

  test('of a series of analytics is that of the steps that its time has, of alerts that of the most that are listed', async () => {
    const api = await buildApiSchema();
    const cost = (source: string, variables = {}) =>
      operationCost({ schema: api, ...read(source), variables });
    const span = (from: string, to: string, step: string, inside = '') =>
      `{ notificationAnalytics(from: "2026-11-${from}T00:00:00Z", to: "2026-11-${to}T00:00:00Z") { sent ${inside} series${step} { at sent } } }`;
    expect(cost(span('01', '02', '(stepSeconds: 3600)'))).toBe(1 + 1 + (1 + 24 * 2));
    expect(cost(span('01', '02', ''))).toBe(1 + 1 + (1 + 1_440 * 2));
    expect(cost(span('01', '30', '(stepSeconds: 60)'))).toBe(1 + 1 + (1 + 1_500 * 2));
    expect(cost(span('02', '01', ''))).toBe(1 + 1 + (1 + 2));
    const two = `query ($from: DateTime!, $to: DateTime!, $step: Int!) {
      a: notificationAnalytics(from: $from, to: $to) { ...S }
      b: notificationAnalytics(from: "2026-11-01T00:00:00Z", to: "2026-11-01T01:00:00Z") { ...S }
    } fragment S on NotificationAnalytics { series(stepSeconds: $step) { at } }`;
    const variables = { from: new Date('2026-11-01'), to: new Date('2026-11-03'), step: 1_800 };
    expect(cost(two, variables)).toBe(2 + (1 + 96) + (1 + 2));
    expect(cost(two, {})).toBe(2 + (1 + 1_500) + (1 + 60));
    expect(cost('{ alerts { name message } }')).toBe(1 + 100 * 2);
  });

  test('follows the variables of each request', () => {
    const source = 'query ($n: Int, $m: Int) { items(first: $n, last: $m) { edges { cursor } } }';
    const cost = compileCost({ schema, ...read(source) });
    expect(cost({ n: 7 })).toBe(1 + 1 + 7);
    expect(cost({ n: null, m: 3 })).toBe(1 + 1 + 3);
    expect(cost({})).toBe(1 + 1 + 20);
    const count = 'query ($n: Int) { items(first: $n) { totalCount } }';
    expect(costOf(count, { n: 40 })).toBe(1 + 40);
  });

  test('of a page whose items nobody asks for is that of reading it, also below another page', async () => {
    const api = await buildApiSchema();
    const cost = (source: string) => operationCost({ schema: api, ...read(source), variables: {} });
    expect(cost('{ feed(first: 100) { pageInfo { hasNextPage } } }')).toBe(1 + 100);
    const nested = (first: number) =>
      `{ feed(first: ${first}) { edges { node { comments(first: 100) { pageInfo { endCursor } } } } } }`;
    expect(cost(nested(20))).toBe(1 + 1 + 20 * (1 + 1 + 100));
    expect(cost(nested(100))).toBeGreaterThan(defaultLimits.maxCost);
    const why = '{ feed(first: 20) { edges { why { score terms { name weight value } } } } }';
    expect(cost(why)).toBe(1 + 1 + 20 * (1 + 1 + 1 + 12 * 3));
  });

  test('of every example in the guides is within what one operation may cost', async () => {
    const api = await buildApiSchema();
    const examples = guides().flatMap((text) =>
      // An excerpt of a file is no whole document.
      [...text.matchAll(/^```graphql(?! from=)[^\n]*\n(.*?)^```/gms)].map(([, source]) => source!),
    );
    expect(examples.length).toBeGreaterThan(10);
    for (const source of examples) {
      const document = parse(source);
      for (const operation of document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)) {
        // A day, where one asks about a time.
        const variables = { from: new Date('2026-11-01'), to: new Date('2026-11-02') };
        const input = { schema: api, operation, fragments: fragmentsOf(document), variables };
        expect(operationCost(input), source).toBeLessThan(defaultLimits.maxCost / 5);
      }
    }
  });

  test('of things asked for by id follows the number of ids', () => {
    const source = 'query ($ids: [ID!]!) { nodes(ids: $ids) { friends(first: 10) { id } } }';
    expect(costOf(source, { ids: Array.from({ length: 100 }, String) })).toBe(1 + 100 * 11);
  });

  test('of nested fragments that wait for variables is reckoned once each', () => {
    const bomb = bombOf(
      60,
      (below) => `x: friends(first: $n) { ...${below} } y: friends(first: $n) { ...${below} }`,
    );
    expect(costOf(bomb.replace('{', 'query ($n: Int) {'), { n: 2 })).toBeGreaterThan(1e30);
  });
});

/** `levels` fragments, each of which mentions the next as `body` says. */
function bombOf(levels: number, body: (below: string) => string): string {
  const fragments = Array.from(
    { length: levels },
    (_, i) => `fragment F${i} on User { ${body(`F${i + 1}`)} }`,
  );
  return `{ me { ...F0 } } ${fragments.join(' ')} fragment F${levels} on User { id }`;
}

/** Documents of up to 25 fragments, each of which spreads any others, itself included, below any fields. */
const tangledDocument = fc
  .array(
    fc.array(
      fc.record({
        to: fc.nat(24),
        under: fc.constantFrom('friend', 'friends(first: $n)', 'a: friend', '...'),
      }),
      {
        maxLength: 12,
      },
    ),
    { minLength: 1, maxLength: 25 },
  )
  .map((fragments) => {
    const written = fragments.map((spreads, i) => {
      const body = spreads.map(({ to, under }) => `${under} { id ...F${to} }`).join(' ');
      return `fragment F${i} on User { id ${body} }`;
    });
    return `query ($n: Int) { me { ...F0 } users { ...F1 } } ${written.join(' ')}`;
  });
