import { beforeEach, describe, expect, it } from 'vitest';
import type { PutRules, RuleSet } from '../../src/domains/limits/index.js';
import { ok, refusedAll } from '../../src/platform/errors.js';
import { toConnection } from '../../src/platform/paging.js';
import { admin, alice, ask, at, fakeLimits, reading } from './fake-limits.js';
import { aDecision } from './hand-made-decision.js';

let limits: ReturnType<typeof fakeLimits>;
beforeEach(() => {
  limits = fakeLimits();
});

const ruleSet: RuleSet = {
  domain: 'tidings',
  version: '0123456789ab',
  source: 'rules/default.yaml',
  document: 'domain: tidings',
  loadedAt: at,
  lastError: null,
  warnings: ["line 4, column 12: the rule 'endpoint=Query.fed' never holds: there is no such root field"],
};
const shownRuleSet = { ...ruleSet, loadedAt: at.toISOString() };
const RULE_SET = '{ domain version source document loadedAt lastError warnings }';
const TIERS = `tiers {
  rule name windowSeconds limit used remaining resetAt algorithm action fail shadow softLimit
}`;

describe('what administers limits', () => {
  const admins: [string, string][] = [
    ['rateLimitRules', '{ rateLimitRules { version } }'],
    ['rateLimitPreview', '{ rateLimitPreview(descriptors: []) { outcome } }'],
    ['rateLimitRulesHistory', '{ rateLimitRulesHistory { edges { cursor } } }'],
    ['rateLimitTopCallers', '{ rateLimitTopCallers { caller } }'],
    ['putRateLimitRules', 'mutation { putRateLimitRules(input: { document: "" }) { userErrors { code } } }'],
    ['reloadRateLimitRules', 'mutation { reloadRateLimitRules { userErrors { code } } }'],
  ];
  it.each(admins)('%s is for admins alone', async (_, source) => {
    expect((await ask(limits, alice, source)).errors).toMatchObject([{ code: 'FORBIDDEN' }]);
    expect((await ask(limits, null, source)).errors).toMatchObject([{ code: 'UNAUTHENTICATED' }]);
  });
});

describe('rateLimit', () => {
  const STATUS = `{ rateLimit { limit remaining resetAt cost ${TIERS} } }`;

  it.each([alice, null])(
    'shows any caller what they have left, from what was decided already: %#',
    async (by) => {
      const tightest = reading({ algorithm: 'token_bucket', softLimit: 150, action: 'throttle' });
      const other = reading({ rule: 'global', name: 'per_day', limit: 9_000, fail: 'closed', shadow: true });
      const decision = aDecision({ decisive: tightest, readings: [tightest, other] });
      const { data, errors } = await ask(limits, by, STATUS, { decision, queryCost: 17 });
      expect(errors).toBeUndefined();
      const stands = { used: 3, remaining: 197, resetAt: at.toISOString(), windowSeconds: 60 };
      expect(data?.rateLimit).toEqual({
        limit: 200,
        remaining: 197,
        resetAt: at.toISOString(),
        cost: 17,
        tiers: [
          {
            ...stands,
            rule: 'user_id',
            name: 'per_minute',
            limit: 200,
            algorithm: 'TOKEN_BUCKET',
            action: 'THROTTLE',
            fail: 'OPEN',
            shadow: false,
            softLimit: 150,
          },
          {
            ...stands,
            rule: 'global',
            name: 'per_day',
            limit: 9_000,
            algorithm: 'FIXED_WINDOW',
            action: 'REJECT',
            fail: 'CLOSED',
            shadow: true,
            softLimit: null,
          },
        ],
      });
    },
  );

  it('shows no tier without a limit', async () => {
    const unlimited = reading({ limit: Infinity, perWindow: Infinity }, { remaining: Infinity });
    const decisive = reading();
    const decision = aDecision({ decisive, readings: [unlimited, decisive] });
    const { data } = await ask(limits, alice, STATUS, { decision });
    expect(data?.rateLimit).toMatchObject({ limit: 200, tiers: [{ limit: 200 }] });
  });

  it('shows the budget of query costs where nothing else is limited', async () => {
    const budget = reading({ rule: 'query_cost', limit: 10_000 }, { remaining: 9_990 });
    const { data } = await ask(limits, alice, STATUS, {
      decision: aDecision({ budget, readings: [budget] }),
      queryCost: 10,
    });
    expect(data?.rateLimit).toMatchObject({ limit: 10_000, remaining: 9_990, cost: 10 });
  });

  it.each([
    ['nothing was decided', null],
    ['no tier holds', aDecision({ decidedBy: 'none' })],
    ['tiers only watch', aDecision({ readings: [reading({ shadow: true })] })],
  ])('is null where %s', async (_, decision) => {
    expect(await ask(limits, alice, STATUS, { decision })).toEqual({ data: { rateLimit: null } });
  });
});

describe('the rules', () => {
  it('are shown as they are in force', async () => {
    limits.rules.ruleSet.mockReturnValue({ ...ruleSet, lastError: 'line 2, column 1: no' });
    expect(await ask(limits, admin, `{ rateLimitRules ${RULE_SET} }`)).toEqual({
      data: { rateLimitRules: { ...shownRuleSet, lastError: 'line 2, column 1: no' } },
    });
  });

  const PUT = `mutation ($input: PutRateLimitRulesInput!) {
    putRateLimitRules(input: $input) { ruleSet ${RULE_SET} userErrors { code message path } }
  }`;
  const put = (input: object) => ask(limits, admin, PUT, { variables: { input } });

  it('are put by the admin who asks, and only tried where that is said', async () => {
    limits.rules.put.mockResolvedValue(ok(ruleSet));
    const shown = { data: { putRateLimitRules: { ruleSet: shownRuleSet, userErrors: [] } } };
    expect(await put({ document: 'domain: tidings' })).toEqual(shown);
    expect(await put({ document: 'domain: tidings', dryRun: true })).toEqual(shown);
    expect(limits.rules.put.mock.calls).toEqual([
      [admin, { document: 'domain: tidings', dryRun: false }],
      [admin, { document: 'domain: tidings', dryRun: true }],
    ]);
  });

  it('come back with everything that is wrong with them', async () => {
    const faults = [
      {
        code: 'RATE_LIMIT_RULES_INVALID',
        message: 'line 1, column 1: no',
        path: ['input', 'document', 'domain'],
      },
      { code: 'RATE_LIMIT_RULES_INVALID', message: 'line 9, column 4: no', path: ['input', 'document'] },
    ];
    limits.rules.put.mockResolvedValue(refusedAll(faults));
    expect(await put({ document: '' })).toEqual({
      data: { putRateLimitRules: { ruleSet: null, userErrors: faults } },
    });
  });

  it('are looked at again on demand', async () => {
    limits.rules.reload.mockResolvedValue(ok(ruleSet));
    const RELOAD = `mutation { reloadRateLimitRules { ruleSet ${RULE_SET} userErrors { code } } }`;
    expect(await ask(limits, admin, RELOAD)).toEqual({
      data: { reloadRateLimitRules: { ruleSet: shownRuleSet, userErrors: [] } },
    });
  });

  it('have a history in pages: which document was put, by whom, when, under which correlation id', async () => {
    const put: PutRules = {
      sequence: 7,
      version: '0123456789ab',
      document: 'domain: tidings',
      putBy: 'ada',
      putAt: at,
      correlationId: 'story of ada',
    };
    limits.rules.history.mockImplementation(async (page) =>
      toConnection(page, [put, { ...put, sequence: 6 }], ({ sequence }) => `after ${sequence}`),
    );
    const HISTORY = `{ rateLimitRulesHistory(first: 1, after: "after 8") {
      edges { cursor node { version document putBy putAt correlationId } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    } }`;
    const { sequence: _, ...node } = { ...put, putAt: at.toISOString() };
    expect((await ask(limits, admin, HISTORY)).data?.rateLimitRulesHistory).toEqual({
      edges: [{ cursor: 'after 7', node }],
      pageInfo: { hasNextPage: true, hasPreviousPage: true, startCursor: 'after 7', endCursor: 'after 7' },
    });
    expect(limits.rules.history).toHaveBeenCalledWith({ limit: 1, direction: 'forward', cursor: 'after 8' });
  });
});

describe('rateLimitTopCallers', () => {
  const top = (args: string) =>
    ask(limits, admin, `{ rateLimitTopCallers${args} { caller rule utilisation seenAt } }`);

  it('names who is nearest to a limit: ten, or as many as asked for', async () => {
    limits.nearLimits.top.mockResolvedValue([
      { owner: 'u:bob', rule: 'user_id', utilisation: 0.98, seenAt: at },
      { owner: 'n:192.0.2.1', rule: 'remote_address', utilisation: 0.91, seenAt: at },
    ]);
    expect(await top('')).toEqual({
      data: {
        rateLimitTopCallers: [
          { caller: 'u:bob', rule: 'user_id', utilisation: 0.98, seenAt: at.toISOString() },
          { caller: 'n:192.0.2.1', rule: 'remote_address', utilisation: 0.91, seenAt: at.toISOString() },
        ],
      },
    });
    await top('(first: 3)');
    expect(limits.nearLimits.top.mock.calls).toEqual([[10], [3]]);
  });

  it.each([0, -1, 101])('refuses to name %i', async (first) => {
    expect((await top(`(first: ${first})`)).errors).toMatchObject([{ code: 'BAD_USER_INPUT' }]);
  });
});

describe('topCallers of a dry run', () => {
  const dryRun = (dryRun: boolean, args = '') =>
    ask(
      limits,
      admin,
      `mutation {
        putRateLimitRules(input: { document: "domain: tidings", dryRun: ${dryRun} }) {
          topCallers${args} {
            near { caller plan rule }
            current { allowed tiers { limit used } }
            proposed { allowed violated remaining }
          }
          userErrors { code }
        }
      }`,
    );

  it('has what is decided about them now, and what the document would decide', async () => {
    limits.rules.put.mockResolvedValue(ok({ ...ruleSet, source: 'dry run' }));
    const violated = reading({ limit: 2 }, { remaining: 0 });
    const near = { owner: 'u:bob', rule: 'user_id', utilisation: 0.98, seenAt: at, plan: 'free' };
    const now = reading();
    limits.rehearse.mockResolvedValue([
      {
        near,
        current: { ...aDecision({ decisive: now, readings: [now] }), guards: [] },
        proposed: {
          ...aDecision({ outcome: 'REJECT', decisive: violated, readings: [violated] }),
          guards: [],
        },
      },
      {
        near: { ...near, owner: 'n:192.0.2.1', plan: null },
        current: { ...aDecision({ decidedBy: 'none' }), guards: [] },
        proposed: { ...aDecision({ decidedBy: 'none' }), guards: [] },
      },
    ]);
    expect(await dryRun(true, '(first: 3)')).toEqual({
      data: {
        putRateLimitRules: {
          topCallers: [
            {
              near: { caller: 'u:bob', plan: 'free', rule: 'user_id' },
              current: { allowed: true, tiers: [{ limit: 200, used: 3 }] },
              proposed: { allowed: false, violated: 'user_id', remaining: 0 },
            },
            {
              near: { caller: 'n:192.0.2.1', plan: null, rule: 'user_id' },
              current: null,
              proposed: null,
            },
          ],
          userErrors: [],
        },
      },
    });
    expect(limits.rehearse.mock.calls).toEqual([['domain: tidings', 3]]);
    expect((await dryRun(true, '(first: 0)')).errors).toMatchObject([{ code: 'BAD_USER_INPUT' }]);
  });

  it('is null where rules are put, and where they are refused', async () => {
    limits.rules.put.mockResolvedValue(ok(ruleSet));
    expect((await dryRun(false)).data).toMatchObject({ putRateLimitRules: { topCallers: null } });
    limits.rules.put.mockResolvedValue(refusedAll([{ code: 'RATE_LIMIT_RULES_INVALID', message: 'no' }]));
    expect((await dryRun(true)).data).toMatchObject({ putRateLimitRules: { topCallers: null } });
  });
});
