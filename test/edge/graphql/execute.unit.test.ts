import {
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql';
import { describe, it } from 'vitest';
import { Colour, Day } from '../toy-types.js';
import { answerOf } from '../two-ways.js';

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
  const given = {
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
    ['with names of enums', '{ colour none colours rows }', given],
    ['with names of enums that come later', '{ soon }', given],
    ['with values of scalars that are our own', '{ day }', given],
    ['with an error where an enum has no such value', '{ colour text }', { ...given, colour: 'green' }],
    ['with an error where an item has no name', '{ rows }', { ...given, rows: [['red', 'green', 'blue']] }],
    ['without a list where an item may not be null', '{ colours text }', { ...given, colours: ['green'] }],
    ['from a set', '{ colours }', { ...given, colours: new Set(['red']) }],
    [
      'with an error where text is said to be a list',
      '{ colours loose }',
      { ...given, colours: 'red', loose: 5 },
    ],
    ['which is null where a value is missing that must be', '{ colour must }', { ...given, must: null }],
    ['where an item is missing', '{ text list loose }', { ...given, list: [1, null], loose: [1, null] }],
    ['where a value is an error', '{ text colour }', { ...given, colour: new Error('away') }],
    [
      'where a value rejects',
      '{ text colour }',
      {
        ...given,
        get colour() {
          return rejecting();
        },
      },
    ],
    [
      'where a value throws',
      '{ text colour }',
      {
        ...given,
        get colour() {
          throw new Error('away');
        },
      },
    ],
    ['where a value is a function', '{ text colour }', { ...given, colour: () => 'red' }],
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
      given,
    ],
    [
      'under names that mean something else elsewhere',
      '{ __proto__: text constructor: must toString: colour then: text thing { __proto__: must toJSON: name } }',
      given,
    ],
    [
      'with the type asked for everywhere',
      '{ __typename a: __typename thing { __typename self { __typename } } }',
      given,
    ],
    [
      'with introspection between its fields',
      '{ text __schema { queryType { name } } __type(name: "Thing") { name fields { name } } must }',
      given,
    ],
    ['up to the nearest place for null', '{ thing { name self { must } mustSelf { name } } text }', given],
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
    await answerOf(answers, source, { root: given, variables });
    await answerOf(answers, source, { root: given, variables: { b: false } });
  });
});
