import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  execute,
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  getOperationAST,
  getVariableValues,
  Kind,
  parse,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCompiler } from '../../src/edge/compile.js';

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
const Filter: GraphQLInputObjectType = new GraphQLInputObjectType({
  name: 'Filter',
  fields: () => ({
    text: { type: GraphQLString },
    colour: { type: new GraphQLNonNull(Colour), defaultValue: 'blue' },
    colours: { type: new GraphQLList(Colour), defaultValue: ['red'] },
    since: { type: Day },
    within: { type: Filter },
  }),
});
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
        },
        // What a resolver sees is what counts: every difference shows in the text.
        resolve: (_, args) => JSON.stringify(args, Object.keys(flatten(args)).sort()),
      },
    },
  }),
});

const flatten = (value: object): Record<string, true> =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => [
      [key, true as const],
      ...(typeof member === 'object' && member !== null ? Object.entries(flatten(member)) : []),
    ]),
  );

const compile = createCompiler(schema);

describe('a compiled query gives resolvers what graphql-js gives them', () => {
  it.each<[string, string, Record<string, unknown>]>([
    ['defaults inside an input object', 'query ($f: Filter) { seen(filter: $f) }', { f: { text: 'a' } }],
    ['defaults two levels down', 'query ($f: Filter) { seen(filter: $f) }', { f: { within: { text: 'a' } } }],
    ['internal values of enums', 'query ($c: Colour) { seen(colour: $c) }', { c: 'BLUE' }],
    ['parsed scalars', 'query ($f: Filter) { seen(filter: $f) }', { f: { since: '2026-01-02' } }],
    [
      'a variable inside a literal',
      'query ($t: String, $c: Colour!) { seen(filter: {text: $t, colour: $c}) }',
      { t: 'x', c: 'RED' },
    ],
    ['one value where a list is meant', 'query ($n: [Int]) { seen(numbers: $n) }', { n: 3 }],
    ['the default of an absent variable', 'query ($c: Colour = BLUE) { seen(colour: $c) }', {}],
    ['the default of an argument whose variable is absent', 'query ($c: Colour) { seen(colour: $c) }', {}],
    [
      'null where null was said',
      'query ($c: Colour, $f: Filter) { seen(colour: $c, filter: $f) }',
      { c: null, f: null },
    ],
    ['literals alone', '{ seen(filter: {text: "a", within: {colour: RED}}, numbers: [1, 2]) }', {}],
  ])('%s', async (_, source, raw) => {
    const document = parse(source);
    const node = getOperationAST(document)!;
    const { coerced } = getVariableValues(schema, node.variableDefinitions ?? [], raw);
    const expected = await execute({ schema, document, variableValues: raw });
    expect(expected.errors).toBeUndefined();
    const actual = await compile(document, node)(undefined, undefined, { raw, coerced: coerced! });
    expect(actual).toEqual({ data: { ...expected.data } });
  });
});

describe('a compiled query answers what graphql-js answers', () => {
  const answers = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: {
        colour: { type: Colour },
        soon: { type: Colour, resolve: async () => 'blue' },
        colours: { type: new GraphQLList(new GraphQLNonNull(Colour)) },
        rows: { type: new GraphQLList(new GraphQLList(Colour)) },
        none: { type: Colour },
        day: { type: Day },
        text: { type: new GraphQLNonNull(GraphQLString) },
        list: { type: new GraphQLList(new GraphQLNonNull(GraphQLInt)) },
      },
    }),
  });
  const compileAnswer = createCompiler(answers);
  const told = {
    colour: 'red',
    colours: ['red', 'blue'],
    rows: [['red', null], null],
    none: null,
    day: new Date('2026-01-02'),
    text: 'a',
    list: [1, 2],
  };

  it.each<[string, string, object]>([
    ['names of enums', '{ colour none colours rows }', told],
    ['names of enums that come later', '{ soon }', told],
    ['values of scalars that are our own', '{ day }', told],
    ['strings, numbers and lists of them', '{ text list }', told],
    ['an error where an enum has no such value', '{ colour text }', { ...told, colour: 'green' }],
    [
      'an error where an item of a list has no name',
      '{ rows }',
      { ...told, rows: [['red', 'green', 'blue']] },
    ],
    ['no list where an item that must be has no name', '{ colours text }', { ...told, colours: ['green'] }],
    ['names of what comes as a set', '{ colours }', { ...told, colours: new Set(['red']) }],
    ['an error where a value is missing', '{ colour text }', { ...told, text: null }],
    ['an error where a value of a list is missing', '{ text list }', { ...told, list: [1, null] }],
    ['an error where a resolver gives one', '{ text colour }', { ...told, colour: new Error('away') }],
  ])('%s', async (_, source, rootValue) => {
    const document = parse(source);
    const expected = await execute({ schema: answers, document, rootValue });
    const actual = await compileAnswer(document, getOperationAST(document)!)(rootValue, undefined, {
      raw: {},
      coerced: {},
    });
    expect(JSON.parse(JSON.stringify(actual.data))).toEqual(expected.data);
    expect(actual.errors?.map(({ path, message }) => ({ path, message }))).toEqual(
      expected.errors?.map(({ path, message }) => ({ path, message })),
    );
  });
});

it('leaves nothing behind of operations that nobody runs any more', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const compileMany = (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const fields = Array.from({ length: 150 }, (_, n) => `f${n}: seen(colour: RED, numbers: [${i}, ${n}])`);
      const document = parse(`{ ${fields.join(' ')} }`);
      compile(document, getOperationAST(document)!);
    }
  };
  compileMany(20);
  collect();
  const before = process.memoryUsage().heapUsed;
  compileMany(100);
  const grownBy = () => {
    collect();
    return process.memoryUsage().heapUsed - before;
  };
  await expect.poll(grownBy, { timeout: 5_000 }).toBeLessThan(5_000_000);
});
