import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  getOperationAST,
  Kind,
  parse,
  validate,
  valueFromASTUntyped,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { KeptPlans } from '../../../src/edge/graphql/kept-plans.js';
import { createRunner } from '../../../src/edge/graphql/runner.js';
import { byGraphqlJs, byUs } from '../two-ways.js';

const Colour = new GraphQLEnumType({
  name: 'Colour',
  values: { RED: { value: 'red' }, BLUE: { value: 'blue' } },
});
const Day = new GraphQLScalarType<Date, string>({
  name: 'Day',
  serialize: (value) => (value as Date).toISOString().slice(0, 10),
  parseValue: (value) => new Date(String(value)),
  parseLiteral: (node) => new Date(node.kind === Kind.STRING ? node.value : 0),
});
const Any = new GraphQLScalarType({
  name: 'Any',
  parseValue: (value) => value,
  parseLiteral: valueFromASTUntyped,
});
const Filter: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: 'Filter',
  fields: () => ({
    text: { type: GraphQLString },
    zone: { type: GraphQLString, defaultValue: 'UTC' },
    colour: { type: new GraphQLNonNull(Colour), defaultValue: 'blue' },
    colours: { type: new GraphQLList(Colour), defaultValue: ['red'] },
    since: { type: Day },
    within: { type: Filter },
    any: { type: Any },
  }),
});

/** Runs a document both ways and holds the answers against each other. @returns the answer */
async function answerOf(
  schema: GraphQLSchema,
  source: string,
  given: { readonly variables?: Record<string, unknown>; readonly root?: unknown } = {},
): Promise<{ data: Record<string, unknown> | null; errors?: { message: string }[] }> {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const asked = { schema, document, ...given };
  const expected = await byGraphqlJs(asked);
  for (const came of await byUs(asked)) expect(came).toEqual(expected);
  return JSON.parse(expected.answer) as Awaited<ReturnType<typeof answerOf>>;
}

describe('resolvers get what graphql-js gives them', () => {
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        seen: {
          type: GraphQLString,
          args: {
            filter: { type: Filter },
            colour: { type: Colour, defaultValue: 'red' },
            numbers: { type: new GraphQLList(GraphQLInt) },
            must: { type: new GraphQLNonNull(GraphQLInt), defaultValue: 5 },
            any: { type: Any },
          },
          // What a resolver sees is what counts: every difference shows in the text.
          resolve: (_, args: Record<string, unknown>) => JSON.stringify(args),
        },
      },
    }),
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['defaults inside an input object', 'query ($f: Filter) { seen(filter: $f) }', { f: { text: 'a' } }],
    ['defaults two levels down', 'query ($f: Filter) { seen(filter: $f) }', { f: { within: { text: 'a' } } }],
    ['internal values of enums', 'query ($c: Colour) { seen(colour: $c) }', { c: 'BLUE' }],
    ['parsed scalars', 'query ($f: Filter) { seen(filter: $f) }', { f: { since: '2026-01-02' } }],
    [
      'variables inside a literal',
      'query ($t: String, $c: Colour!) { seen(filter: {text: $t, colour: $c}) }',
      { t: 'x', c: 'RED' },
    ],
    [
      'nothing for an absent variable inside a literal: the default',
      'query ($t: String, $z: String) { seen(filter: {text: $t, zone: $z}) }',
      {},
    ],
    [
      'null for a null variable inside a literal',
      'query ($z: String) { seen(filter: {zone: $z}) }',
      { z: null },
    ],
    ['null for an absent variable inside a list', 'query ($n: Int) { seen(numbers: [1, $n]) }', {}],
    [
      'variables inside the literal of a scalar that takes any',
      'query ($n: Int, $t: String) { seen(any: {a: [$n], b: {c: $t}}, filter: {any: {d: $n}}) }',
      { n: 3 },
    ],
    ['a whole variable for a scalar that takes any', 'query ($a: Any) { seen(any: $a) }', { a: { b: [1] } }],
    ['one value where a list is meant', 'query ($n: [Int]) { seen(numbers: $n) }', { n: 3 }],
    ['one variable where a list is meant', 'query ($n: Int) { seen(numbers: [$n]) }', { n: 3 }],
    ['the default of an absent variable', 'query ($c: Colour = BLUE) { seen(colour: $c) }', {}],
    ['the default of an argument whose variable is absent', 'query ($c: Colour) { seen(colour: $c) }', {}],
    ['the default of a required argument', 'query ($n: Int) { seen(must: $n) }', {}],
    ['an error where a required argument gets null', 'query ($n: Int) { seen(must: $n) }', { n: null }],
    [
      'an error where null stands in a literal that allows none',
      'query ($c: Colour = RED) { seen(filter: {colour: $c}) }',
      { c: null },
    ],
    [
      'null where null was said',
      'query ($c: Colour, $f: Filter) { seen(colour: $c, filter: $f) }',
      { c: null, f: null },
    ],
    ['literals alone', '{ seen(filter: {text: "a", within: {colour: RED}}, numbers: [1, 2]) }', {}],
    ['no variable that nobody declared', '{ seen }', { f: { text: 'a' } }],
  ])('%s', async (_, source, variables) => {
    await answerOf(schema, source, { variables });
  });

  it('an object of arguments of its own each time, whatever was done to the last', async () => {
    const spoiled = new GraphQLSchema({
      query: new GraphQLObjectType({
        name: 'Query',
        fields: {
          seen: {
            type: GraphQLString,
            args: { filter: { type: Filter }, text: { type: GraphQLString } },
            resolve(_, args: { filter?: { text?: string }; text?: string }) {
              const seen = JSON.stringify(args);
              args.text = 'spoiled';
              if (args.filter) args.filter.text = 'spoiled';
              return seen;
            },
          },
        },
      }),
    });
    await answerOf(spoiled, '{ a: seen(filter: {text: "a"}) b: seen(text: "b") c: seen }');
  });
});

describe('an answer is that of graphql-js', () => {
  const Thing: GraphQLObjectType = new GraphQLObjectType({
    name: 'Thing',
    fields: () => ({
      name: { type: GraphQLString },
      must: { type: new GraphQLNonNull(GraphQLString) },
      self: { type: Thing },
      mustSelf: { type: new GraphQLNonNull(Thing) },
      selves: { type: new GraphQLList(new GraphQLNonNull(Thing)) },
    }),
  });
  const answers = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        colour: { type: Colour },
        soon: { type: Colour, resolve: () => Promise.resolve('blue') },
        colours: { type: new GraphQLList(new GraphQLNonNull(Colour)) },
        rows: { type: new GraphQLList(new GraphQLList(Colour)) },
        none: { type: Colour },
        day: { type: Day },
        text: { type: GraphQLString },
        must: { type: new GraphQLNonNull(GraphQLString) },
        list: { type: new GraphQLList(new GraphQLNonNull(GraphQLInt)) },
        loose: { type: new GraphQLList(GraphQLInt) },
        thing: { type: Thing },
      },
    }),
  });
  const rejecting = (): Promise<never> => Promise.reject(new Error('away'));
  const told = {
    colour: 'red',
    colours: ['red', 'blue'],
    rows: [['red', null], null],
    none: null,
    day: new Date('2026-01-02'),
    text: 'a',
    must: 'b',
    list: [1, 2],
    thing: { name: 'n', must: 'm', self: { must: 's' }, selves: [{ must: 'x' }, { name: 'y', must: 'y' }] },
  };

  it.each<[string, string, object]>([
    ['with names of enums', '{ colour none colours rows }', told],
    ['with names of enums that come later', '{ soon }', told],
    ['with values of scalars that are our own', '{ day }', told],
    ['with an error where an enum has no such value', '{ colour text }', { ...told, colour: 'green' }],
    ['with an error where an item has no name', '{ rows }', { ...told, rows: [['red', 'green', 'blue']] }],
    ['without a list where an item may not be null', '{ colours text }', { ...told, colours: ['green'] }],
    ['from a set', '{ colours }', { ...told, colours: new Set(['red']) }],
    [
      'with an error where text is said to be a list',
      '{ colours loose }',
      { ...told, colours: 'red', loose: 5 },
    ],
    ['which is null where a value is missing that must be', '{ colour must }', { ...told, must: null }],
    ['where an item is missing', '{ text list loose }', { ...told, list: [1, null], loose: [1, null] }],
    ['where a value is an error', '{ text colour }', { ...told, colour: new Error('away') }],
    [
      'where a value rejects',
      '{ text colour }',
      {
        ...told,
        get colour() {
          return rejecting();
        },
      },
    ],
    [
      'where a value throws',
      '{ text colour }',
      {
        ...told,
        get colour() {
          throw new Error('away');
        },
      },
    ],
    ['where a value is a function', '{ text colour }', { ...told, colour: () => 'red' }],
    [
      'where an item rejects',
      '{ loose }',
      {
        get loose() {
          return [1, rejecting(), 2];
        },
      },
    ],
    ['where leaves are of another type', '{ text must list }', { text: 5, must: true, list: ['3', 4.5] }],
    [
      'where the same key is mentioned often',
      '{ thing { name } thing { self { must } name } thing { self { name } } }',
      told,
    ],
    [
      'under names that mean something else elsewhere',
      '{ __proto__: text constructor: must toString: colour then: text thing { __proto__: must toJSON: name } }',
      told,
    ],
    [
      'with the type asked for everywhere',
      '{ __typename a: __typename thing { __typename self { __typename } } }',
      told,
    ],
    [
      'with introspection between its fields',
      '{ text __schema { queryType { name } } __type(name: "Thing") { name fields { name } } must }',
      told,
    ],
    ['up to the nearest place for null', '{ thing { name self { must } mustSelf { name } } text }', told],
    [
      'in a long list, where some fail',
      '{ thing { selves { name must self { must } } } }',
      {
        thing: {
          selves: Array.from({ length: 100 }, (_, n) => ({
            name: `n${n}`,
            must: 'm',
            self: n % 3 === 0 ? {} : { must: 's' },
          })),
        },
      },
    ],
  ])('%s', async (_, source, root) => {
    await answerOf(answers, source, { root });
  });

  it.each<[string, string, Record<string, unknown>]>([
    ['left out', 'query ($b: Boolean!) { text must @skip(if: $b) }', { b: true }],
    ['left in', 'query ($b: Boolean!) { text must @include(if: $b) }', { b: true }],
    [
      'left out by one of two',
      'query ($b: Boolean!) { must @include(if: $b) @skip(if: true) text }',
      { b: true },
    ],
    [
      'mentioned again without a condition',
      'query ($b: Boolean!) { must @include(if: $b) text must }',
      { b: false },
    ],
    [
      'brought in by a fragment twice, once under a condition',
      'query ($b: Boolean!) { ...F @skip(if: $b) text ...F } fragment F on Query { must }',
      { b: true },
    ],
    [
      'of one parent under a condition, of another without',
      'query ($b: Boolean!) { thing @include(if: $b) { name } thing { must } }',
      { b: false },
    ],
    [
      'brought into two places under different conditions',
      'query ($b: Boolean!) { thing { ...F @skip(if: $b) self { ...F } } } fragment F on Thing { must }',
      { b: true },
    ],
    ['all left out', 'query ($b: Boolean!) { thing { must @skip(if: $b) } }', { b: true }],
    ['under the default of a condition', 'query ($b: Boolean = true) { text must @skip(if: $b) }', {}],
    [
      'under a condition without a value',
      'query ($b: Boolean = true) { text must @skip(if: $b) }',
      { b: null },
    ],
    [
      'under a condition without a value, below',
      'query ($b: Boolean = true) { text thing { must @skip(if: $b) } }',
      { b: null },
    ],
  ])('with a field %s', async (_, source, variables) => {
    await answerOf(answers, source, { root: told, variables });
    await answerOf(answers, source, { root: told, variables: { b: false } });
  });
});

describe('what graphql-js says of values that are odd', () => {
  const Odd = new GraphQLScalarType({ name: 'Odd', serialize: () => undefined });
  const One: GraphQLObjectType = new GraphQLObjectType({
    name: 'One',
    fields: { text: { type: GraphQLString }, odd: { type: Odd } },
    isTypeOf: (value) => (value as { isOne?: boolean }).isOne === true,
  });
  const Either = new GraphQLUnionType({
    name: 'Either',
    types: [One],
    resolveType: (value) => (value as { named?: string }).named ?? (value as string),
  });
  const oddities = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: { one: { type: One }, either: { type: Either }, eithers: { type: new GraphQLList(Either) } },
    }),
  });
  const callable = (given: unknown) =>
    Object.assign(() => 'called', {
      // biome-ignore lint/suspicious/noThenProperty: that is what is tried
      then: (resolve: (value: unknown) => unknown) => Promise.resolve(resolve(given)),
    });
  const source = '{ one { text odd } either { ... on One { text odd } } eithers { __typename } }';

  it.each<[string, () => unknown]>([
    ['nested lists', () => [1, [2, [3, [4]]]]],
    ['buffers', () => Buffer.from('a')],
    ['errors', () => Object.assign(new Error('e'), { isOne: true })],
    [
      'objects of classes',
      () =>
        new (class Foo {
          a = { b: { c: { d: 1 } } };
        })(),
    ],
    ['dates', () => new Date(0)],
    ['maps', () => new Map([[1, { a: 1 }]])],
    ['long lists', () => Array.from({ length: 30 }, (_, n) => n)],
    ['functions', () => () => () => 'x'],
    ['what writes itself', () => ({ toJSON: () => ({ k: 1 }) })],
    ['what names its type by such', () => ({ named: { deep: [[[1]]] } })],
  ])('%s', async (_, made) => {
    const root = { one: made(), either: made(), eithers: [made()] };
    await answerOf(oddities, source, { root });
    const own = { isOne: true, named: 'One', text: made(), odd: made() };
    await answerOf(oddities, source, { root: { one: own, either: own, eithers: [own] } });
  });

  it('functions that have a then are promises', async () => {
    const { data } = await answerOf(
      oddities,
      '{ one { text } either { __typename } eithers { ... on One { text } } }',
      {
        root: {
          one: () => callable({ isOne: true, text: () => callable('came') }),
          either: () => callable({ isOne: true, named: 'One' }),
          eithers: [callable({ isOne: true, named: callable('One'), text: 'x' })],
        },
      },
    );
    expect(data?.one).toEqual({ text: 'came' });
  });

  it('a method that is gone when it is called', async () => {
    let reads = 0;
    const root = {
      one: {
        isOne: true,
        get text() {
          reads += 1;
          return reads % 2 === 1 ? () => 'x' : 5;
        },
      },
    };
    await answerOf(oddities, '{ one { text } }', { root });
  });
});

it('leaves nothing behind of operations that nobody runs any more', async () => {
  setFlagsFromString('--expose-gc');
  // As the api does when it starts.
  setFlagsFromString('--no-compilation-cache');
  const plans = new KeptPlans({ generateAfter: 0 });
  const collect = runInNewContext('gc') as () => void;
  const anything = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: { seen: { type: GraphQLString, args: { numbers: { type: new GraphQLList(GraphQLInt) } } } },
    }),
  });
  const runMany = (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const fields = Array.from({ length: 150 }, (_, n) => `f${n}: seen(numbers: [${i}, ${n}])`);
      const document = parse(`{ ${fields.join(' ')} }`);
      const run = createRunner(anything, getOperationAST(document)!, new Map(), 1_000_000, plans);
      for (let time = 1; time <= 2; time += 1) void run({}, undefined, { raw: {}, coerced: {} });
    }
  };
  runMany(20);
  collect();
  const before = process.memoryUsage().heapUsed;
  runMany(100);
  const grownBy = () => {
    collect();
    return process.memoryUsage().heapUsed - before;
  };
  await expect.poll(grownBy, { timeout: 5_000 }).toBeLessThan(5_000_000);
});
