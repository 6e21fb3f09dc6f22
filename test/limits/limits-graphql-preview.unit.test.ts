import { beforeEach, describe, expect, it } from 'vitest';
import type { Preview } from '../../src/domains/limits/limiter.js';
import type { RateLimitRequest } from '../../src/platform/gate.js';
import { admin, ask, at, fakeLimits, reading } from './fake-limits.js';
import { aDecision } from './hand-made-decision.js';

type Descriptor = { readonly key: string; readonly value?: string | null };

let limits: ReturnType<typeof fakeLimits>;
beforeEach(() => {
  limits = fakeLimits();
  limits.limiter.preview.mockResolvedValue({ ...aDecision(), guards: [] });
});

const PREVIEW = `query ($descriptors: [RateLimitDescriptorInput!]!) {
  rateLimitPreview(descriptors: $descriptors) {
    outcome allowed decidedBy guards remaining resetAt retryAfter violated
    tiers { rule name limit used remaining shadow }
  }
}`;
const preview = (...descriptors: Descriptor[]) => ask(limits, admin, PREVIEW, { variables: { descriptors } });

async function asked(...descriptors: Descriptor[]): Promise<RateLimitRequest> {
  expect((await preview(...descriptors)).errors).toBeUndefined();
  return limits.limiter.preview.mock.lastCall![0];
}

describe('rateLimitPreview asks for', () => {
  it('a signed-in caller with all that descriptors say of one', async () => {
    expect(
      await asked(
        { key: 'user_id', value: 'alice' },
        { key: 'plan', value: 'pro' },
        { key: 'api_key', value: '0123456789abcdef' },
        { key: 'remote_address', value: '192.0.2.7' },
        { key: 'query_cost', value: '120' },
        { key: 'global' },
      ),
    ).toEqual({
      caller: { userId: 'alice', plan: 'pro', apiKeyId: '0123456789abcdef', network: '192.0.2.7' },
      endpoints: new Map(),
      queryCost: 120,
      part: 'whole',
    });
  });

  it.each([
    ['2001:db8:1:2:3::4', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::/64', '2001:db8:1:2::/64'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
  ])('an address by the network that counts: %s', async (value, network) => {
    expect((await asked({ key: 'remote_address', value })).caller).toEqual({
      userId: null,
      plan: null,
      apiKeyId: null,
      network,
    });
  });

  it('endpoints as requests name them, each as often as it is given', async () => {
    const { endpoints } = await asked(
      { key: 'endpoint', value: 'GET /api/orders/{order_id}' },
      { key: 'endpoint', value: 'GET /api/orders/*' },
      { key: 'endpoint', value: 'Mutation.placeOrder' },
      { key: 'endpoint', value: 'login' },
    );
    expect(endpoints).toEqual(
      new Map([
        ['GET /api/orders/*', 2],
        ['Mutation.placeOrder', 1],
        ['login', 1],
      ]),
    );
  });

  it('somebody new where nobody is named: a user for a plan or a key, else an anonymous caller', async () => {
    const nobody = (await asked({ key: 'global' })).caller;
    expect(nobody).toMatchObject({ userId: null, plan: null, apiKeyId: null });
    const someone = (await asked({ key: 'plan', value: 'pro' })).caller;
    expect(someone).toMatchObject({ plan: 'pro', apiKeyId: null });
    // No token can have a space there.
    expect(someone.userId).toMatch(/ /);
    expect((await asked({ key: 'api_key', value: '0123456789abcdef' })).caller.userId).toMatch(/ /);
  });
});

describe('rateLimitPreview answers', () => {
  const tight = reading({}, { used: 200, remaining: 0 });
  const roomy = reading({ rule: 'global', limit: 10_000 }, { used: 5, remaining: 9_995 });
  const cases: [string, Partial<Preview>, object | null][] = [
    [
      'who would be refused, by which rule and for how long',
      { outcome: 'REJECT', decisive: tight, readings: [tight, roomy], retryAfterMs: 2_100 },
      {
        outcome: 'REJECT',
        allowed: false,
        remaining: 0,
        resetAt: at.toISOString(),
        retryAfter: 3,
        violated: 'user_id',
        tiers: [
          { rule: 'user_id', name: 'per_minute', limit: 200, used: 200, remaining: 0, shadow: false },
          { rule: 'global', name: 'per_minute', limit: 10_000, used: 5, remaining: 9_995, shadow: false },
        ],
      },
    ],
    [
      'who would be served with less',
      { outcome: 'DEGRADE', decisive: roomy },
      { outcome: 'DEGRADE', allowed: true, remaining: 9_995, retryAfter: null, violated: null },
    ],
    [
      'that waiting is no use',
      { outcome: 'REJECT', decisive: tight, retryAfterMs: 60_000, impossible: true },
      { allowed: false, retryAfter: null, violated: 'user_id' },
    ],
    [
      'by the budget of query costs where nothing else is limited',
      { budget: reading({ rule: 'query_cost' }), readings: [reading({ rule: 'query_cost' })] },
      { allowed: true, remaining: 197, tiers: [{ rule: 'query_cost' }] },
    ],
    [
      'by rules that only watch, where there are no others',
      {
        readings: [
          reading({ shadow: true }),
          reading({ shadow: true, rule: 'global' }, { remaining: 4 }),
          reading({ limit: Infinity }, { remaining: 0 }),
        ],
      },
      { allowed: true, remaining: 4, violated: null, tiers: [{ shadow: true }, { rule: 'global' }] },
    ],
    [
      'that an unlimited rule is closed while counters are away, without a tier to show',
      {
        outcome: 'REJECT',
        decisive: reading({ rule: 'endpoint=login', limit: Infinity, fail: 'closed' }, { remaining: 0 }),
        retryAfterMs: 60_000,
        decidedBy: 'unreachable',
      },
      {
        allowed: false,
        decidedBy: 'UNREACHABLE',
        remaining: 0,
        violated: 'endpoint=login',
        retryAfter: 60,
        tiers: [],
      },
    ],
    [
      'which unlimited rules would refuse while nobody can count, though nothing is limited',
      { decidedBy: 'none', guards: ['endpoint=Mutation.placeOrder'] },
      {
        allowed: true,
        decidedBy: 'NONE',
        guards: ['endpoint=Mutation.placeOrder'],
        remaining: 2_147_483_647,
        violated: null,
        tiers: [],
      },
    ],
    ['nothing where nothing is limited', { decidedBy: 'none' }, null],
  ];
  it.each(cases)('%s', async (_, decided, shown) => {
    limits.limiter.preview.mockResolvedValue({ guards: [], ...aDecision(decided), ...decided });
    const { data, errors } = await preview({ key: 'global' });
    expect(errors).toBeUndefined();
    if (shown === null) expect(data?.rateLimitPreview).toBeNull();
    else expect(data?.rateLimitPreview).toMatchObject(shown);
  });
});

describe('rateLimitPreview names the descriptor that is at fault:', () => {
  const faulty: [string, Descriptor][] = [
    ['a key that there is not', { key: 'User_id', value: 'alice' }],
    ['a key that objects have anyway', { key: 'constructor', value: 'x' }],
    ['a missing value', { key: 'user_id' }],
    ['a value of null', { key: 'endpoint', value: null }],
    ['an empty value', { key: 'plan', value: '' }],
    ['a value where there is none', { key: 'global', value: 'all' }],
    ['a user id with a space', { key: 'user_id', value: 'a b' }],
    ['a plan of 65 characters', { key: 'plan', value: 'p'.repeat(65) }],
    ['a name for an address', { key: 'remote_address', value: 'localhost' }],
    ['an octal address', { key: 'remote_address', value: '010.0.0.1' }],
    [
      'a whole API key instead of its id',
      { key: 'api_key', value: `tidings_${'0'.repeat(16)}_${'s'.repeat(43)}` },
    ],
    ['an endpoint without a method', { key: 'endpoint', value: '/api/orders' }],
    ['a fraction of a cost', { key: 'query_cost', value: '1.5' }],
    ['a negative cost', { key: 'query_cost', value: '-1' }],
    ['a cost that no number holds', { key: 'query_cost', value: '2147483648' }],
    ['a key that is given twice', { key: 'remote_address', value: '192.0.2.8' }],
  ];
  it.each(faulty)('%s', async (_, descriptor) => {
    const { data, errors } = await preview({ key: 'remote_address', value: '192.0.2.7' }, descriptor);
    expect(data).toEqual({ rateLimitPreview: null });
    expect(errors).toMatchObject([{ code: 'BAD_USER_INPUT', argument: ['descriptors', '1'] }]);
    expect(errors![0]!.message).toContain(`Descriptor 1 ("${descriptor.key}")`);
    expect(limits.limiter.preview).not.toHaveBeenCalled();
  });

  it('more than 20 of them', async () => {
    const many = Array.from({ length: 21 }, () => ({ key: 'endpoint', value: 'login' }));
    expect((await preview(...many)).errors).toMatchObject([{ code: 'BAD_USER_INPUT' }]);
    expect((await asked(...many.slice(1))).endpoints.get('login')).toBe(20);
  });
});
