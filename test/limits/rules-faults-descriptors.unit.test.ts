import { describe, expect, it, test } from 'vitest';
import { faultsOf, faultsOfRule, minute } from './rule-faults.js';

describe('a rule is refused with the place of its fault', () => {
  const keys = 'global, remote_address, user_id, endpoint, plan, api_key or query_cost';
  test.each<[string, string[], string[]]>([
    ['no key', [`rate_limit: ${minute}`], [`3:3 key is missing: ${keys}`]],
    ['an unknown key', ['key: country', `rate_limit: ${minute}`], [`3:8 key must be ${keys}; got 'country'`]],
    [
      'an unknown field',
      ['key: global', 'ratelimit: 1', `rate_limit: ${minute}`],
      [
        `4:3 unknown key 'ratelimit'; allowed here: key, value, descriptors, rate_limit, rate_limits, algorithm, burst, soft_limit, action, fail, shadow, unlimited, cost`,
      ],
    ],
    [
      'no limit and nothing inside',
      ['key: global'],
      ["3:3 this rule does nothing: it needs rate_limit, rate_limits, 'unlimited: true' or descriptors"],
    ],
    [
      'an empty list inside',
      ['key: user_id', 'descriptors: []'],
      ['4:16 descriptors inside a rule must hold at least one'],
    ],
    [
      'a value of global',
      ['key: global', 'value: x', `rate_limit: ${minute}`],
      ['4:3 global takes no value'],
    ],
    [
      'a number as value',
      ['key: plan', 'value: 7', `rate_limit: ${minute}`],
      ['4:10 value must be a text; got 7 (put it in quotes)'],
    ],
    [
      'a long value',
      ['key: plan', `value: ${'x'.repeat(257)}`, `rate_limit: ${minute}`],
      ['4:10 value must have 256 characters at most; it has 257'],
    ],
    [
      'a line end in a value',
      ['key: plan', 'value: "a\\nb"', `rate_limit: ${minute}`],
      ['4:10 value must not hold control characters'],
    ],
    [
      'an unknown action',
      ['key: global', 'action: drop', `rate_limit: ${minute}`],
      ["4:11 action must be reject or throttle; got 'drop'"],
    ],
    [
      'an action without a limit',
      ['key: user_id', 'action: reject', 'descriptors:', `- { key: plan, rate_limit: ${minute} }`],
      ["4:3 action needs a rate_limit, rate_limits or 'unlimited: true' beside it"],
    ],
    [
      'fail without a limit',
      ['key: user_id', 'fail: closed', 'descriptors:', `- { key: plan, rate_limit: ${minute} }`],
      ["4:3 fail needs a rate_limit, rate_limits or 'unlimited: true' beside it"],
    ],
    [
      'rate_limit and rate_limits',
      ['key: user_id', `rate_limit: ${minute}`, `rate_limits: [${minute}]`],
      ['5:3 rate_limit and rate_limits exclude each other'],
    ],
    [
      'user_id below user_id',
      ['key: user_id', 'descriptors:', `- { key: user_id, rate_limit: ${minute} }`],
      ['5:12 this rule could never hold: user_id stands further up on its path'],
    ],
    [
      'remote_address of a known user',
      ['key: user_id', 'descriptors:', `- { key: remote_address, rate_limit: ${minute} }`],
      [
        '5:12 this rule could never hold: remote_address is for anonymous callers; user_id, plan and api_key are for known ones',
      ],
    ],
    [
      'points of a route',
      ['key: query_cost', 'descriptors:', `- { key: endpoint, value: GET /feed, rate_limit: ${minute} }`],
      [
        '5:29 this rule could never hold: query_cost is of GraphQL operations, whose endpoints are Type.field',
      ],
    ],
  ])('%s', (_, lines, faults) => expect(faultsOfRule(...lines)).toEqual(faults));

  it('duplicates among siblings are refused, also where they are written differently', () => {
    const twice = (a: string, b: string) =>
      faultsOf(
        `domain: d\ndescriptors:\n- { ${a}, rate_limit: ${minute} }\n- { ${b}, rate_limit: ${minute} }\n`,
      );
    expect(twice('key: global', 'key: global')).toEqual([
      "4:10 duplicate: a rule for 'global' stands here already",
    ]);
    expect(twice('key: plan', 'key: plan, value: "*"')).toEqual([
      "4:23 duplicate: a rule for 'plan' stands here already",
    ]);
    expect(twice('key: endpoint, value: "GET /a/{id}"', 'key: endpoint, value: "GET /a/:key"')).toEqual([
      "4:27 duplicate: a rule for 'endpoint=GET /a/*' stands here already",
    ]);
    expect(twice('key: plan, value: pro', 'key: plan, value: free')).toEqual([]);
  });

  it('rules are nested 8 deep at most', () => {
    const nested = (depth: number): string => {
      const keys = [
        'global',
        'user_id',
        'plan',
        'endpoint',
        'api_key',
        'query_cost',
        'global',
        'plan',
        'plan',
      ];
      const at = (level: number): string =>
        `{ key: ${keys[level]}, ${level + 1 < depth ? `descriptors: [${at(level + 1)}]` : `rate_limit: ${minute}`} }`;
      return `domain: d\ndescriptors: [${at(0)}]`;
    };
    const tooDeep = expect.stringContaining('descriptors may be nested 8 deep at most');
    expect(faultsOf(nested(6))).toEqual([]);
    expect(faultsOf(nested(8))).not.toContainEqual(tooDeep);
    expect(faultsOf(nested(9))).toContainEqual(tooDeep);
  });
});
