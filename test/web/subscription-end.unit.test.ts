import { expect, test } from 'vitest';
import { pauseAfterEnd } from '../../web/src/common/subscription-end.js';

test('a page that missed too much follows again at once', () => {
  expect(pauseAfterEnd(['CURSOR_EXPIRED'])).toBe(0);
});

test.each(['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR', 'RATE_LIMIT_EXCEEDED'])(
  'a page whose subscription ended with %s follows again in a moment',
  (code) => {
    expect(pauseAfterEnd([code])).toBeGreaterThan(0);
  },
);

test('one that ended without an answer does too', () => {
  expect(pauseAfterEnd([])).toBeGreaterThan(0);
});

test.each(['UNAUTHENTICATED', 'FORBIDDEN', 'NOT_FOUND', 'BAD_CURSOR'])(
  'one that ended with %s does not: it would end so again',
  (code) => {
    expect(pauseAfterEnd([code])).toBeNull();
  },
);
