import { expect, test } from 'vitest';
import type { Operation } from '../../../src/edge/graphql/documents.js';
import { KeptVariables } from '../../../src/edge/graphql/kept-variables.js';

const operation = {} as Operation;
const reckonedOf = (raw: Record<string, unknown>, coerced: Record<string, unknown> = { ...raw }) => ({
  values: { raw, coerced },
  cost: 7,
});

test('what was reckoned of frozen variables is found again, for the same operation alone', () => {
  const kept = new KeptVariables();
  const raw = Object.freeze({ first: 20, after: null });
  const { values, cost } = kept.keep(operation, raw, reckonedOf(raw));
  expect(kept.find(operation, raw)).toMatchObject({ values, cost });
  expect(kept.find({} as Operation, raw)).toBeUndefined();
  expect(kept.find(operation, Object.freeze({ ...raw }))).toBeUndefined();
});

test('values that requests share cannot be changed by a resolver', () => {
  const raw = Object.freeze({ first: 20 });
  const { values } = new KeptVariables().keep(operation, raw, reckonedOf(raw));
  expect(() => Object.assign(values.coerced, { first: 1_000 })).toThrow(TypeError);
});

test.each([
  ['variables that are not frozen, which are of one request', { first: 20 }, undefined],
  ['values that a scalar made objects of', Object.freeze({ at: '2026-01-01' }), { at: new Date(0) }],
])('nothing is kept of %s', (_, raw, coerced) => {
  const kept = new KeptVariables();
  kept.keep(operation, raw, reckonedOf(raw, coerced));
  expect(kept.find(operation, raw)).toBeUndefined();
});
