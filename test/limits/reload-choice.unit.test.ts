import { expect, it } from 'vitest';
import { rank, type Seen } from '../../src/domains/limits/reload/choice.js';

const source = (seenAfter: number | null) => ({
  name: 'rules.yaml',
  document: 'configured',
  version: 'v',
  seenAfter,
});
const put = {
  sequence: 7,
  version: 'p',
  document: 'put',
  putBy: 'alice',
  putAt: new Date(0),
  correlationId: 'story',
};
const sources = (seen: Seen) => rank(seen).map((candidate) => candidate.source);

it('what was put counts where the configured source was seen before it, on whichever process', () => {
  expect(sources({ source: source(0), put })).toEqual(['put by alice', 'rules.yaml']);
  expect(sources({ source: source(6), put })).toEqual(['put by alice', 'rules.yaml']);
});

it('a configured source that was first seen since then counts more than what was put', () => {
  expect(sources({ source: source(7), put })).toEqual(['rules.yaml', 'put by alice']);
  expect(sources({ source: source(8), put })).toEqual(['rules.yaml', 'put by alice']);
});

it('a configured source counts as new while Postgres cannot say who saw it first', () => {
  expect(sources({ source: source(null), put })).toEqual(['rules.yaml', 'put by alice']);
});

it('with nothing put, or no source to be read, the other counts alone', () => {
  expect(sources({ source: source(0), put: null })).toEqual(['rules.yaml']);
  expect(sources({ source: null, put })).toEqual(['put by alice']);
  expect(sources({ source: null, put: null })).toEqual([]);
});
