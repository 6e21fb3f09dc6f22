import { buildSchema, GraphQLError, getOperationAST, parse } from 'graphql';
import { describe, expect, it, vi } from 'vitest';
import { KeptPlans } from '../../../src/edge/graphql/kept-plans.js';
import { createRunner } from '../../../src/edge/graphql/runner.js';
import { fragmentsOf } from '../../../src/edge/graphql/shape.js';

const LIMIT = 100_000;
const schema = buildSchema(`
  scalar Any
  type Thing { float: Float floats: [Float] ints: [Int] yeses: [Boolean] grid: [[Int]] text: String any: Any must: String! fails: String things: [Thing] thing: Thing }
  type Query { things: [Thing] thing: Thing must: Thing! }
`);

function runnerOf(source: string, plans?: KeptPlans) {
  const document = parse(source);
  return createRunner(schema, getOperationAST(document)!, fragmentsOf(document), LIMIT, plans);
}

const firstAnswerOf = async (source: string, root: unknown) =>
  await runnerOf(source)(root, {}, { raw: {}, coerced: {} });

/** The answers of a first time, and of one for which code was generated. */
async function answersOf(source: string, root: unknown) {
  const run = runnerOf(source, new KeptPlans({ generateAfter: 0 }));
  const answers = [];
  for (const _ of [1, 2]) answers.push(await run(root, {}, { raw: {}, coerced: {} }));
  return answers;
}

const failing = (error: Error) => ({
  fails() {
    throw error;
  },
});
const many = (count: number, of: unknown) => Array.from({ length: count }, () => of);
const floats = many(16_000, -Math.PI * 1e-300);

/** Of each thing that an answer may grow by: more than the limit, and little by every other measure. */
const growths: readonly [string, string, unknown][] = [
  ['keys', `{ things { ${'k'.repeat(250)}: float } }`, { things: many(500, { float: 1 }) }],
  ['short texts', '{ things { text } }', { things: many(200, { text: 'x'.repeat(900) }) }],
  ['escapes in short texts', '{ things { text } }', { things: many(90, { text: '\u0001'.repeat(900) }) }],
  ['long texts', '{ thing { text } }', { thing: { text: 'é'.repeat(60_000) } }],
  ['lists of floats', '{ thing { floats } }', { thing: { floats } }],
  ['lists of whole numbers', '{ thing { ints } }', { thing: { ints: many(16_000, -2_147_483_648) } }],
  ['lists of booleans', '{ thing { yeses } }', { thing: { yeses: many(30_000, false) } }],
  ['lists of lists', '{ thing { grid } }', { thing: { grid: many(60_000, []) } }],
  ['lists of nulls', '{ things { float } }', { things: many(30_000, null) }],
  ['empty objects', '{ things { float } }', { things: many(8_000, {}) }],
  ['values of custom scalars', '{ thing { any } }', { thing: { any: { floats } } }],
  ['numbers of custom scalars', '{ things { any } }', { things: many(3_500, { any: Math.PI * 1e-300 }) }],
  ['paths', `{ ${'k'.repeat(5_000)}: things { fails } }`, { things: many(600, failing(new Error('no'))) }],
  [
    'long paths',
    `{ ${'a'.repeat(200)}: thing { ${'b'.repeat(200)}: things { fails } } }`,
    { thing: { things: many(300, failing(new Error('no'))) } },
  ],
  ['locations', `{ things { ${'fails '.repeat(50)} } }`, { things: many(100, failing(new Error('no'))) }],
  ['errors', '{ things { fails } }', { things: many(2_000, failing(new Error('no'))) }],
  ['messages', '{ things { fails } }', { things: many(90, failing(new Error('x'.repeat(1_200)))) }],
  [
    'messages of control characters',
    '{ things { fails } }',
    { things: many(90, failing(new Error('\u0001'.repeat(900)))) },
  ],
  [
    'extensions',
    '{ things { fails } }',
    { things: many(200, failing(new GraphQLError('no', { extensions: { text: 'x'.repeat(1_000) } }))) },
  ],
  ['the error of the whole', '{ must { float } }', failingRoot(new Error('x'.repeat(300_000)))],
  [
    'the errors beside one of the whole',
    '{ things { fails } must { float } }',
    { things: many(80, failing(new Error('x'.repeat(900)))), ...failingRoot(new Error('x'.repeat(30_000))) },
  ],
];

function failingRoot(error: Error) {
  return {
    must() {
      throw error;
    },
  };
}

describe('an answer past its limit is the error alone, whatever makes it large', () => {
  it.each(growths)('%s', async (_, source, root) => {
    for (const answer of await answersOf(source, root)) {
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(LIMIT);
      expect(answer).toMatchObject({
        data: null,
        errors: [{ originalError: { code: 'RESPONSE_TOO_LARGE' } }],
      });
    }
  });
});

it('where errors stand is looked for once a field, however long the document is', async () => {
  const body = `{ things { ${' '.repeat(100_000)} fails fails } }`;
  const lines = vi.spyOn(String.prototype, 'matchAll');
  const document = parse(body);
  const run = createRunner(schema, getOperationAST(document)!, new Map(), 10 * LIMIT);
  lines.mockClear();
  const { errors } = await run({ things: many(500, failing(new Error('no'))) }, {}, { raw: {}, coerced: {} });
  const looked = lines.mock.calls.length;
  lines.mockRestore();
  expect(errors).toHaveLength(500);
  expect(new Set(errors?.map(({ locations }) => JSON.stringify(locations)))).toEqual(
    new Set(['[{"line":1,"column":100013},{"line":1,"column":100019}]']),
  );
  expect(looked).toBeLessThan(10);
});

describe('once an answer is too large', () => {
  const text = 'y'.repeat(900);

  it('no more resolvers are called, beside those that are on their way', async () => {
    let calls = 0;
    const thing = () => {
      calls += 1;
      return Promise.resolve({ text, thing });
    };
    const root = { things: many(500, { text, thing }) };
    await firstAnswerOf('{ things { text thing { thing { thing { text } } } } }', root);
    // A hundred texts fill the answer; each object had called its one resolver before it was counted.
    expect(calls).toBeLessThan(150);
  });

  it('what comes later calls none', async () => {
    let calls = 0;
    let give: (value: unknown) => void = () => undefined;
    const later = new Promise((resolve) => {
      give = resolve;
    });
    const thing = () => {
      calls += 1;
      return { text };
    };
    const root = { things: many(300, { text }), thing: () => later };
    const answered = firstAnswerOf('{ thing { things { thing { text } } } things { text } }', root);
    give({ things: many(300, { thing }) });
    const answer = await answered;
    expect(answer.data).toBeNull();
    expect(calls).toBe(0);
  });
});
