import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  costExtension,
  limitHeaders,
  rejectionBody,
  rejectionExtensions,
} from '../../../src/edge/gate/answer.js';
import type { RateLimitDecision, TierReading } from '../../../src/platform/gate.js';
import { reading as aReading, decision as aVerdict } from '../hand-made-gate.js';

const NOW = 1_700_000_000_000;
const DOCUMENTATION = 'https://docs.example/limits';

const reading: typeof aReading = (tier, standing) => aReading(tier, { resetAt: NOW + 29_500, ...standing });

const decision = (decisive: TierReading | null, more: Partial<RateLimitDecision> = {}): RateLimitDecision =>
  aVerdict({
    readings: decisive ? [decisive] : [],
    decisive,
    budget: null,
    decidedBy: decisive ? 'store' : 'none',
    ...more,
  });

const rejected = (decisive: TierReading | null, more: Partial<RateLimitDecision> = {}): RateLimitDecision =>
  decision(decisive, { outcome: 'REJECT', retryAfterMs: 11_001, ...more });

describe('the headers of a response', () => {
  it('name the decisive limit, what is left of it and when it is whole again', () => {
    expect(limitHeaders(decision(reading()), NOW)).toEqual({
      'x-ratelimit-limit': '200',
      'x-ratelimit-remaining': '120',
      'x-ratelimit-reset': '1700000030',
      'x-ratelimit-policy': '200;w=60',
      ratelimit: '"per_minute user_id";r=120;t=30',
      'ratelimit-policy': '"per_minute user_id";q=200;w=60',
    });
  });

  it('say to a rejected client in whole seconds, at least one, when to come back', () => {
    const headers = limitHeaders(rejected(reading({}, { remaining: 0 })), NOW);
    expect(headers).toMatchObject({
      'retry-after': '12',
      ratelimit: '"per_minute user_id";r=0;t=12',
      'x-ratelimit-remaining': '0',
    });
    expect(limitHeaders(rejected(reading(), { retryAfterMs: 1 }), NOW)['retry-after']).toBe('1');
    expect(headers).not.toHaveProperty('x-ratelimit-outcome');
  });

  it('say so when service is reduced', () => {
    expect(limitHeaders(decision(reading(), { outcome: 'DEGRADE' }))['x-ratelimit-outcome']).toBe('DEGRADE');
  });

  it('are none where nothing limits', () => {
    expect(limitHeaders(decision(null))).toEqual({});
    expect(limitHeaders(rejected(null, { retryAfterMs: 60_000 }))).toEqual({ 'retry-after': '60' });
  });

  it('never promise less than nothing, nor a moment that is past', () => {
    const late = reading({}, { remaining: -3, resetAt: NOW - 5_000 });
    expect(limitHeaders(decision(late), NOW)).toMatchObject({
      'x-ratelimit-remaining': '0',
      ratelimit: '"per_minute user_id";r=0;t=0',
    });
  });

  it('list every policy, the decisive one first, each time the same', () => {
    const second = reading({ name: 'per_second', limit: 10, windowSeconds: 1 });
    const minute = reading();
    const bucket = reading({ name: 'bucket', limit: 500, perWindow: 100, windowSeconds: 1 });
    const given = decision(minute, { readings: [second, minute, bucket] });
    for (const again of [given, { ...given, readings: [...given.readings] }]) {
      expect(limitHeaders(again)).toMatchObject({
        'x-ratelimit-policy': '200;w=60, 10;w=1, 100;w=1',
        'ratelimit-policy':
          '"per_minute user_id";q=200;w=60, "per_second user_id";q=10;w=1, "bucket user_id";q=100;w=1;burst=500',
      });
    }
    const fewer = limitHeaders({ ...given, readings: [second, minute] });
    expect(fewer['x-ratelimit-policy']).toBe('200;w=60, 10;w=1');
  });

  it('leave out policies of shadow tiers, which refuse nothing', () => {
    const user = reading();
    const watching = reading({ rule: 'global', limit: 1, shadow: true });
    expect(limitHeaders(decision(user, { readings: [user, watching] }))['x-ratelimit-policy']).toBe(
      '200;w=60',
    );
  });

  it('say to a rejection that nothing remains, and in RateLimit what is left for a smaller request', () => {
    const rejection = limitHeaders(rejected(reading({}, { remaining: 2 })));
    expect(rejection['x-ratelimit-remaining']).toBe('0');
    expect(rejection.ratelimit).toContain(';r=2;');
  });

  it('call a policy the same whichever others are listed', () => {
    const user = reading();
    const all = reading({ rule: 'global', level: 'global' });
    expect(limitHeaders(decision(user, { readings: [user, all] }))['ratelimit-policy']).toBe(
      '"per_minute user_id";q=200;w=60, "per_minute global";q=200;w=60',
    );
    expect(limitHeaders(decision(all))['ratelimit-policy']).toBe('"per_minute global";q=200;w=60');
  });

  it('keep names distinct that are too long to be shown', () => {
    const long = (end: string) => reading({ rule: `endpoint=GET /${'x'.repeat(300)}${end}` });
    const [a, b] = [long('a'), long('b')];
    const names = limitHeaders(decision(a, { readings: [a, b] }))['ratelimit-policy']!.split(', ');
    expect(new Set(names).size).toBe(2);
    expect(limitHeaders(decision(b))['ratelimit-policy']).toBe(names[1]);
  });

  it('speak of requests, and of query costs only where these were too much', () => {
    const user = reading();
    const budget = reading({ rule: 'query_cost', counts: 'query_cost', limit: 1_000, windowSeconds: 1 });
    const readings = [user, budget];
    const admitted = limitHeaders(decision(user, { readings }));
    expect(admitted['x-ratelimit-policy']).toBe('200;w=60');
    expect(admitted['ratelimit-policy']).toBe('"per_minute user_id";q=200;w=60');
    const refused = limitHeaders(rejected(budget, { readings }));
    expect(refused['x-ratelimit-policy']).toBe('1000;w=1, 200;w=60');
  });

  it('stay short under many rules', () => {
    const readings = Array.from({ length: 50 }, (_, i) => reading({ name: `n${i}`, limit: 100 + i }));
    const headers = limitHeaders(decision(readings[20]!, { readings }));
    expect(headers['x-ratelimit-policy']!.split(', ')).toHaveLength(9);
    expect(headers['x-ratelimit-policy']).toMatch(/^120;w=60, 100;w=60/);
  });

  it('leave out what is unlimited', () => {
    const unlimited = reading({ name: 'free', limit: Infinity });
    const minute = reading();
    const headers = limitHeaders(decision(minute, { readings: [unlimited, minute] }));
    expect(headers['x-ratelimit-policy']).toBe('200;w=60');
  });

  it('show a limit of 0 where something unlimited refuses', () => {
    const deposit = reading({ rule: 'endpoint=Mutation.deposit', limit: Infinity }, { remaining: 0 });
    const readings = [reading(), deposit];
    expect(limitHeaders(rejected(deposit, { readings, decidedBy: 'unreachable' }), NOW)).toEqual({
      'retry-after': '12',
      'x-ratelimit-limit': '0',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1700000030',
      'x-ratelimit-policy': '0;w=60, 200;w=60',
      ratelimit: '"per_minute endpoint=Mutation.deposit";r=0;t=12',
      'ratelimit-policy': '"per_minute endpoint=Mutation.deposit";q=0;w=60, "per_minute user_id";q=200;w=60',
    });
  });

  it('are well-formed and short whatever rules and tiers are called', () => {
    const text = fc.string({ unit: 'binary', maxLength: 300 });
    const tiers = fc.uniqueArray(fc.record({ name: text, rule: text }), {
      selector: ({ name, rule }) => `${name} ${rule}`,
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(tiers, (named) => {
        const readings = named.map((tier) => reading(tier));
        const headers = limitHeaders(rejected(readings[0]!, { readings }));
        for (const value of Object.values(headers)) expect(value).toMatch(/^[\x20-\x7e]{1,12000}$/);
        const item = /"((?:[^"\\]|\\["\\])*)";q=200;w=60/g;
        const items = [...headers['ratelimit-policy']!.matchAll(item)].map(([all]) => all);
        expect(headers['ratelimit-policy']).toBe(items.join(', '));
        expect(new Set(items).size).toBe(Math.min(9, readings.length));
        expect(items[0]!.startsWith(headers.ratelimit!.slice(0, headers.ratelimit!.indexOf(';r=')))).toBe(
          true,
        );
      }),
    );
    expect(
      limitHeaders(decision(reading({ name: 'a"b\\c é\n\ud800' })))['ratelimit-policy']!.split(';')[0],
    ).toMatch(/^"a\\"b\\\\c %C3%A9%0A%EF%BF%BD user_id [0-9a-f]{12}"$/);
  });
});

describe('the body of a 429', () => {
  it('says what was exceeded and when to try again', () => {
    const exceeded = rejected(reading({ rule: 'user_id/plan=pro' }));
    expect(rejectionBody(exceeded, DOCUMENTATION)).toEqual({
      error: {
        code: 'RATE_LIMIT_EXCEEDED',
        message:
          'Too many requests, the limit user_id/plan=pro (200 per minute) is exceeded: try again in 12 seconds',
        retry_after: 12,
        limit: 200,
        window: '1m',
        documentation_url: DOCUMENTATION,
      },
    });
    expect(rejectionExtensions(exceeded, null, DOCUMENTATION)).toEqual({
      code: 'RATE_LIMIT_EXCEEDED',
      retryAfter: 12,
      limit: 200,
      window: '1m',
      documentationUrl: DOCUMENTATION,
    });
  });

  it.each([
    [1, '1s', 'per second'],
    [60, '1m', 'per minute'],
    [3_600, '1h', 'per hour'],
    [86_400, '1d', 'per day'],
    [90, '90s', 'per 90 seconds'],
    [604_800, '7d', 'per 7 days'],
  ])('writes a window of %i s as %s', (windowSeconds, window, words) => {
    const { error } = rejectionBody(rejected(reading({ windowSeconds })), DOCUMENTATION);
    expect(error.window).toBe(window);
    expect(error.message).toContain(words);
  });

  it('says that the counters cannot be reached', () => {
    const closed = rejected(reading({ rule: 'endpoint=login' }), {
      decidedBy: 'unreachable',
      retryAfterMs: 60_000,
    });
    const { error } = rejectionBody(closed, DOCUMENTATION);
    expect(error.message).toBe(
      'The counters of the limit endpoint=login cannot be reached: try again in 60 seconds',
    );
    expect(error.retry_after).toBe(60);
    expect(rejectionBody({ ...closed, retryAfterMs: null, decisive: null }, '').error).toMatchObject({
      retry_after: 60,
      limit: 0,
      window: '1m',
    });
  });

  it('says that trying again is no use where the budget is too small', () => {
    const bucket = reading({ rule: 'query_cost', limit: 1_000, perWindow: 50, windowSeconds: 1 });
    const forGood = rejected(bucket, { impossible: true });
    expect(rejectionBody(forGood, '').error).toMatchObject({
      message:
        'This costs more than the limit query_cost (50 per second, 1000 at once) will ever hold: ask for less at once',
      retry_after: null,
    });
    expect(rejectionExtensions(forGood, 2_000, '')).toMatchObject({ retryAfter: null });
    expect(limitHeaders(forGood)).not.toHaveProperty('retry-after');
  });

  it('is JSON with whole numbers under an unlimited rule too', () => {
    const { error } = rejectionBody(rejected(reading({ limit: Infinity })), '');
    expect(error).toMatchObject({ limit: 0, message: 'Too many requests: try again in 12 seconds' });
  });
});

describe('what an operation’s answer says of its cost', () => {
  const budget = reading(
    { rule: 'query_cost', limit: 1_000, perWindow: 3_000, windowSeconds: 60 },
    { remaining: 400 },
  );

  it('counts what was not used as available again, never more than there can be', () => {
    expect(costExtension(decision(budget, { budget }), 100, 30)).toEqual({
      requestedQueryCost: 100,
      actualQueryCost: 30,
      throttleStatus: { maximumAvailable: 1_000, currentlyAvailable: 470, restoreRate: 50 },
    });
    const almostFull = { ...budget, remaining: 950 };
    const extension = costExtension(decision(null, { budget: almostFull }), 100, 1);
    expect(extension?.throttleStatus.currentlyAvailable).toBe(1_000);
  });

  it('says of a rejected operation that it used nothing', () => {
    const exceeded = rejected(budget, { budget });
    expect(rejectionExtensions(exceeded, 500, DOCUMENTATION).cost).toEqual({
      requestedQueryCost: 500,
      actualQueryCost: null,
      throttleStatus: { maximumAvailable: 1_000, currentlyAvailable: 400, restoreRate: 50 },
    });
    expect(rejectionExtensions(exceeded, null, DOCUMENTATION)).not.toHaveProperty('cost');
    expect(rejectionExtensions(rejected(budget), 500, DOCUMENTATION)).not.toHaveProperty('cost');
  });

  it('is missing where there is no budget', () => {
    expect(costExtension(decision(budget), 100, 30)).toBeUndefined();
    const unlimited = reading({ limit: Infinity });
    expect(costExtension(decision(unlimited, { budget: unlimited }), 100, 30)).toBeUndefined();
  });
});
