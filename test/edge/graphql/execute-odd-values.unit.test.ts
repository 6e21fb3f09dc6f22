import {
  GraphQLList,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { answerOf } from '../two-ways.js';

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
