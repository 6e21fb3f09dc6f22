import { buildSchema, execute, getOperationAST, parse } from 'graphql';
import { expect, it } from 'vitest';
import { compileActualCost } from '../../../src/edge/graphql/actual-cost.js';
import { costAt, operationCost } from '../../../src/edge/graphql/cost.js';
import { nulledCost } from '../../../src/edge/graphql/nulled-cost.js';
import { fragmentsOf } from '../../../src/edge/graphql/shape.js';

const schema = buildSchema(`
  interface Named { name: String }
  type Query { me: User hello: String feed(first: Int): Feed named: Named }
  type Feed { nodes: [Post]! hasNext: Boolean }
  type Post { id: ID! author: User comments(first: Int): Feed! }
  type User implements Named { name: String friends(first: Int): [User!] }
`);

const post = { id: '1', author: { name: 'a' }, comments: { nodes: [], hasNext: false } };

async function priced(source: string, rootValue: unknown) {
  const document = parse(source);
  const input = {
    schema,
    operation: getOperationAST(document)!,
    fragments: fragmentsOf(document),
    variables: {},
  };
  const answer = await execute({ schema, document, rootValue, typeResolver: () => 'User' });
  const most = operationCost(input);
  const nulled = nulledCost(answer, most, (keys, isItem) => costAt(input, keys, isItem));
  return { most, cost: compileActualCost(input)(answer.data, {}) + nulled, answer };
}

const fails = () => {
  throw new Error('it was read all the same');
};

it('a field that failed after everything below it was read costs what it was estimated at', async () => {
  const source = `{ hello feed(first: 10) { nodes { author { name } comments(first: 5) { hasNext nodes { id } } } } }`;
  const { most, cost, answer } = await priced(source, {
    feed: { nodes: [{ ...post, author: post.author }], hasNext: fails },
  });
  expect(answer.errors).toBeUndefined();
  expect(cost).toBeLessThan(20);

  const failed = await priced(source, { feed: fails });
  expect(failed.answer.data).toEqual({ hello: null, feed: null });
  expect(failed.cost).toBe(most);

  const below = await priced(
    `{ hello ...F } fragment F on Query { all: feed(first: 10) { nodes { id } hasNext } }`,
    {
      feed: { nodes: fails },
    },
  );
  expect(below.answer.data).toEqual({ hello: null, all: null });
  expect(below.cost).toBe(below.most);
});

it('an item that failed costs what one item was estimated at, and the others what they are', async () => {
  const source = '{ feed(first: 10) { nodes { id comments(first: 5) { hasNext } } } }';
  const one = 2 + 5;
  const { cost, answer } = await priced(source, {
    feed: { nodes: [post, { ...post, comments: fails }, { ...post, id: fails, comments: fails }] },
  });
  expect(answer.data).toMatchObject({ feed: { nodes: [{ id: '1' }, null, null] } });
  expect(cost).toBe(2 + 3 * one);
});

it('a null without an error costs 1, and so does a plain field that failed', async () => {
  expect((await priced('{ me { friends(first: 50) { name } } hello }', { me: null, hello: 'x' })).cost).toBe(
    2,
  );
  expect((await priced('{ me { name } hello }', { me: { name: 'a' }, hello: fails })).cost).toBe(3);
});

it('a field of a type that only some objects have costs its estimate too', async () => {
  const source = '{ named { name ... on User { friends(first: 9) { name } } } }';
  expect((await priced(source, { named: { name: 'a', friends: fails } })).cost).toBe(3 + 9);
});

it('an operation that failed as a whole costs all of its estimate', async () => {
  const { most } = await priced('{ me { name } hello }', {});
  expect(nulledCost({ data: null }, most, () => 0)).toBe(most);
  expect(nulledCost({ data: { me: null } }, most, () => 0)).toBe(0);
});
