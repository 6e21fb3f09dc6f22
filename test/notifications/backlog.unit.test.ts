import { describe, expect, it } from 'vitest';
import { causeOf, type Reason, shareOf } from '../../src/domains/notifications/backlog/share.js';

const since = new Date('2026-11-26T08:00:00Z');
const at = new Date('2026-11-26T09:00:00Z');
const reason = (own: Partial<Reason>): Reason => ({
  deliveryId: 'd',
  lastError: null,
  isFallback: false,
  since,
  event: null,
  detail: null,
  at,
  ...own,
});

describe('why a delivery waits', () => {
  it.each([
    ['the code of its last error', { lastError: 'TIMEOUT: no answer within 5 s' }, 'TIMEOUT'],
    [
      'the limit of its channel, whatever failed before',
      { lastError: 'TIMEOUT: no answer', event: 'RETRY', detail: { reason: 'GLOBAL_LIMIT' } } as const,
      'GLOBAL_LIMIT',
    ],
    ['nothing where nothing is known', {}, null],
  ])('for another attempt: %s', (_, own, cause) => {
    expect(causeOf('RETRYING', reason(own))).toEqual({ state: 'RETRYING', cause, since });
  });

  it.each([
    [
      'QUIET_HOURS',
      { event: 'SCHEDULED', detail: { due_at: 'x', reason: 'QUIET_HOURS' } },
      'DEFERRED',
      'QUIET_HOURS',
    ],
    ['GROUPED', { event: 'SCHEDULED', detail: { reason: 'GROUPED' } }, 'DEFERRED', 'GROUPED'],
    ['a fallback', { isFallback: true, event: 'VALIDATED' }, 'DEFERRED', 'FALLBACK'],
    [
      'a fallback in quiet hours',
      { isFallback: true, event: 'SCHEDULED', detail: { reason: 'QUIET_HOURS' } },
      'DEFERRED',
      'QUIET_HOURS',
    ],
    ['its producer', { event: 'SCHEDULED', detail: { due_at: 'x', timezone: 'UTC' } }, 'SCHEDULED', null],
  ] as const)('for its time: %s', (_, own, state, cause) => {
    expect(causeOf('SCHEDULED', reason(own))).toEqual({ state, cause, since: at });
  });
});

describe('how many have a cause', () => {
  it('is exact where all were looked at', () => {
    expect(shareOf(3, 200, { count: 200, isEstimate: false })).toEqual({ count: 3, isEstimate: false });
  });

  it('is their part of all where some were looked at, and never less than were seen', () => {
    expect(shareOf(50, 200, { count: 1_000, isEstimate: false })).toEqual({ count: 250, isEstimate: true });
    expect(shareOf(200, 200, { count: 100, isEstimate: true })).toEqual({ count: 200, isEstimate: true });
  });
});
