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
