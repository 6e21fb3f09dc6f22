import {
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  valueFromASTUntyped,
} from 'graphql';
import { describe, it } from 'vitest';
import { Colour, Day } from '../toy-types.js';
import { answerOf } from '../two-ways.js';

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
